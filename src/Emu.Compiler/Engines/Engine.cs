using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;

namespace Emu.Compiler.Engines;

/// <summary>
/// The layout that takes everything: a frame is received into RAM, states work on it there, then it is sent. A state
/// does all operations, of several blocks if they follow one another,
/// that fit into the depth budget and the memory ports.
/// </summary>
internal sealed class Engine
{
    /// <summary>
    /// Levels kept for what lies behind the values that a state computes: the choice of what flops and ports take, by
    /// the state. As many as are needed; a part is in a circuit with others, so it keeps enough at once.
    /// </summary>
    private const int LeastChoice = 1, MostChoice = 4;

    /// <summary>
    /// Of so many levels a cycle one may be kept: a slow clock has long states, behind which more is chosen.
    /// </summary>
    private const int LevelsOfChoice = 3;

    /// <summary>The names in an engine's Verilog, for people.</summary>
    public static IReadOnlyList<string> Names { get; } =
    [
        "Names      a register that keeps a value of the C# from state to state is r_<name in C#>_reg,",
        "           a state is state_<name in C#>_reg; values of one name stand side by side.",
        "           A wire has the name in C# of what it computes, or that of what it is for.",
    ];

    private readonly EngineDesign _design;
    private readonly EngineReceiver _receiver;
    private readonly EngineProgram _program;
    private readonly EngineTransmitter _transmitter;
    private readonly CoreUnits _cores;

    /// <summary>Makes it.</summary>
    /// <param name="design">Its memories and surroundings.</param>
    /// <param name="reset">
    /// The reset of the circuit that it is in; null if the engine resets the service itself.
    /// </param>
    private Engine(EngineDesign design, ServiceReset? reset)
    {
        _design = design;
        _receiver = new EngineReceiver(design);
        var checksums = new ChecksumUnit(design);
        _cores = new CoreUnits(design);
        _program = new EngineProgram(design, _receiver, checksums, _cores);
        checksums.Build();
        _cores.Build();
        _transmitter = new EngineTransmitter(design, _program, reset);
        design.Frame.Build();
    }

    /// <summary>Makes the circuit of a service: an engine, or several.</summary>
    /// <param name="compilation">The service, through the passes.</param>
    /// <param name="options">The device, and the number of engines.</param>
    /// <param name="service">The service's class.</param>
    public static Circuit Build(Compilation compilation, HardwareOptions options, string service)
    {
        var (one, limits) = Fit(compilation, options, service);
        return options.Engines == 1 ? one : EngineGroup.Build(compilation, options, service, limits);
    }

    /// <summary>An engine whose states do as much as its paths have time for; and how much that is.</summary>
    private static (Circuit Circuit, StateLimits Limits) Fit(
        Compilation compilation, HardwareOptions options, string service)
    {
        var limits = new StateLimits(LeastChoice, WritesWhatIsRead: true);
        var best = Try(compilation, options, service, limits);
        var most = Math.Max(MostChoice, options.Levels / LevelsOfChoice);
        while (best.Timing.Longest > options.Levels)
        {
            if (limits.WritesWhatIsRead && FrameMemory.IsIn(best.Timing.LongestEnd.Section))
                limits = limits with { WritesWhatIsRead = false };
            else if (limits.ChoiceLevels < most)
            {
                var over = (int)Math.Round(best.Timing.Longest - options.Levels);
                limits = limits with { ChoiceLevels = Math.Min(most, limits.ChoiceLevels + Math.Max(1, over)) };
            }
            else break;
            var other = Try(compilation, options, service, limits);
            if (other.Timing.Longest < best.Timing.Longest) best = other;
        }
        return (Made(best, options), best.Limits);
    }

    /// <summary>
    /// Makes an engine that is part of another circuit, of whose state it reads and writes its share; both count the
    /// same counters.
    /// </summary>
    /// <param name="netlist">The circuit.</param>
    /// <param name="compilation">The service.</param>
    /// <param name="options">The device.</param>
    /// <param name="control">The registers of the other circuit.
    /// Their reset and pauses do not apply: the other circuit is idle then.</param>
    /// <param name="part">
    /// The other circuit, and the frames that come from it; <see cref="BeatStream.Ready"/> is set here.
    /// </param>
    public static Engine Part(
        Netlist netlist,
        Compilation compilation,
        HardwareOptions options,
        ControlRegisters control,
        EnginePart part)
    {
        var narrow = options with { BusBits = EngineDesign.PartBits };
        part = part with { Frames = WidthConverter.Narrow(netlist, part.Frames, narrow.Lanes) };
        var engine = new Engine(
            new EngineDesign(
                netlist, compilation, compilation.SlowPath, narrow, control, part, null,
                new StateLimits(MostChoice, WritesWhatIsRead: true)),
            reset: null);
        engine._program.ConnectReads();
        engine.ConnectSharedRegisters();
        engine._cores.ClearBy(part.Clears);
        return engine;
    }

