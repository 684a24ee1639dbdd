using System.Text;
using System.Text.RegularExpressions;
using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation;

/// <summary>
/// Writes a value change dump (IEEE 1364-2005 §18): a scope for each section of the design, in it one for each field of
/// C# that has state there, and a comment before what has one. Viewers show scopes as a tree.
/// </summary>
internal sealed partial class VcdWriter
{
    private const int NanosecondsPerCycle = 10;

    private readonly TextWriter _writer;
    private readonly List<Signal> _signals = [];
    private readonly Signal _clock, _reset;
    private readonly bool _isActiveHigh;
    private readonly CompiledSteps[] _show;
    private char[] _text = new char[Value.MaxWidth];

    public VcdWriter(CompiledDesign compiled, TextWriter writer)
    {
        _writer = writer;
        var design = compiled.Design;
        writer.Write($"$timescale 1ns $end\n$scope module {design.Name} $end\n");
        _isActiveHigh = design.Clock.IsActiveHigh;
        _clock = Declare("wire", design.Clock.Clock, null, []);
        _reset = Declare("wire", design.Clock.Reset, null, []);
        // An input has no value of its own, only bits.
        foreach (var port in design.Inputs) Declare(
            "wire", port.Name, null, [.. Parts(port.Width).Select(part => new InputBits(port, part.Low, part.Width))]);
        foreach (var port in design.Outputs) Declare("wire", port.Name, null, port.Parts);
        var scopes = new HashSet<string>();
        foreach (var section in design.Sections.Where(section => section.Items.Any(item => item is Value)))
            Declare(section, scopes);
        writer.Write("$upscope $end\n$enddefinitions $end\n");
        _show = compiled.Show(_signals.Select(s => s.Parts), out var slots);
        foreach (var (signal, slot) in _signals.Zip(slots)) signal.Slot = slot;
    }

    /// <summary>Writes what has changed in the cycle before the next edge.</summary>
    /// <param name="memory">The memory of the simulator, as long as the layout says now; the inputs are set.</param>
    /// <param name="cycle">The number of the cycle.</param>
    /// <param name="isInReset">True if the reset is low.</param>
    public void Write(ulong[] memory, long cycle, bool isInReset)
    {
        foreach (var steps in _show) steps(ref memory[0]);
        // Simulated edges are at the multiples of a cycle; the first cycle begins without one.
        var time = cycle * NanosecondsPerCycle;
        _writer.Write($"#{time}\n");
        Put(_clock, [cycle > 0 ? 1u : 0]);
        Put(_reset, [isInReset == _isActiveHigh ? 1u : 0]);
        foreach (var signal in _signals.Skip(2)) Put(signal, memory.AsSpan(signal.Slot, signal.Last.Length));
        _writer.Write($"#{time + NanosecondsPerCycle / 2}\n");
        Put(_clock, [0]);
    }

    /// <summary>Writes when the last cycle ended.</summary>
    public void End(long cycle)
    {
        _writer.Write($"#{cycle * NanosecondsPerCycle}\n");
        _writer.Flush();
    }

    private static IEnumerable<(int Low, int Width)> Parts(int width)
    {
        for (var low = 0; low < width; low += Value.MaxWidth) yield return (low, Math.Min(Value.MaxWidth, width - low));
    }

    private static string Line(string text) => text.ReplaceLineEndings(" ").Replace("$end", "end");

    // Codes of the printable characters, the first 94 with one.
    private static string Code(int number)
    {
        var code = new StringBuilder();
        for (; number >= 0; number = number / 94 - 1) code.Append((char)('!' + number % 94));
        return code.ToString();
    }

    private void Declare(Section section, HashSet<string> scopes)
    {
        _writer.Write($"$comment {Line(section.Title)} $end\n");
        Open(Unique(Identifier(section.Title.Split(':')[0]), scopes));
        var fields = section.Items.Where(item => item is Value).ToLookup(FieldOf);
        foreach (var item in fields[""]) Declare(item);
        foreach (var field in fields.Where(field => field.Key.Length > 0))
        {
            Open(field.Key);
            foreach (var item in field) Declare(item);
            Close();
        }
        Close();
    }

    private void Open(string scope) => _writer.Write($"$scope module {scope} $end\n");

    private void Close() => _writer.Write("$upscope $end\n");

    private void Declare(IDesignItem item) =>
        Declare(item is Wire ? "wire" : "reg", item.Name, item.Comment, [(Value)item]);

    /// <summary>Titles of sections are for people, and need not differ.</summary>
    private static string Unique(string name, HashSet<string> taken)
    {
        var unique = name;
        for (var number = 2; !taken.Add(unique); number++) unique = $"{name}_{number}";
        return unique;
    }

    /// <summary>The field whose state an item holds, or reads from a RAM; empty for others.</summary>
    private static string FieldOf(IDesignItem item) =>
        Field().Match((item is RamRead read ? read.Ram.Comment : item.Comment) ?? "").Groups[1].Value;

    private static string Identifier(string title) => NoIdentifier().Replace(title.Trim(), "_");

    [GeneratedRegex(@"\W+")]
    private static partial Regex NoIdentifier();

    /// <summary>The path of a field, as <c>Stations.ways[0].Expiry</c>, and its first name.</summary>
    [GeneratedRegex(@"^(\w+)(\[\d+\]|\.\w+)+$")]
    private static partial Regex Field();

    private Signal Declare(string kind, string name, string? comment, IReadOnlyList<Value> parts)
    {
        var signal = new Signal(Code(_signals.Count), parts);
        _signals.Add(signal);
        if (comment is not null) _writer.Write($"$comment {Line(comment)} $end\n");
        _writer.Write(
            $"$var {kind} {signal.Width} {signal.Code} "
            + $"{name}{(signal.Width > 1 ? $" [{signal.Width - 1}:0]" : "")} $end\n");
        return signal;
    }

    private void Put(Signal signal, ReadOnlySpan<ulong> words)
    {
        if (signal.IsKnown && words.SequenceEqual(signal.Last)) return;
        signal.IsKnown = true;
        words.CopyTo(signal.Last);
        if (_text.Length < signal.Width) _text = new char[signal.Width];
        for (var i = 0; i < signal.Width; i++)
            _text[signal.Width - 1 - i] = (char)('0' + (words[i / 64] >> i % 64 & 1));
        if (signal.Width > 1) _writer.Write('b');
        _writer.Write(_text.AsSpan(0, signal.Width));
        if (signal.Width > 1) _writer.Write(' ');
        _writer.Write(signal.Code);
        _writer.Write('\n');
    }

    /// <summary>
    /// A named signal with its parts, the lowest first; clock and reset have none and are 1 bit wide.
    /// </summary>
    private sealed class Signal(string code, IReadOnlyList<Value> parts)
    {
        public string Code { get; } = code;

        public IReadOnlyList<Value> Parts { get; } = parts;

        public int Width { get; } = Math.Max(1, parts.Sum(p => p.Width));

        /// <summary>The offset of its words in the simulator's memory.</summary>
        public int Slot { get; set; }

        /// <summary>The words that were written last, once <see cref="IsKnown"/>.</summary>
        public ulong[] Last { get; } = new ulong[Math.Max(1, (parts.Sum(p => p.Width) + 63) / 64)];

        public bool IsKnown { get; set; }
    }
}
