using Emu.Compiler.Layouts;
using Emu.Simulation;

namespace Emu.Fuzz;

/// <summary>
/// A circuit for campaigns: compiled once for all rungs that have the same one, and not watched for long when it is
/// done. If it then differs, <see cref="HardwareRung"/> must say so too.
/// </summary>
/// <param name="name">The name of the rung.</param>
/// <param name="layout">The layout; null for the fastest.</param>
/// <param name="source">The cycles in which the source pauses.</param>
/// <param name="sink">The cycles in which the sink does not take a beat.</param>
internal sealed class CircuitRung(string name, Layout? layout, StallPattern? source = null, StallPattern? sink = null)
    : HardwareRung(name, layout, source: source, sink: sink)
{
    private readonly Layout? _layout = layout;

    /// <summary>None: a program that differs goes to the judges of the campaign.</summary>
    public override Rung? Patient => null;

    /// <summary>Skips the engine if it is the fastest layout: that was run already.</summary>
    public override string? WhyNot(Subject subject) =>
        base.WhyNot(subject)
        ?? (_layout is null || FastestCircuit.Of(subject).Layout != _layout ? null : "it is the fastest layout");

    public override Outcome Run(Subject subject, IReadOnlyList<IncomingFrame> frames)
    {
        var compiled = _layout is null ? FastestCircuit.Of(subject) : Compile(subject);
        var simulator = subject.Simulator(compiled);
        using var bench = BenchOf(simulator, frames);
        bench.RunUntilIdle(MaxCycles);
        return OutcomeOf(subject, compiled, simulator, bench);
    }
}
