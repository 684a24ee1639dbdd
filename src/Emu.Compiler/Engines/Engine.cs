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
internal sealed partial class Engine
{
    /// <summary>
    /// Levels kept for what lies behind the values that a state computes: the choice of what flops and ports take, by
    /// the state. As many as are needed; a part is in a circuit with others, so it keeps enough at once.
    /// </summary>
    private const int LeastChoice = 1, MostChoice = 4;

    /// <summary>Levels from the condition of an end of the program to the next frame's reception.</summary>
    private const int EndLevels = 5;

    private const int LeastLevels = 3;

    /// <summary>
    /// The width of a part's beats: it has time, and the bytes of a beat are what its frame memory costs.
    /// </summary>
    private const int PartBits = 64;

    /// <summary>The bytes of a part's frame that can be read at once if they are at constant offsets.</summary>
    private const int PartHeader = 64;

    private readonly Netlist _n;
    private readonly Compilation _compilation;
    private readonly HardwareOptions _options;
    private readonly ControlRegisters _control;
    private readonly Delays _delays;
    private readonly FrameMemory _frame;
    private readonly ServiceState _state;

    /// <summary>The depth that the logic of a state may have, in the unit of <see cref="Delays"/>.</summary>
    private int Budget => Delays.Level * Math.Max(LeastLevels, _options.Levels - _choice);

    /// <summary>The latest level at which an end of the program may be known, in the same unit.</summary>
    private int LatestEnd => Delays.Level * Math.Max(LeastLevels, _options.Levels - _choice - EndLevels);

    private readonly IReadOnlyList<Function> _functions;
    private readonly BeatStream? _part;
    private readonly int _choice;

    private Engine(
        Netlist netlist,
        Compilation compilation,
        IReadOnlyList<Function> functions,
        HardwareOptions options,
        ControlRegisters control,
        ServiceState? state,
        BeatStream? part,
        int choice)
    {
        (_n, _compilation, _functions, _options, _control, _part, _choice) =
            (netlist, compilation, functions, options, control, part, choice);
        _delays = new Delays(options.Device);
        foreach (var function in functions) FrameAccess.Run(function, options.Lanes);
        _frame = new FrameMemory(
            _n,
            _delays,
            options.Lanes,
            Rows,
            part is null ? 2 * options.Lanes : PartHeader,
            isRegistered: part is not null);
        _state = state ?? new ServiceState(_n, compilation, functions);
        if (part is null) _control.Show(_state);
        _crossingSection = new Section("states of the program");
    }

    /// <summary>Makes the circuit of a service.</summary>
    /// <param name="compilation">The service, through the passes.</param>
    /// <param name="options">The device.</param>
    /// <param name="service">The service's class.</param>
    public static Circuit Build(Compilation compilation, HardwareOptions options, string service)
    {
        var best = Build(compilation, options, service, LeastChoice);
        for (var choice = LeastChoice; choice < MostChoice && best.Timing.Longest > options.Levels;)
        {
            choice = Math.Min(MostChoice, choice + (int)Math.Ceiling(best.Timing.Longest - options.Levels));
            var other = Build(compilation, options, service, choice);
            if (other.Timing.Longest < best.Timing.Longest) best = other;
        }
        return best;
    }

    private static Circuit Build(Compilation compilation, HardwareOptions options, string service, int choice)
    {
        var design = new Design(Netlist.SnakeCase(service))
        {
            Description =
            [
                service,
                "Layout     engine: a frame at a time, received into RAM, worked on there, sent; "
                + $"{options.BusBits}-bit bus.",
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
            ],
        };
        var netlist = new Netlist(design);
        var control = new ControlRegisters(netlist, design.Description[0]);
        var engine = new Engine(
            netlist, compilation, compilation.Functions, options, control, state: null, part: null, choice);
        engine.Build();
        engine.Control();
        var timing = new StaticTiming(design, options.Device);
        return new Circuit(
            design, engine._control.Entries, [.. engine._state.Places, .. engine._control.Places], timing)
        {
            Steps = engine.Steps(timing),
        };
    }

    /// <summary>
    /// Makes an engine that is part of another circuit: of the state it reads what nothing writes, and both count the
    /// same counters.
    /// </summary>
    /// <param name="netlist">The circuit.</param>
    /// <param name="compilation">The service.</param>
    /// <param name="function">The function that handles a frame.</param>
    /// <param name="options">The device.</param>
    /// <param name="control">The registers of the other circuit.
    /// Their reset and pauses do not apply: the other circuit is idle then.</param>
    /// <param name="state">The state of the other circuit.</param>
    /// <param name="frames">The frames that come to it; <see cref="BeatStream.Ready"/> is set here.</param>
    public static Engine Part(
        Netlist netlist,
        Compilation compilation,
        Function function,
        HardwareOptions options,
        ControlRegisters control,
        ServiceState state,
        BeatStream frames)
    {
        var narrow = options with { BusBits = PartBits };
        var beats = WidthConverter.Narrow(netlist, frames, narrow.Lanes);
        var engine = new Engine(netlist, compilation, [function], narrow, control, state, beats, MostChoice);
        engine.Build();
        return engine;
    }

