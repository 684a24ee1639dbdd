using Emu.Compiler.IR;

namespace Emu.Compiler.Dialect;

/// <summary>
/// The ranges in which the variables of values are needed, by a liveness analysis over states (Muchnick 1997,
/// §14.1.3). Inside a state places are numbered in the order of its parts, which every way through it follows.
/// </summary>
internal sealed class LiveRanges
{
    private readonly StateSchedule _schedule;
    private readonly ValueUses _uses;
    private readonly Dictionary<ProgramState, HashSet<Value>> _atStart = [];
    private readonly Dictionary<ProgramState, HashSet<Value>> _defined = [];
    private readonly Dictionary<Value, LiveRange> _ranges = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Value, int> _places = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<StatePart, int> _ends = new(ReferenceEqualityComparer.Instance);

    /// <summary>Looks through all states of a function.</summary>
    public LiveRanges(StateSchedule schedule, ValueUses uses)
    {
        (_schedule, _uses) = (schedule, uses);
        foreach (var state in schedule.States)
        {
            _atStart[state] = new(ReferenceEqualityComparer.Instance);
            _defined[state] = new(
                state.Parts.SelectMany((part, i) => part.Operations.Concat<Value>(i > 0 ? part.Block.Phis : [])),
                ReferenceEqualityComparer.Instance);
            NumberPlaces(state);
        }
        bool isChanged;
        do
        {
            isChanged = false;
            foreach (var state in schedule.States.Reverse()) isChanged |= Update(state);
        }
        while (isChanged);
        foreach (var state in schedule.States) AddRanges(state);
    }

    /// <summary>The range of a value.</summary>
    public LiveRange Of(Value value) => _ranges[value];

    /// <summary>The range of what the statements of an operation alone need.</summary>
    public LiveRange At(ProgramState state, Operation operation) => Between(state, _places[operation], 1);

    /// <summary>The range of what is needed while a part of a state is left.</summary>
    public LiveRange AtEnd(ProgramState state, StatePart part) => Between(state, _ends[part], 2);

    private static LiveRange Between(ProgramState state, int from, int length)
    {
        var range = new LiveRange();
        range.Add(state, from, from + length);
        return range;
    }

    /// <summary>
    /// A part's end has two places: variables of the next block are assigned before their values die.
    /// </summary>
    private void NumberPlaces(ProgramState state)
    {
        var place = 0;
        foreach (var part in state.Parts)
        {
            foreach (var operation in part.Operations) _places[operation] = place++;
            _ends[part] = place;
            place += 2;
        }
    }

    private bool Update(ProgramState state)
    {
        var live = new HashSet<Value>(ReferenceEqualityComparer.Instance);
        foreach (var part in state.Parts)
        {
            live.UnionWith(ValueUses.UsedBy(part).SelectMany(use => Named(use.Value)));
            foreach (var to in WaysFrom(state, part)) live.UnionWith(HeldOn(part, to));
        }
        live.ExceptWith(_defined[state]);
        if (live.Count == _atStart[state].Count) return false;
        _atStart[state] = live;
        return true;
    }

    /// <summary>The states behind a part.</summary>
    private IEnumerable<ProgramState> WaysFrom(ProgramState state, StatePart part) => part.Next is { } next
        ? [next]
        : part.Block.Terminator!.Successors.Where(to => state.GoesOnWith(to) is null).Select(_schedule.StateOf);

    /// <summary>The values that are held on a way, and not assigned there.</summary>
    private IEnumerable<Value> HeldOn(StatePart part, ProgramState to) =>
        part.Next is null ? _atStart[to].Except(AssignedOn(part.Block, to.Key.Block)) : _atStart[to];

    private static IEnumerable<Value> AssignedOn(Block from, Block to)
    {
        var way = to.Predecessors.IndexOf(from);
        return to.Phis.Where(phi => phi.Operands[way] != phi);
    }

    private void AddRanges(ProgramState state)
    {
        foreach (var value in _atStart[state]) RangeOf(value).Add(state, -1, 0);
        foreach (var part in state.Parts)
        {
            var end = _ends[part];
            foreach (var operation in part.Operations)
                RangeOf(operation).Add(state, _places[operation], _places[operation] + 1);
            if (part.Next is null)
            {
                foreach (var phi in part.Block.Terminator!.Successors.SelectMany(to => AssignedOn(part.Block, to)))
                    RangeOf(phi).Add(state, end, end + 1);
            }
            foreach (var held in WaysFrom(state, part).SelectMany(to => HeldOn(part, to)))
                RangeOf(held).Add(state, end, end + 1);
            AddUses(state, part);
        }
    }

    /// <summary>A part of another expression reads its operands where that one stands.</summary>
    private void AddUses(ProgramState state, StatePart part)
    {
        var last = new Dictionary<Value, int>(ReferenceEqualityComparer.Instance);
        foreach (var (value, user) in ValueUses.UsedBy(part).Reverse())
        {
            var place = user is null ? _ends[part] + 1 : _places[user];
            if (user is not null && !_uses.NeedsVariable(user)) place = Math.Max(place, last.GetValueOrDefault(user));
            foreach (var named in Named(value))
            {
                last[named] = Math.Max(place, last.GetValueOrDefault(named));
                RangeOf(named).Add(state, place, place);
            }
        }
    }

    private LiveRange RangeOf(Value value)
    {
        if (!_ranges.TryGetValue(value, out var range)) _ranges[value] = range = new LiveRange();
        return range;
    }

    /// <summary>
    /// A value, and those whose variables may stand for it: the low part of a number with zeros above.
    /// </summary>
    private static IEnumerable<Value> Named(Value value)
    {
        for (; value is not Constant; value = ((Operation)value).Operands[1])
        {
            yield return value;
            if (value is not Operation { Opcode: Opcode.Concat }) yield break;
        }
    }
}