    /// <summary>Makes an engine that is one of several.</summary>
    /// <param name="design">Its memories, and its place among the others.</param>
    /// <param name="reset">The reset of all of them.</param>
    /// <param name="control">The registers of the circuit.</param>
    public static Engine Member(EngineDesign design, ServiceReset reset, ControlRegisters control)
    {
        var engine = new Engine(design, reset);
        if (design.Member!.IsShown) engine.ShowTables(control);
        engine._program.ConnectReads();
        engine.ConnectState();
        return engine;
    }

    /// <summary>
    /// Makes one of several engines of a pipeline's slow path, which share nothing with it, nor with one another, but
    /// the counters.
    /// </summary>
    /// <param name="netlist">The circuit.</param>
    /// <param name="compilation">The service.</param>
    /// <param name="options">The device.</param>
    /// <param name="control">The registers of the circuit.</param>
    /// <param name="frames">The frames that come to it.</param>
    /// <param name="reset">The reset of all of them.</param>
    public static Engine SlowMember(
        Netlist netlist, Compilation compilation, HardwareOptions options, ControlRegisters control,
        BeatStream frames, ServiceReset reset)
    {
        var narrow = options with { BusBits = EngineDesign.PartBits };
        var member = new EngineMember(
            WidthConverter.Narrow(netlist, frames, narrow.Lanes),
            netlist.AddFlop("is_over", 1, 0, "the event is over, and waits until all that left is gathered"),
            IsShown: false, IsSlow: true);
        return Member(
            new EngineDesign(
                netlist, compilation, compilation.SlowPath, narrow, control, null, member,
                new StateLimits(MostChoice, WritesWhatIsRead: true)),
            reset, control);
    }

    /// <summary>The frames that leave an engine inside a circuit.</summary>
    public BeatStream Sent =>
        _transmitter.Sent ?? throw new InvalidOperationException("an engine that is alone sends by pins");

    /// <summary>The states of the program as steps.</summary>
    public IReadOnlyList<CircuitStep> Steps(StaticTiming timing) => _program.Steps(timing);

    /// <summary>1 when an event is over.</summary>
    public Value Finished => _transmitter.Finished;

    /// <summary>A part's signals to what leads frames into it.</summary>
    public SlowPathSignals Signals => new(
        Sent, Finished, _transmitter.Wait,
        _design.Member is { } member ? new SlowPathPlace(member.IsOver, member.Frames.Ready) : null);

    /// <summary>1 when a frame has come.</summary>
    public Value FramesIn => _receiver.FramesIn;

    /// <summary>Makes the events that the circuit around it counts, a cycle later.</summary>
    public EngineEvents MakeEvents() => Events().Select(Event);

    private static Attempt Try(Compilation compilation, HardwareOptions options, string service, StateLimits limits)
    {
        var circuit = new Design(Netlist.SnakeCase(service)) { Description = Describe(compilation, options, service) };
        var netlist = new Netlist(circuit);
        var control = new ControlRegisters(netlist, circuit.Description[0]);
        var engine = new Engine(
            new EngineDesign(netlist, compilation, compilation.Functions, options, control, null, null, limits),
            reset: null);
        control.IsBetween = netlist.AddWire("between_events", netlist.ReduceOr(engine._receiver.BetweenEvents));
        engine.ShowTables(control);
        engine._program.ConnectReads();
        engine.ConnectState();
        engine.Show(control, engine.FramesIn, engine.Events(), engine._transmitter.Reset);
        return new Attempt(engine, control, new StaticTiming(circuit, options.Device), limits);
    }

    /// <summary>The circuit of an attempt, of which gates are made anew where paths are too long still.</summary>
    private static Circuit Made(Attempt attempt, HardwareOptions options)
    {
        var (engine, control) = (attempt.Engine, attempt.Control);
        var netlist = engine._design.Netlist;
        var timing = TimingCorrection.Run(netlist, options.Device, options.Levels);
        return new Circuit(
            netlist.Design, control.Entries, [.. engine._design.State.Places, .. control.Places], timing)
        {
            Steps = engine.Steps(timing),
        };
    }

    private static List<string> Describe(Compilation compilation, HardwareOptions options, string service) =>
    [
        service,
        $"Layout     engine: a frame at a time, received into RAM, worked on there, sent; {options.BusBits}-bit bus.",
        .. AxiStream.Interface,
        "Order      as if each frame was handled alone, in order of arrival.",
        .. compilation.Tick is null ? (string[])[] :
        [
            $"Ticks      every {compilation.TickInterval} ns from the time of the first beat after reset on; "
            + "those that are due by the time of a beat",
            "           run before it is taken. A beat without bytes carries time alone.",
        ],
        "Stalls     s_axis_tready and all m_axis outputs are registers.",
        .. Names,
    ];

