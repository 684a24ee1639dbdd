using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;

namespace Emu.Compiler.Engines;

/// <summary>The states of the program: from the entry on, each finds those that it goes on to.</summary>
internal sealed class EngineProgram
{
    private const string Title = "states of the program";

    private readonly EngineDesign _design;
    private readonly Netlist _n;
    private readonly Section _section = new(Title);
    private readonly Dictionary<(Block Block, int Index, int Words), EngineState> _states = [];
    private readonly Queue<EngineState> _waiting = new();
    private readonly Dictionary<Value, Flop> _kept = new(ReferenceEqualityComparer.Instance);
    private readonly KeyedLists<Value, (Value Condition, Value Value)> _definitions = new();
    private readonly KeyedLists<Memory, (Value Condition, Value Address)> _memoryReads = new();
    private readonly Dictionary<Memory, RamRead> _readPorts = [];
    private readonly List<(Value Condition, EngineState State)> _transitions = [];
    private readonly Dictionary<Block, int> _order;
    private readonly HashSet<Block> _headers;
    private readonly Dictionary<Operation, Flop> _products = new(ReferenceEqualityComparer.Instance);
    private Flop? _isHeld;

    /// <summary>Makes the states.</summary>
    public EngineProgram(EngineDesign design, EngineReceiver receiver, ChecksumUnit checksums, CoreUnits cores)
    {
        (_design, _n, Receiver, Checksums, Cores) = (design, design.Netlist, receiver, checksums, cores);
        _n.Design.Sections.Add(_section);
        _order = design.Functions.SelectMany(f => f.Blocks())
            .Select((block, i) => (block, i)).ToDictionary(e => e.block, e => e.i);
        (Calls, CountAccesses) = (new EngineCalls(design, this), new CountAccesses(design, this));
        _headers = [.. design.Functions.SelectMany(Loop.All).Select(loop => loop.Header)];
        _n.Begin(Title);
        AddTransition(_n.And(receiver.Admitted, design.IsOutermost), StateAt(design.Functions[0].Entry, 0));
        if (receiver.Ticks is not null)
            AddTransition(receiver.TickAdmitted, StateAt(design.Compilation.Tick!.Entry, 0));
        if (design.IsInterrupted is { } isInterrupted)
            AddTransition(
                _n.And(receiver.Admitted, isInterrupted), StateAt(design.Compilation.Interrupt!.Entry, 0));
        while (_waiting.TryDequeue(out var state)) new EngineRegion(design, this, state).Build();
        Calls.Build();
        CountAccesses.Build();

        foreach (var (value, flop) in _kept)
        {
            var definitions = _definitions[value];
            flop.Next = definitions is [var only] ? only.Value : _n.SelectOneHot(flop.Width, definitions);
            flop.Enable = _n.ReduceOr(definitions.Select(d => d.Condition));
        }
        _n.Location = null;
        foreach (var state in _states.Values)
            state.Active.Next = _n.ReduceOr(_transitions.Where(t => t.State == state).Select(t => t.Condition));
    }

    /// <summary>The part that takes the frame.</summary>
    public EngineReceiver Receiver { get; }

    /// <summary>The part that takes checksums over it.</summary>
    public ChecksumUnit Checksums { get; }

    /// <summary>The cores that it calls.</summary>
    public CoreUnits Cores { get; }

    /// <summary>The counts that it asks for.</summary>
    public CountAccesses CountAccesses { get; }

    /// <summary>The ends with a verdict.</summary>
    public List<(Value Condition, Value Length, Value Egress)> Returned { get; } = [];

    /// <summary>The copies that are sent, each with the state in which the program goes on.</summary>
    public List<(Value Condition, Value Length, Value Egress, EngineState Next)> Sends { get; } = [];

    /// <summary>
    /// The places where an event waits for a frame, each with the state in which the program goes on.
    /// </summary>
    public List<(Value Condition, EngineState Next)> Waits { get; } = [];

    /// <summary>The frames that are held, each with the state in which the program goes on.</summary>
    public List<(Value Condition, Value Length, EngineState Next)> Holds { get; } = [];

    /// <summary>The calls of procedures.</summary>
    public EngineCalls Calls { get; }

    /// <summary>True if there was room for the frame that was to be held last.</summary>
    public Flop IsHeld => _isHeld ??= _n.AddFlop("is_held", 1, 0, "there was room for the frame to be held");

    /// <summary>The writes of registers, one a state.</summary>
    public KeyedLists<Register, (Value Condition, Value Value)> RegisterWrites { get; } = new();

