using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Dialect;

/// <summary>Finds the work of one state, as far as the clock and the ports of the memories go.</summary>
internal sealed class StateScheduler
{
    /// <summary>
    /// Levels kept for the choice behind what a state computes, and those of a memory and of the turn of a frame's
    /// bytes.
    /// </summary>
    private const int ChoiceLevels = 2, MemoryLevels = 3, TurnLevels = 3, LeastLevels = 3;

    /// <summary>
    /// The most paths through a state. KiwiC looks at each, and what a path computes has the conditions of all others
    /// in it.
    /// </summary>
    private const int MaxPaths = 16;

    private readonly StateSchedule _schedule;
    private readonly ProgramState _state;
    private readonly Delays _delays;
    private readonly int _budget;
    private readonly Dictionary<Value, int> _arrivals = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Block, List<Way>> _ways = [];
    private readonly StatePorts _ports = new();
    private readonly HashSet<Value> _words = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<Value> _chosen = new(ReferenceEqualityComparer.Instance);
    private bool _hasLogic, _choosesByWord;
    private int _paths;

    /// <summary>For a state.</summary>
    public StateScheduler(StateSchedule schedule, ProgramState state)
    {
        (_schedule, _state, _delays) = (schedule, state, new Delays(schedule.Options.Device));
        _budget = Delays.Level * Math.Max(LeastLevels, schedule.Options.Levels - ChoiceLevels);
    }

    /// <summary>Does the work.</summary>
    public void Run()
    {
        Add(_state.Key.Block, _state.Key.Index, 0, []);
        // A block whose every way is from here goes on here.
        while (_ways.Keys.Where(CanGoOn).OrderBy(_schedule.OrderOf).FirstOrDefault() is { } block)
        {
            _ways.Remove(block, out var ways);
            _words.UnionWith(block.Phis.Where(phi => _choosesByWord || phi.Operands.Exists(_words.Contains)));
            foreach (var phi in block.Phis) _arrivals[phi] = Math.Max(Arrival(phi, ways!), ways!.Max(w => w.Arrival));
            Add(block, 0, ways!.Max(way => way.Arrival), ways!);
        }
        foreach (var block in _ways.Keys) _schedule.StateOf(block);
    }

    private bool CanGoOn(Block block) =>
        !_schedule.BeginsState(block) && block.Predecessors.Count == _ways[block].Count
        && _ways[block].TrueForAll(way => way.Arrival < _budget) && _ways[block].Sum(way => way.Paths) <= MaxPaths;

    private int Arrival(Phi phi, List<Way> ways) =>
        ways.Max(way => Of(phi.Operands[phi.Block.Predecessors.IndexOf(way.From)]) + Delays.Gate);

    private int Of(Value value) => _arrivals.GetValueOrDefault(value);

    private void Add(Block block, int index, int condition, List<Way> ways)
    {
        _chosen.Clear();
        _paths = Math.Max(1, ways.Sum(way => way.Paths));
        var done = new List<Operation>();
        for (var i = index; i < block.Operations.Count; i++)
        {
            var operation = block.Operations[i];
            var isFirst = done.Count == 0 && _state.Parts.Count == 0;
            if (operation.Opcode == Opcode.Send)
            {
                done.Add(operation);
                _state.Parts.Add(new StatePart(block, done, At(block, i + 1), ways.Count));
                return;
            }
            if (NeedsOffset(operation) && !(isFirst && _state.Key.HasOffset))
            {
                var offset = operation.Operands[0];
                // The register for the offset is set by the state that computes it, if that is in time.
                var isLate = Of(offset) > _budget;
                _state.Parts.Add(new StatePart(block, done, At(block, i, hasOffset: !isLate), ways.Count));
                return;
            }
            if (!TryDo(operation))
            {
                _state.Parts.Add(new StatePart(block, done, At(block, i), ways.Count));
                return;
            }
            done.Add(operation);
        }
        _state.Parts.Add(new StatePart(block, done, null, ways.Count));
        if (block.Terminator is Branch branch)
        {
            _choosesByWord |= _words.Contains(branch.Condition);
            var arrival = Math.Max(condition, Of(branch.Condition)) + Delays.Gate;
            Go(block, branch.Then, arrival);
            Go(block, branch.Else, arrival);
        }
        else if (block.Terminator is Jump jump)
        {
            Go(block, jump.Target, condition);
        }
    }

    /// <summary>True for an access to the frame at an offset that is computed.</summary>
    public static bool NeedsOffset(Operation operation) =>
        operation.Opcode is Opcode.FrameRead or Opcode.FrameWrite && operation.Operands[0] is not Constant;

    private ProgramState At(Block block, int index, bool hasOffset = false) =>
        _schedule.StateAt(new StateKey(block, index, hasOffset));

    private void Go(Block from, Block to, int arrival)
    {
        if (!_ways.TryGetValue(to, out var ways)) _ways[to] = ways = [];
        ways.Add(new Way(from, arrival, _paths));
    }

    private bool TryDo(Operation operation)
    {
        if (!TryChoose(operation)) return false;
        var arrival = operation.Operands.Select(Of).Append(0).Max();
        switch (operation.Opcode)
        {
            case Opcode.FrameRead or Opcode.FrameWrite:
                if (!_ports.TryTakeFrame(operation)) return false;
                if (operation.Opcode == Opcode.FrameRead) arrival = MemoryLevels * Delays.Level;
                if (NeedsOffset(operation)) arrival += TurnLevels * Delays.Level;
                break;
            case Opcode.MemoryRead:
                // An address that waits for a word of this cycle could close a loop through the ports of two memories.
                if (arrival > _budget / 2 || operation.Operands.Exists(_words.Contains)) return false;
                if (!_ports.TryRead(operation)) return false;
                arrival += MemoryLevels * Delays.Level;
                break;
            case Opcode.MemoryWrite:
                if (!_ports.TryWrite(operation)) return false;
                break;
            case Opcode.RegisterWrite or Opcode.Count:
                break;
            case Opcode.RegisterRead or Opcode.Input:
                break;
            default:
                if (!TimeDivision.Is(operation)) arrival += LevelsOf(operation);
                if (!OperatorChaining.Fits(_hasLogic, arrival, _budget)) return false;
                _hasLogic |= arrival > 0;
                break;
        }
        _arrivals[operation] = arrival;
        if (operation.Opcode is Opcode.FrameRead or Opcode.MemoryRead || operation.Operands.Exists(_words.Contains))
            _words.Add(operation);
        return true;
    }

    /// <summary>All that one selector chooses in a block is one choice.</summary>
    private bool TryChoose(Operation operation)
    {
        if (GroupedChoices.SelectorOf(operation) is not { } selector || _chosen.Contains(selector)) return true;
        var paths = _paths * Math.Max(2, operation.State.Count);
        if (_paths > 1 && paths > MaxPaths) return false;
        _chosen.Add(selector);
        _paths = paths;
        return true;
    }

    /// <summary>A sum of the words of a value is a tree of additions of 16 bits.</summary>
    private int LevelsOf(Operation operation) => operation.Opcode == Opcode.OnesSum
        ? Delays.Level * LeastLevels * 2
        : _delays.LevelsMadeOf(operation);

    /// <summary>A way into a block.</summary>
    /// <param name="From">The block before it.</param>
    /// <param name="Arrival">When it is known that this way is taken.</param>
    /// <param name="Paths">The paths through the state that lead there.</param>
    private sealed record Way(Block From, int Arrival, int Paths);
}