    /// <summary>Tables are shown between two events.</summary>
    private void ShowTables(ControlRegisters control)
    {
        foreach (var memory in _design.State.Columns.SelectMany(c => c.Memories))
        {
            _program.ReadPort(memory);
            _program.AddRead(memory, control.ShowsTables, _design.State.Of(memory).Address(control.TableIndex));
        }
    }

    /// <summary>Connects the memories and registers that the program writes.</summary>
    private void ConnectState()
    {
        var (n, state, clears) = (_design.Netlist, _design.State, _transmitter.Reset.Clears);
        _cores.ClearBy(clears);
        foreach (var ports in state.Memories) ports.Build(clears, _transmitter.Reset.Index, _ => false);
        foreach (var (register, _) in _program.RegisterWrites) state.Of(register);
        foreach (var (register, flop) in state.Registers)
        {
            var writes = _program.RegisterWrites[register];
            var value = n.SelectOneHot(
                flop.Width, writes.Select(w => (w.Condition, n.Resize(w.Value, flop.Width))));
            var happens = n.ReduceOr(writes.Select(w => w.Condition));
            // An argument or a result is written before it is read, so it needs no reset. That of others is under no
            // enable: a flop of the devices is reset whatever its enable is.
            (flop.Next, flop.Enable) = register.IsTransient
                ? (value, happens)
                : (n.Select(
                    clears, new Constant(flop.Width, register.Reset), n.Select(happens, value, flop)), null);
        }
    }

    /// <summary>Connects the registers that the program writes beside another circuit.</summary>
    private void ConnectSharedRegisters()
    {
        var n = _design.Netlist;
        foreach (var (register, writes) in _program.RegisterWrites)
        {
            var flop = _design.State.Of(register);
            var happens = n.ReduceOr(writes.Select(w => w.Condition));
            var value = writes is [var only]
                ? n.Resize(only.Value, flop.Width)
                : n.SelectOneHot(flop.Width, writes.Select(w => (w.Condition, n.Resize(w.Value, flop.Width))));
            // Where the stages do not write it, the flop is enabled by what is written alone.
            (flop.Next, flop.Enable) = flop.Enable is { } others
                ? (n.Select(happens, value, flop.Next), n.Or(happens, others))
                : (value, happens);
        }
    }

    /// <summary>Connects what is seen from outside: what is counted, and the state.</summary>
    /// <param name="control">The registers of the circuit.</param>
    /// <param name="framesIn">The frames that come in a cycle.</param>
    /// <param name="events">The other events of a cycle.</param>
    /// <param name="reset">The reset of the circuit.</param>
    public void Show(ControlRegisters control, Value framesIn, EngineEvents events, ServiceReset reset)
    {
        control.ResetDone = reset.Cleared;
        void Add(string name, string meaning, Value counts) =>
            control.AddCounter(name, meaning, counts, width: counts.Width);
        Add("frames_in", "frames received", framesIn);
        Add("frames_out", "frames that left", events.FramesOut);
        Add(
            "drops", "frames that did not leave by their verdict: dropped, faulted, too long or too short",
            events.Drops);
        foreach (var (kind, raised) in events.Faults.OrderBy(f => f.Key))
            Add($"fault_{kind}", $"frames dropped by a fault: {kind}", raised);
        foreach (var (register, amount) in events.Counts.OrderBy(c => c.Key.Name, StringComparer.Ordinal))
            control.AddCounter(register, amount, amount.Width);
        control.AddState(_design.State, (ports, _) => _program.ReadPort(ports.Memory));
        control.Build(reset.Clears);
    }

    /// <summary>The events of a cycle.</summary>
    private EngineEvents Events() => new(
        _transmitter.FramesOut,
        _transmitter.Drops,
        _program.Faults.OrderBy(f => f.Key).ToDictionary(f => f.Key, f => _design.Netlist.ReduceOr(f.Value)),
        _program.Counts.ToDictionary(c => c.Key, c => Amount(c.Value)));

    private Flop Event(Value happens) => _design.Netlist.Registered("event", happens, 0);

    /// <summary>The amount added to a counter in a cycle: at one place at most.</summary>
    private Value Amount(List<(Value Condition, Value Addend)> places)
    {
        var width = places.Max(p => p.Addend.Width);
        return _design.Netlist.SelectOneHot(
            width, places.Select(p => (p.Condition, _design.Netlist.Resize(p.Addend, width))));
    }

    /// <summary>An engine that is alone, with states of some size.</summary>
    private sealed record Attempt(Engine Engine, ControlRegisters Control, StaticTiming Timing, StateLimits Limits);
}