    /// <summary>The ends with a fault.</summary>
    public KeyedLists<FaultKind, Value> Faults { get; } = new();

    /// <summary>The amounts that are added to counters.</summary>
    public KeyedLists<Register, (Value Condition, Value Addend)> Counts { get; } = new();

    /// <summary>True if a part of a circuit is an engine's program.</summary>
    public static bool IsIn(Section section) => section.Title == Title;

    /// <summary>Counts all that is made from here on as part of the program.</summary>
    public void Continue() => _n.Continue(_section);

    /// <summary>The place of a block in the order of the program.</summary>
    public int OrderOf(Block block) => _order[block];

    /// <summary>
    /// True if a state begins at a block: a loop's header, or one that is reached from several states.
    /// </summary>
    public bool BeginsState(Block block) => _headers.Contains(block) || _states.ContainsKey((block, 0, 0));

    /// <summary>The state that begins at an operation, made when it is asked for first.</summary>
    public EngineState StateAt(Block block, int index, int words = 0)
    {
        var key = (block, index, words);
        if (_states.TryGetValue(key, out var known)) return known;
        var location = index < block.Operations.Count ? block.Operations[index].Location : null;
        Continue();
        var name = location?.Name is { } line ? $"state_{Netlist.SnakeCase(line)}" : "state";
        var state = new EngineState(block, index, words, _n.AddFlop(name, 1, 0, location?.Own.Here));
        _states[key] = state;
        _waiting.Enqueue(state);
        return state;
    }

    /// <summary>Goes on with a state under a condition.</summary>
    public void AddTransition(Value condition, EngineState state) => _transitions.Add((condition, state));

    /// <summary>The flop of a value that is used in another state than the one that computes it.</summary>
    public Flop Kept(Value value)
    {
        if (_kept.TryGetValue(value, out var known)) return known;
        Continue();
        _n.Location = (value as Operation)?.Location;
        return _kept[value] = _n.AddPart($"r_{_n.NameOf(value).Name}", 0, value.Width);
    }

    /// <summary>Says what a value is in a state, under a condition.</summary>
    public void Define(Value value, Value condition, Value computed) =>
        _definitions.Add(value, (condition, computed));

    /// <summary>
    /// Puts the product of an operation into two rows of flops, which are those of a multiplier block.
    /// </summary>
    public void Multiply(Operation operation, Value product)
    {
        Continue();
        _n.Location = operation.Location;
        _products[operation] = _n.Registered("product", _n.Registered("product_begun", product));
    }

    /// <summary>The product of an operation, behind these.</summary>
    public Flop ProductOf(Operation operation) => _products[operation];

    /// <summary>Reads a memory at an address while a bit is 1.</summary>
    public void AddRead(Memory memory, Value condition, Value address) =>
        _memoryReads.Add(memory, (condition, address));

    /// <summary>The one read port of a memory.</summary>
    public RamRead ReadPort(Memory memory)
    {
        if (_readPorts.TryGetValue(memory, out var known)) return known;
        var ports = _design.State.Of(memory);
        Continue();
        var read = _n.AddRead(
            $"{ports.Ram.Name}_read", ports.Ram, FoldingBuilder.Zero(ports.Ram.AddressWidth), ports.IsRegistered);
        _design.Delays.Set(
            read, ports.IsRegistered ? Delays.Level : FrameMemory.OffsetArrival + 3 * Delays.Level);
        return _readPorts[memory] = read;
    }

    /// <summary>Connects the read ports, when all reads are known.</summary>
    public void ConnectReads()
    {
        foreach (var (memory, read) in _readPorts)
        {
            var reads = _memoryReads[memory];
            read.Address = _n.SelectOneHot(read.Ram.AddressWidth, reads);
            if (read.IsRegistered) read.Enable = _n.ReduceOr(reads.Select(r => r.Condition));
        }
    }

    /// <summary>The states as steps, in the order of the program.</summary>
    public IReadOnlyList<CircuitStep> Steps(StaticTiming timing)
    {
        var states = _states.Values.OrderBy(s => _order[s.Block]).ThenBy(s => s.Index).ThenBy(s => s.Words).ToList();
        return [.. states.Select(state => new CircuitStep(
            state.Active.Name[..^"_reg".Length],
            state.Done,
            [.. state.Done.SelectMany(o =>
                o.State.Select(element => new StateAccess(element, o.IsEffect, o.Location)))],
            [.. state.Next.Select(next => states.IndexOf(next)).Order()],
            state.Values.Select(timing.LevelsOf).Append(0).Max(),
            state.Values.Select(timing.PicosecondsOf).Append(0).Max(),
            state.Active))];
    }
}
