using Emu.Compiler;
using Emu.Simulation;

namespace Emu.Fuzz;

/// <summary>The Verilog of the circuit in a simulator of the field, which must show what the managed one shows after every edge.</summary>
/// <param name="outside">The simulator.</param>
/// <param name="layout">The layout; null for the fastest.</param>
internal sealed class OutsideRung(OutsideSimulator outside, Layout? layout = null)
    : HardwareRung(outside.Name, layout, source: StallPattern.Random(3, 0.3), sink: StallPattern.Random(5, 0.4))
{
    private const int Batch = 20;

    // After the last frame the registers are looked at, not thousands of cycles in which nothing happens: a cycle takes long outside.
    private const long Tail = 200;

    private readonly Dictionary<Subject, (CompiledService Compiled, Simulator Simulator)> _prepared = [];

    /// <inheritdoc/>
    public override void Prepare(IReadOnlyList<Subject> subjects)
    {
        // Those whose subject failed on a rung before this one.
        foreach (var (_, simulator) in _prepared.Values) simulator.Dispose();
        _prepared.Clear();
        foreach (var batch in subjects.Select(s => (Subject: s, Compiled: TryCompile(s))).Where(p => p.Compiled is not null).Chunk(Batch))
        {
            var simulators = outside.Start([.. batch.Select(p => p.Compiled!.Circuit.Design)]);
            foreach (var (prepared, simulator) in batch.Zip(simulators)) _prepared[prepared.Subject] = (prepared.Compiled!, simulator);
        }
    }

    /// <inheritdoc/>
    public override Outcome Run(Subject subject, IReadOnlyList<ReceivedFrame> frames)
    {
        var (compiled, simulator) = Prepared(subject);
        var managed = new ManagedSimulator(compiled.Circuit.Design);
        using var bench = BenchOf(managed, frames);
        bench.RunUntilIdle(MaxCycles);
        var cycles = bench.Simulator.Cycle - QuietCycles + Tail;
        var outcome = OutcomeOf(compiled, managed, bench);

        using var both = BenchOf(new LockstepSimulator(managed.Another(), simulator), frames);
        both.Run(cycles - both.Simulator.Cycle);
        // State is read when the last event is done.
        both.Registers.Limit = (int)QuietCycles;
        foreach (var register in compiled.Circuit.Registers) both.Registers.Read(register.Address);
        return both.Received.Count == bench.Received.Count
            ? outcome
            : throw new InvalidOperationException($"{bench.Received.Count} frames left the managed simulator alone, {both.Received.Count} in lockstep");
    }

    private (CompiledService Compiled, Simulator Simulator) Prepared(Subject subject)
    {
        if (_prepared.Remove(subject, out var prepared)) return prepared;
        var compiled = Compile(subject);
        return (compiled, outside.Start([compiled.Circuit.Design])[0]);
    }

    /// <summary>Null when it does not compile, which <see cref="Run"/> then says.</summary>
    private CompiledService? TryCompile(Subject subject)
    {
        try
        {
            return Compile(subject);
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            return null;
        }
    }
}
