using System.Text;
using Emu.Compiler;

namespace Emu.Simulation;

/// <summary>Writes a value change dump (IEEE 1364-2005 §18): one flat scope, a comment before what has one.</summary>
internal sealed class VcdWriter
{
    private const int NanosecondsPerCycle = 10;

    private readonly TextWriter _writer;
    private readonly Evaluation _evaluation;
    private readonly List<Signal> _signals = [];

    public VcdWriter(Design design, TextWriter writer)
    {
        _writer = writer;
        // An input has no value of its own, only bits: look at its words.
        var inputs = design.Inputs.ToDictionary(p => p, p => Parts(p.Width).Select(part => (Value)new InputBits(p, part.Low, part.Width)).ToList());
        var items = design.Sections.SelectMany(s => s.Items).OfType<Value>().ToList();
        _evaluation = new Evaluation([.. inputs.Values.SelectMany(v => v), .. design.Outputs.SelectMany(o => o.Parts), .. items]);

        writer.Write($"$timescale 1ns $end\n$scope module {design.Name} $end\n");
        Declare("wire", "axis_aclk", null, []);
        Declare("wire", "axis_resetn", null, []);
        foreach (var port in design.Inputs) Declare("wire", port.Name, null, inputs[port]);
        foreach (var port in design.Outputs) Declare("wire", port.Name, null, port.Parts);
        foreach (var section in design.Sections)
        {
            writer.Write($"$comment {Line(section.Title)} $end\n");
            foreach (var item in section.Items.Where(i => i is Value)) Declare(item is Wire ? "wire" : "reg", item.Name, item.Comment, [(Value)item]);
        }
        writer.Write("$upscope $end\n$enddefinitions $end\n");
    }

    /// <summary>Writes what has changed in the cycle before the next edge.</summary>
    public void Write(ManagedSimulator simulator)
    {
        _evaluation.Run(simulator);
        // Simulated edges are at the multiples of a cycle; the first cycle begins without one.
        var time = simulator.Cycle * NanosecondsPerCycle;
        _writer.Write($"#{time}\n");
        Put(_signals[0], simulator.Cycle > 0 ? "1" : "0");
        Put(_signals[1], simulator.IsInReset ? "0" : "1");
        foreach (var signal in _signals.Skip(2)) Put(signal, Bits(signal));
        _writer.Write($"#{time + NanosecondsPerCycle / 2}\n");
        Put(_signals[0], "0");
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

    private void Declare(string kind, string name, string? comment, IReadOnlyList<Value> parts)
    {
        var signal = new Signal(Code(_signals.Count), parts);
        _signals.Add(signal);
        if (comment is not null) _writer.Write($"$comment {Line(comment)} $end\n");
        var width = parts.Count == 0 ? 1 : parts.Sum(p => p.Width);
        _writer.Write($"$var {kind} {width} {signal.Code} {name}{(width > 1 ? $" [{width - 1}:0]" : "")} $end\n");
    }

    private string Bits(Signal signal)
    {
        var bits = new StringBuilder();
        foreach (var part in signal.Parts.Reverse())
            for (var i = part.Width - 1; i >= 0; i--) bits.Append((_evaluation[part] >> i & 1) != 0 ? '1' : '0');
        return bits.ToString();
    }

    private void Put(Signal signal, string bits)
    {
        if (signal.Last == bits) return;
        signal.Last = bits;
        _writer.Write(bits.Length == 1 ? $"{bits}{signal.Code}\n" : $"b{bits} {signal.Code}\n");
    }

    private sealed class Signal(string code, IReadOnlyList<Value> parts)
    {
        public string Code { get; } = code;

        public IReadOnlyList<Value> Parts { get; } = parts;

        public string? Last { get; set; }
    }
}
