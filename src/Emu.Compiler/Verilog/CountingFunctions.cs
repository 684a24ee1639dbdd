using System.Numerics;
using System.Text;
using Emu.Compiler.IR;

namespace Emu.Compiler.Verilog;

/// <summary>
/// Functions that count bits, each a tree: the count of 2n bits comes from those of its halves. Where only the parity
/// is used, it is that of as many bits as a LUT takes in, and then of these.
/// </summary>
/// <param name="names">The names of the module.</param>
internal sealed class CountingFunctions(VerilogNames names)
{
    private readonly SortedDictionary<(Opcode Opcode, int Bits), string> _names = [];
    private readonly SortedDictionary<int, string> _parities = [];

    /// <summary>A call: its text and the width of its result.</summary>
    public (string Text, int Width) Call(Opcode opcode, int width, string argument)
    {
        var bits = (int)BitOperations.RoundUpToPowerOf2((uint)width);
        var missing = bits - width;
        if (missing > 0)
        {
            argument = opcode switch
            {
                Opcode.PopCount => $"{{{VerilogLiteral.Of(missing, 0)}, {argument}}}",
                Opcode.LeadingZeros => $"{{{argument}, {VerilogLiteral.Of(missing, Arithmetic.Mask(missing))}}}",
                _ => $"{{{VerilogLiteral.Of(missing, Arithmetic.Mask(missing))}, {argument}}}",
            };
        }
        return ($"{Name(opcode, bits)}({argument})", ResultWidth(bits));
    }

    /// <summary>A call that gives the parity of some bits.</summary>
    public string Parity(int width, string argument)
    {
        if (!_parities.TryGetValue(width, out var name)) name = _parities[width] = names.Take($"parity_{width}");
        return $"{name}({argument})";
    }

    /// <summary>The declarations of all that are called; empty when there are none.</summary>
    public string Declarations() => string.Join('\n', [
        .. _names.Select(f => Declaration(f.Key.Opcode, f.Key.Bits, f.Value)),
        .. _parities.Select(f => Declaration(f.Key, f.Value)),
    ]);

    private static string Declaration(int width, string name)
    {
        var parts = Enumerable.Range(0, width).Chunk(Rtl.Parity.PartBits)
            .Select(part => part.Length == 1 ? $"value[{part[0]}]" : $"^value[{part[^1]}:{part[0]}]");
        return $"function {name}(input {VerilogLayout.Range(width)} value);\n"
            + VerilogLayout.Statement(
                "    ", $"{name} =", new VerilogText(Precedence.Unary, $"^{{{string.Join(",\n", parts)}}}"))
            + "endfunction\n";
    }

    private static int ResultWidth(int bits) => BitOperations.Log2((uint)bits) + 1;

    private static string Bits(string low, int count) => count == 1 ? $"count[{low}]" : $"count[{low} +: {count}]";

    private static string Zeros(int width) => width == 0 ? "" : VerilogLiteral.Of(width, 0) + ", ";

    private static string Declaration(Opcode opcode, int bits, string name)
    {
        var start = opcode == Opcode.PopCount ? "value" : "~value";
        if (bits == 1) return $"function {name}(input value);\n    {name} = {start};\nendfunction\n";

        var text = new StringBuilder(
            $"function {VerilogLayout.Range(ResultWidth(bits))} {name}(input {VerilogLayout.Range(bits)} value);\n");
        text.Append(
            $"    integer i;\n    reg {VerilogLayout.Range(bits)} count;\n    begin\n        count = {start};\n");
        for (var half = 1; half < bits; half *= 2)
        {
            text.Append($"        for (i = 0; i < {bits}; i = i + {2 * half}) begin\n");
            text.Append($"            count[i +: {2 * half}] = {Joined(opcode, half)};\n        end\n");
        }
        return text.Append($"        {name} = count[{ResultWidth(bits) - 1}:0];\n    end\nendfunction\n").ToString();
    }

    // The count of two halves, each of which has its own in its low bits.
    private static string Joined(Opcode opcode, int half)
    {
        var width = ResultWidth(half);
        if (opcode == Opcode.PopCount)
            return $"{{{Zeros(2 * half - width)}{Bits($"i+{half}", width)}}} + "
                + $"{{{Zeros(2 * half - width)}{Bits("i", width)}}}";

        // The half that counts first; only if it has no one, which its top bit says, does the other count.
        var (first, second) = opcode == Opcode.LeadingZeros ? (half, 0) : (0, half);
        string At(int offset) => offset == 0 ? "i" : $"i+{offset}";
        var top = $"count[{At(second + width - 1)}]";
        var rest = width == 1 ? "" : $", {Bits(At(second), width - 1)}";
        return $"count[{At(first + width - 1)}] ? {{{Zeros(2 * half - width - 1)}{top}, !{top}{rest}}} : "
            + $"{{{Zeros(2 * half - width)}{Bits(At(first), width)}}}";
    }

    private string Name(Opcode opcode, int bits)
    {
        if (_names.TryGetValue((opcode, bits), out var name)) return name;
        var stem = opcode switch
        {
            Opcode.PopCount => "ones",
            Opcode.LeadingZeros => "leading_zeros",
            _ => "trailing_zeros",
        };
        return _names[(opcode, bits)] = names.Take($"{stem}_{bits}");
    }
}
