using Emu.Compiler;
using Emu.Compiler.Layouts;
using Emu.Simulation;

namespace Emu.Testing;

/// <summary>
/// The Verilog of the circuit in a simulator of the field, which must show what the managed one shows after every edge.
/// </summary>
/// <param name="outside">The simulator.</param>
/// <param name="layout">The layout; null for the fastest.</param>
/// <param name="name">The name of the rung; that of the simulator when left out.</param>
/// <param name="busBits">Bits of <c>tdata</c>.</param>
/// <param name="interval">The least cycles between two frames in a pipeline.</param>
/// <param name="clockMHz">The clock that the logic of a cycle is budgeted for.</param>
/// <param name="engines">The engines to which frames are dealt in turn, where the layout is one of engines.</param>
/// <param name="isPatient">True to wait as long for what may still come as any frame takes.</param>
internal sealed class OutsideRung(
    OutsideSimulator outside, Layout? layout = null, string? name = null, int busBits = 256, int interval = 2,
    int clockMHz = 200, int engines = 1, bool isPatient = false)
    : HardwareRung(
        name ?? outside.Name,
        layout,
        busBits,
        StallPattern.Random(3, 0.3),
        StallPattern.Random(5, 0.4),
        interval: interval,
        isPatient: isPatient,
        clockMHz: clockMHz,
        engines: engines)
{
    private const int Batch = 20;

    // After the last frame the registers are looked at, not thousands of cycles in which nothing happens:
    // a cycle takes long outside.
    private const long Tail = 200;

    private readonly Dictionary<Subject, Simulator> _prepared = [];

    /// <inheritdoc/>
    public override Rung? Patient { get; } = isPatient
        ? null
        : new OutsideRung(outside, layout, name, busBits, interval, clockMHz, engines, isPatient: true);

    /// <inheritdoc/>
    public override void Prepare(IReadOnlyList<Subject> subjects)
    {
        // Those whose subject failed on a rung before this one.
        foreach (var simulator in _prepared.Values) simulator.Dispose();
        _prepared.Clear();
        foreach (var batch in subjects.Select(s => (Subject: s, Compiled: TryCompile(s)))
            .Where(p => p.Compiled is not null).Chunk(Batch))
        {
            var simulators = outside.Start([.. batch.Select(p => p.Compiled!.Circuit.Design)]);
            foreach (var (prepared, simulator) in batch.Zip(simulators)) _prepared[prepared.Subject] = simulator;
        }
    }

    /// <inheritdoc/>
    public override Outcome Run(Subject subject, IReadOnlyList<IncomingFrame> frames)
    {
        var compiled = Compile(subject);
        var managed = subject.Simulator(compiled);
        using var bench = BenchOf(managed, frames);
        bench.RunUntilIdle(MaxCycles);
        var cycles = bench.Simulator.Cycle - bench.QuietCycles + Tail;
        var outcome = OutcomeOf(subject, compiled, managed, bench);

        var simulator = _prepared.Remove(subject, out var prepared)
            ? prepared
            : outside.Start([compiled.Circuit.Design])[0];
        using var both = BenchOf(new LockstepSimulator(managed.Another(), simulator), frames);
        both.Run(cycles - both.Simulator.Cycle);
        // State is read when the last event is done.
        both.Registers.Limit = (int)PatientCycles;
        foreach (var register in compiled.Circuit.Registers) both.Registers.Read(register.Address);
        if (both.Received.Count == bench.Received.Count) return outcome;
        // The one alone was perhaps not waited for until the last had left.
        return Patient?.Run(subject, frames) ?? throw new InvalidOperationException(
            $"{bench.Received.Count} frames left the managed simulator alone, {both.Received.Count} in lockstep");
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