    /// <summary>The frames that leave a part.</summary>
    public BeatStream Sent { get; private set; } = null!;

    /// <summary>1 when a part is done with a frame.</summary>
    public Value Finished { get; private set; } = null!;

    /// <summary>Makes the events that a part counts, a cycle later.</summary>
    public EngineEvents MakeEvents() =>
        new(Event(_framesOut), Event(_drops),
        _faults.ToDictionary(f => f.Key, f => (Value)Event(_n.ReduceOr(f.Value))),
        _counts.ToDictionary(c => c.Key, c => (Value)Event(Amount(c.Value))));

    private Flop Event(Value happens) => _n.Registered("event", happens, 0);

    /// <summary>The amount added to a counter in a cycle: at one place at most.</summary>
    private Value Amount(List<(Value Condition, Value Addend)> places)
    {
        var width = places.Max(p => p.Addend.Width);
        return _n.SelectOneHot(width, places.Select(p => (p.Condition, _n.Resize(p.Addend, width))));
    }

    private void Build()
    {
        Receive();
        _n.Design.Sections.Add(_crossingSection);
        Program();
        BuildSum();
        Transmit();
        Finish();
    }

    private Value InputOf(FrameInput input) => input switch
    {
        FrameInput.Length => _n.Resize(_length, 32),
        FrameInput.Ingress => _n.Resize(AxiStream.PortIndex(_n, _n.Extract(_user, AxiStream.SourceLow, 8)), 8),
        _ => _n.Extract(_user, AxiStream.TimeLow, 64),
    };

    /// <summary>
    /// Connects the parts that are known only when all states are: the ports of RAMs and the registers' next values.
    /// </summary>
    private void Finish()
    {
        _frame.Build();
        if (_part is null) ShowTables();
        foreach (var (memory, read) in _readPorts)
        {
            var reads = _memoryReads[memory];
            read.Address = _n.SelectOneHot(read.Ram.AddressWidth, reads);
            if (read.IsRegistered) read.Enable = _n.ReduceOr(reads.Select(r => r.Condition));
        }
        if (_part is null) BuildState();
    }

    /// <summary>Tables are shown between two events.</summary>
    private void ShowTables()
    {
        _control.IsBetween = _n.AddWire("between_events", _n.ReduceOr(_betweenEvents));
        foreach (var memory in _state.Columns.SelectMany(c => c.Memories))
        {
            ReadPort(memory);
            _memoryReads[memory].Add((_control.ShowsTables, _state.Of(memory).Address(_control.TableIndex)));
        }
    }

    /// <summary>Connects the memories and registers that the program writes.</summary>
    private void BuildState()
    {
        foreach (var ports in _state.Memories) ports.Build(_clear, _clearIndex, _ => false);
        foreach (var register in _registerWrites.Keys) _state.Of(register);
        foreach (var (register, flop) in _state.Registers)
        {
            var writes = _registerWrites.GetValueOrDefault(register) ?? [];
            var value = _n.SelectOneHot(flop.Width, writes.Select(w => (w.Condition, _n.Resize(w.Value, flop.Width))));
            flop.Next = _n.Select(_clear, new Constant(flop.Width, register.Reset), value);
            flop.Enable = _n.ReduceOr([_clear, .. writes.Select(w => w.Condition)]);
        }
    }

    private void Control()
    {
        _control.AddCounter("frames_in", "frames received", _framesIn);
        _control.AddCounter("frames_out", "frames that left", _framesOut);
        _control.AddCounter(
            "drops", "frames that did not leave by their verdict: dropped, faulted, too long or too short", _drops);
        foreach (var (kind, raised) in _faults)
            _control.AddCounter($"fault_{kind}", $"frames dropped by a fault: {kind}", _n.ReduceOr(raised));
        foreach (var (register, places) in _counts.OrderBy(c => c.Key.Name, StringComparer.Ordinal))
        {
            var amount = Amount(places);
            _control.AddCounter(register, amount, amount.Width);
        }
        _control.AddState(_state, (ports, _) => _readPorts[ports.Memory]);
        _control.Build(_clear);
    }
}
