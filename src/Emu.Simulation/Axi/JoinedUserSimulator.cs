using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation;

/// <summary>
/// A simulator of a design whose <c>tuser</c> are two ports of 64 bits, <c>tuser_low</c> and <c>tuser_high</c>, or
/// <c>tuser_hi</c>, as a program of the clock level has them, with one of 128 bits: what a <see cref="Bench"/> connects
/// to.
/// </summary>
public sealed class JoinedUserSimulator : Simulator
{
    private const string User = "_tuser", Low = "_low";
    private static readonly string[] s_high = ["_high", "_hi"];

    private readonly Simulator _inner;
    private readonly List<(ulong[] Given, ulong[] Taken, int From)> _inputs = [];
    private readonly List<(ulong[] Shown, ulong[] Given, int From)> _outputs = [];

    /// <summary>For a simulator at power-up; it is disposed of with this one.</summary>
    public JoinedUserSimulator(Simulator inner) : base(Joined(inner))
    {
        _inner = inner;
        foreach (var port in inner.Design.Inputs)
            _inputs.Add((Input(NameOf(port.Name)), inner.Input(port.Name), PlaceOf(port.Name)));
        foreach (var port in inner.Design.Outputs)
            _outputs.Add((Output(NameOf(port.Name)), inner.Output(port.Name), PlaceOf(port.Name)));
        Show();
    }

    /// <inheritdoc/>
    protected override void Edge()
    {
        _inner.IsInReset = IsInReset;
        foreach (var (given, taken, from) in _inputs) given.AsSpan(from, taken.Length).CopyTo(taken);
        _inner.Step();
        Printed = _inner.Printed;
        Show();
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing) _inner.Dispose();
        base.Dispose(disposing);
    }

    private static string NameOf(string port) =>
        s_high.Append(Low).FirstOrDefault(end => port.EndsWith(User + end, StringComparison.Ordinal)) is { } end
            ? port[..^end.Length]
            : port;

    private static int PlaceOf(string port) =>
        Array.Exists(s_high, end => port.EndsWith(User + end, StringComparison.Ordinal)) ? 1 : 0;

    /// <summary>A design that has the joined ports, and nothing else.</summary>
    private static Design Joined(Simulator inner)
    {
        ArgumentNullException.ThrowIfNull(inner);
        var design = new Design(inner.Design.Name) { Clock = inner.Design.Clock };
        design.Inputs.AddRange(inner.Design.Inputs.GroupBy(port => NameOf(port.Name))
            .Select(ports => new InputPort(ports.Key, ports.Sum(port => port.Width))));
        design.Outputs.AddRange(inner.Design.Outputs.GroupBy(port => NameOf(port.Name))
            .Select(ports => new OutputPort(
                ports.Key, [.. ports.Select(port => new Constant(port.Width, 0))])));
        return design;
    }

    private void Show()
    {
        foreach (var (shown, given, from) in _outputs) given.CopyTo(shown, from);
    }
}
