using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;

namespace Emu.Compiler.Engines;

internal sealed partial class Engine
{
    private readonly Dictionary<(Block Block, int Index, int Words), EngineState> _states = [];
    private readonly Queue<EngineState> _waiting = new();
    private readonly Dictionary<Value, Flop> _crossing = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Value, List<(Value Condition, Value Value)>> _definitions = new(
        ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Register, List<(Value Condition, Value Value)>> _registerWrites = [];
    private readonly Dictionary<Register, List<(Value Condition, Value Addend)>> _counts = [];
    private readonly Dictionary<Memory, List<(Value Condition, Value Address)>> _memoryReads = [];
    private readonly Dictionary<Memory, RamRead> _readPorts = [];
    private readonly List<(Value Condition, EngineState State)> _transitions = [];
    private readonly List<(Value Condition, Value Length, Value Egress)> _returned = [];
    private readonly List<(Value Condition, Value Length, Value Egress, EngineState Next)> _sends = [];
    private readonly SortedDictionary<FaultKind, List<Value>> _faults = [];
    private readonly Section _crossingSection;
    private Dictionary<Block, int> _order = [];
    private HashSet<Block> _headers = [];

    /// <summary>The states: from the entry on, each finds those that it goes on to.</summary>
    private void Program()
    {
        _order = _functions.SelectMany(f => f.Blocks())
            .Select((block, i) => (block, i)).ToDictionary(e => e.block, e => e.i);
        _headers = [.. _functions.SelectMany(Loop.All).Select(loop => loop.Header)];
        _n.Begin("states of the program");
        _transitions.Add((_admitted, StateAt(_functions[0].Entry, 0)));
        if (_functions.Count > 1) _transitions.Add((_tickAdmitted, StateAt(_functions[1].Entry, 0)));
        while (_waiting.TryDequeue(out var state)) new EngineRegion(this, state).Build();

        foreach (var (value, flop) in _crossing)
        {
            var definitions = _definitions[value];
            (flop.Next, flop.Enable) =
                (_n.SelectOneHot(flop.Width, definitions), _n.ReduceOr(definitions.Select(d => d.Condition)));
        }
        _n.Location = null;
        foreach (var state in _states.Values)
            state.Active.Next = _n.ReduceOr(_transitions.Where(t => t.State == state).Select(t => t.Condition));
    }

    /// <summary>The states as steps, in the order of the program.</summary>
    private List<CircuitStep> Steps(StaticTiming timing)
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

    private EngineState StateAt(Block block, int index, int words = 0)
    {
        var key = (block, index, words);
        if (_states.TryGetValue(key, out var known)) return known;
        var location = index < block.Operations.Count ? block.Operations[index].Location : null;
        _n.Continue(_crossingSection);
        var name = location?.Name is { } line ? $"state_{Netlist.SnakeCase(line)}" : "state";
        var state = new EngineState(block, index, words, _n.AddFlop(name, 1, 0, location?.Own.Here));
        _states[key] = state;
        _waiting.Enqueue(state);
        return state;
    }

    /// <summary>A value that is used in another state than the one that computes it.</summary>
    private Flop Crossing(Value value)
    {
        if (_crossing.TryGetValue(value, out var known)) return known;
        _n.Continue(_crossingSection);
        _n.Location = (value as Operation)?.Location;
        return _crossing[value] = _n.AddPart($"r_{_n.NameOf(value).Name}", 0, value.Width);
    }

    private void Define(Value value, Value condition, Value computed)
    {
        if (!_definitions.TryGetValue(value, out var all)) _definitions[value] = all = [];
        all.Add((condition, computed));
    }

    private RamRead ReadPort(Memory memory)
    {
        if (_readPorts.TryGetValue(memory, out var known)) return known;
        var ports = _state.Of(memory);
        _n.Continue(_crossingSection);
        _memoryReads[memory] = [];
        var read = _n.AddRead(
            $"{ports.Ram.Name}_read", ports.Ram, FoldingBuilder.Zero(ports.Ram.AddressWidth), ports.IsRegistered);
        _delays.Set(read, ports.IsRegistered ? Delays.Level : FrameMemory.OffsetArrival + 3 * Delays.Level);
        return _readPorts[memory] = read;
    }

    /// <summary>The beginning of a state of the program.</summary>
    /// <param name="Block">The block.</param>
    /// <param name="Index">The index of its first operation.</param>
    /// <param name="Words">The number of operations from there on that read what the state before asked block RAMs for,
    /// the frame or its checksum: it is there now.</param>
    /// <param name="Active">1 in the cycle of the state.</param>
    private sealed record EngineState(Block Block, int Index, int Words, Flop Active)
    {
        /// <summary>The operations that are done in it.</summary>
        public List<Operation> Done { get; } = [];

        /// <summary>The values that it computes.</summary>
        public List<Value> Values { get; } = [];

        /// <summary>The states that it may lead to.</summary>
        public HashSet<EngineState> Next { get; } = new(ReferenceEqualityComparer.Instance);
    }
}
