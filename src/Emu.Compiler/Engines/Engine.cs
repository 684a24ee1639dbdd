using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
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

    private readonly EngineDesign _design;
    private readonly EngineReceiver _receiver;
    private readonly EngineProgram _program;
    private readonly EngineTransmitter _transmitter;
    private readonly CoreUnits _cores;

    private Engine(EngineDesign design)
    {
        _design = design;
        _receiver = new EngineReceiver(design);
        var checksums = new ChecksumUnit(design);
        _cores = new CoreUnits(design);
        _program = new EngineProgram(design, _receiver, checksums, _cores);
        checksums.Build();
        _cores.Build();
        _transmitter = new EngineTransmitter(design, _program);
        design.Frame.Build();
    }

    /// <summary>Makes the circuit of a service.</summary>
    /// <param name="compilation">The service, through the passes.</param>
    /// <param name="options">The device.</param>
    /// <param name="service">The service's class.</param>
    public static Circuit Build(Compilation compilation, HardwareOptions options, string service)
    {
        var best = Build(compilation, options, service, LeastChoice);
        var most = Math.Max(MostChoice, options.Levels / LevelsOfChoice);
        for (var choice = LeastChoice; choice < most && best.Timing.Longest > options.Levels;)
        {
            var over = (int)Math.Round(best.Timing.Longest - options.Levels);
            choice = Math.Min(most, choice + Math.Max(1, over));
            var other = Build(compilation, options, service, choice);
            if (other.Timing.Longest < best.Timing.Longest) best = other;
        }
        return best;
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
            new EngineDesign(netlist, compilation, compilation.SlowPath, narrow, control, part, MostChoice));
        engine._program.ConnectReads();
        engine.ConnectSharedRegisters();
        engine._cores.ClearBy(part.Clears);
        return engine;
    }

    /// <summary>The frames that leave a part.</summary>
    private BeatStream Sent =>
        _transmitter.Sent ?? throw new InvalidOperationException("an engine that is no part sends by pins");

    /// <summary>A part's signals to what leads frames into it.</summary>
    public SlowPathSignals Signals => new(Sent, _transmitter.Finished, _transmitter.Wait);

    /// <summary>Makes the events that a part counts, a cycle later.</summary>
    public EngineEvents MakeEvents() => new(
        Event(_transmitter.FramesOut),
        Event(_transmitter.Drops),
        _program.Faults.OrderBy(f => f.Key)
            .ToDictionary(f => f.Key, f => (Value)Event(_design.Netlist.ReduceOr(f.Value))),
        _program.Counts.ToDictionary(c => c.Key, c => (Value)Event(Amount(c.Value))));

    private static Circuit Build(Compilation compilation, HardwareOptions options, string service, int choice)
    {
        var circuit = new Design(Netlist.SnakeCase(service)) { Description = Describe(compilation, options, service) };
        var netlist = new Netlist(circuit);
        var control = new ControlRegisters(netlist, circuit.Description[0]);
        var engine = new Engine(
            new EngineDesign(netlist, compilation, compilation.Functions, options, control, part: null, choice));
        engine.ShowTables(control);
        engine._program.ConnectReads();
        engine.ConnectState();
        engine.Count(control);
        var timing = new StaticTiming(circuit, options.Device);
        return new Circuit(circuit, control.Entries, [.. engine._design.State.Places, .. control.Places], timing)
        {
            Steps = engine._program.Steps(timing),
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
        "Names      a register that keeps a value of the C# from state to state is r_<name in C#>_reg,",
        "           a state is state_<name in C#>_reg; values of one name stand side by side.",
        "           A wire has the name in C# of what it computes, or that of what it is for.",
    ];

    /// <summary>Tables are shown between two events.</summary>
    private void ShowTables(ControlRegisters control)
    {
        control.IsBetween = _design.Netlist.AddWire(
            "between_events", _design.Netlist.ReduceOr(_receiver.BetweenEvents));
        foreach (var memory in _design.State.Columns.SelectMany(c => c.Memories))
        {
            _program.ReadPort(memory);
            _program.AddRead(memory, control.ShowsTables, _design.State.Of(memory).Address(control.TableIndex));
        }
    }

    /// <summary>Connects the memories and registers that the program writes.</summary>
    private void ConnectState()
    {
        var (n, state, clears) = (_design.Netlist, _design.State, _transmitter.Clears);
        _cores.ClearBy(clears);
        foreach (var ports in state.Memories) ports.Build(clears, _transmitter.ClearIndex, _ => false);
        foreach (var (register, _) in _program.RegisterWrites) state.Of(register);
        foreach (var (register, flop) in state.Registers)
        {
            var writes = _program.RegisterWrites[register];
            var value = n.SelectOneHot(
                flop.Width, writes.Select(w => (w.Condition, n.Resize(w.Value, flop.Width))));
            // An argument or a result is written before it is read, so it needs no reset.
            IEnumerable<Value> resets = register.IsTransient ? [] : [clears];
            flop.Next = register.IsTransient
                ? value
                : n.Select(clears, new Constant(flop.Width, register.Reset), value);
            flop.Enable = n.ReduceOr([.. resets, .. writes.Select(w => w.Condition)]);
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
            var value = n.SelectOneHot(
                flop.Width, writes.Select(w => (w.Condition, n.Resize(w.Value, flop.Width))));
            flop.Next = n.Select(happens, value, flop.Next);
            flop.Enable = n.Or(happens, flop.Enable ?? FoldingBuilder.Bit(false));
        }
    }

    private void Count(ControlRegisters control)
    {
        control.ResetDone = _transmitter.Cleared;
        control.AddCounter("frames_in", "frames received", _receiver.FramesIn);
        control.AddCounter("frames_out", "frames that left", _transmitter.FramesOut);
        control.AddCounter(
            "drops", "frames that did not leave by their verdict: dropped, faulted, too long or too short",
            _transmitter.Drops);
        foreach (var (kind, raised) in _program.Faults.OrderBy(f => f.Key))
            control.AddCounter(
                $"fault_{kind}", $"frames dropped by a fault: {kind}", _design.Netlist.ReduceOr(raised));
        foreach (var (register, places) in _program.Counts.OrderBy(c => c.Key.Name, StringComparer.Ordinal))
        {
            var amount = Amount(places);
            control.AddCounter(register, amount, amount.Width);
        }
        control.AddState(_design.State, (ports, _) => _program.ReadPort(ports.Memory));
        control.Build(_transmitter.Clears);
    }

    private Flop Event(Value happens) => _design.Netlist.Registered("event", happens, 0);

    /// <summary>The amount added to a counter in a cycle: at one place at most.</summary>
    private Value Amount(List<(Value Condition, Value Addend)> places)
    {
        var width = places.Max(p => p.Addend.Width);
        return _design.Netlist.SelectOneHot(
            width, places.Select(p => (p.Condition, _design.Netlist.Resize(p.Addend, width))));
    }
}
