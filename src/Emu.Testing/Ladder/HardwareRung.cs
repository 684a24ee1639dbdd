using Emu.Compiler;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Simulation;

namespace Emu.Testing;

/// <summary>
/// The circuit, stepped cycle by cycle. It tells what happened in all, not event by event;
/// its state is read from its flops and RAMs.
/// </summary>
/// <param name="name">The name of the rung.</param>
/// <param name="layout">The layout; null for the fastest.</param>
/// <param name="busBits">Bits of <c>tdata</c>.</param>
/// <param name="source">The cycles in which the source pauses.</param>
/// <param name="sink">The cycles in which the sink does not take a beat.</param>
/// <param name="isOptional">True if a service that has no such layout is skipped.</param>
/// <param name="interval">The least cycles between two frames in a pipeline.</param>
/// <param name="isPatient">True to wait as long for what may still come as any frame takes.</param>
/// <param name="clockMHz">The clock that the logic of a cycle is budgeted for.</param>
/// <param name="engines">The engines to which frames are dealt, of a pipeline those of its slow path.</param>
internal class HardwareRung(
    string name, Layout? layout, int busBits = 256, StallPattern? source = null, StallPattern? sink = null,
    bool isOptional = false, int interval = 2, bool isPatient = false, int clockMHz = 200, int engines = 1) : Rung
{
    protected const long MaxCycles = 50_000_000;
    private const long MaxStall = 1_000_000;

    // A frame of 1514 bytes in a loop in a loop, or moved ten times by the engine, takes so long.
    protected const long PatientCycles = 100_000;

    // Most are done in tens of cycles.
    private const long HastyCycles = 1000;

    public override string Name => name;

    public override bool IsInAll => true;

    /// <inheritdoc/>
    public override Rung? Patient => isPatient
        ? null
        : new HardwareRung(
            name, layout, busBits, source, sink, isOptional, interval, isPatient: true, clockMHz, engines);

    /// <inheritdoc/>
    public override string? WhyNot(Subject subject)
    {
        if (!isOptional || layout != Layout.Pipeline) return null;
        var fastest = subject.Circuit(Options(subject), null);
        return fastest.Layout == layout
            ? null
            : string.Join(
                "; ", fastest.Bounds.Select(bound => $"{bound.What}{(bound.Location is { } at ? $" at {at}" : "")}"));
    }

    public override Outcome Run(Subject subject, IReadOnlyList<IncomingFrame> frames)
    {
        var compiled = Compile(subject);
        var simulator = subject.Simulator(compiled);
        using var bench = BenchOf(simulator, frames);
        bench.RunUntilIdle(MaxCycles);
        return OutcomeOf(subject, compiled, simulator, bench);
    }

    /// <summary>The service as a circuit.</summary>
    protected CompiledService Compile(Subject subject) => subject.Circuit(Options(subject), layout);

    /// <summary>A bench in which all frames wait.</summary>
    protected Bench BenchOf(Simulator simulator, IReadOnlyList<IncomingFrame> frames)
    {
        var bench = new Bench(simulator, source, sink)
        {
            QuietCycles = isPatient ? PatientCycles : HastyCycles,
            StallLimit = MaxStall,
        };
        var now = 0UL;
        foreach (var frame in frames)
        {
            now = Math.Max(now, frame.Time);
            bench.Send(frame.Bytes, new PortId(frame.Port), now);
        }
        return bench;
    }

    /// <summary>The outcome: the frames that came out, the faults that were counted, and the state.</summary>
    protected static Outcome OutcomeOf(
        Subject subject, CompiledService compiled, ManagedSimulator simulator, Bench bench)
    {
        var sent = bench.Received.Select(f => new SentFrame(f.Destinations, f.Bytes.ToArray(), f.User.Time));
        var faults = compiled.Circuit.Registers.Where(r => r.Name.StartsWith("fault_", StringComparison.Ordinal))
            .SelectMany(r =>
                Enumerable.Repeat(
                    Enum.Parse<FaultKind>(r.Name["fault_".Length..]),
                    (int)bench.Registers.Read(r.Address).Data));
        var places = compiled.Circuit.State.ToDictionary(p => p.Element.Name);
        // The state is that of all rungs: elements that a compilation
        // for a pipeline found out of reach have no place in its circuit.
        var state = subject.Compilation.State;
        var made = compiled.Compilation.State.Memories.ToDictionary(m => m.Name);
        return new Outcome([new EventOutcome([.. sent], [.. faults.Order()])], [
            .. state.Registers.Select(r =>
                (r.Name, new[] { Register(simulator, r, places.GetValueOrDefault(r.Name)) })),
            .. state.Memories.Select(m =>
                (m.Name, Enumerable.Range(0, m.Depth)
                .Select(i => Element(simulator, made.GetValueOrDefault(m.Name, m), i, places)).ToArray())),
        ]);
    }

    /// <summary>An element of an array, in a RAM or a register of its own.</summary>
    private static UInt128 Element(
        ManagedSimulator simulator, Memory memory, int index, Dictionary<string, StatePlace> places)
    {
        if (places.GetValueOrDefault(memory.Name) is InRam at) return simulator[at.Ram, index];
        if (memory.Banks is { } banks)
            return Element(simulator, banks[index % banks.Count], index / banks.Count, places);
        var register = memory.RegisterOf(index);
        return Register(simulator, register, places.GetValueOrDefault(register.Name));
    }

    /// <summary>The device, and how the circuit is to be made.</summary>
    protected virtual HardwareOptions Options(Subject subject) => new()
    {
        BusBits = busBits,
        Ports = subject.PortCount,
        Interval = interval,
        IsIntervalAsked = true,
        ClockMHz = clockMHz,
        Engines = engines,
    };

    private static UInt128 Register(ManagedSimulator simulator, Register register, StatePlace? place) => place switch
    {
        InFlop at => simulator[at.Flop],
        InBank at => (simulator[at.High, at.Index] << 32 | simulator[at.Low, at.Index])
            & Arithmetic.Mask(register.Width),
        _ => register.Reset,
    };
}
