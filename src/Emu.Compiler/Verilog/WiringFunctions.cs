using System.Text;

namespace Emu.Compiler.Verilog;

/// <summary>
/// Functions that change the places of many bits and nothing else, such as a permutation of a cipher: each is declared
/// once, however often it is called.
/// </summary>
/// <param name="names">The names of the module.</param>
internal sealed class WiringFunctions(VerilogNames names)
{
    /// <summary>Fewer pieces are written where they are used.</summary>
    private const int LeastPieces = 16;

    /// <summary>The least pieces for each vector that they come from.</summary>
    private const int PiecesOfSource = 3;

    private readonly Dictionary<string, string> _names = new(StringComparer.Ordinal);
    private readonly StringBuilder _declarations = new();

    /// <summary>The declarations of all that are called; empty when there are none.</summary>
    public string Declarations => _declarations.ToString();

    /// <summary>
    /// A call for bits of vectors, the highest first; null where they are few, something else than bits, or come from
    /// almost as many places as they go to.
    /// </summary>
    public string? Call(IReadOnlyList<VerilogTerm> pieces)
    {
        if (pieces.Count < LeastPieces || pieces.Any(piece => piece is not VerilogSlice)) return null;
        var slices = pieces.Cast<VerilogSlice>().ToList();
        List<VerilogSlice> sources = [.. slices.GroupBy(slice => slice.Signal).SelectMany(Runs)];
        if (PiecesOfSource * sources.Count > pieces.Count) return null;
        var (low, places) = (0, new Dictionary<(VerilogSignal Signal, int Bit), int>());
        foreach (var source in Enumerable.Reverse(sources))
        {
            for (var bit = 0; bit < source.Width; bit++) places[(source.Signal, source.Low + bit)] = low + bit;
            low += source.Width;
        }
        var argument = string.Join(",\n", sources.Select(source => source.Read()));
        var items = slices.Select(slice => Bits(places[(slice.Signal, slice.Low)], slice.Width));
        var name = Function(low, slices.Sum(slice => slice.Width), [.. items]);
        return $"{name}({(sources.Count > 1 ? $"{{{argument}}}" : argument)})";
    }

    private static string Bits(int low, int count) => count == 1 ? $"bits[{low}]" : $"bits[{low + count - 1}:{low}]";

    /// <summary>The parts of a vector of which every bit is used.</summary>
    private static IEnumerable<VerilogSlice> Runs(IGrouping<VerilogSignal, VerilogSlice> slices)
    {
        List<int> bits = [.. slices.SelectMany(s => Enumerable.Range(s.Low, s.Width)).Distinct().OrderDescending()];
        for (var i = 0; i < bits.Count;)
        {
            var count = 1;
            while (i + count < bits.Count && bits[i + count] == bits[i] - count) count++;
            yield return new VerilogSlice(slices.Key, bits[i] - count + 1, count);
            i += count;
        }
    }

    private string Function(int argument, int width, string[] items)
    {
        var body = string.Join(",\n", items);
        if (_names.TryGetValue($"{argument} {body}", out var known)) return known;
        var name = _names[$"{argument} {body}"] = names.Derive($"wiring_{width}");
        var text = new VerilogText(Precedence.Primary, $"{{{body}}}");
        _declarations
            .Append(_declarations.Length > 0 ? "\n" : "")
            .Append($"function {VerilogLayout.Range(width)} {name}(input {VerilogLayout.Range(argument)} bits);\n")
            .Append(VerilogLayout.Statement("    ", $"{name} =", text))
            .Append("endfunction\n");
        return name;
    }
}
