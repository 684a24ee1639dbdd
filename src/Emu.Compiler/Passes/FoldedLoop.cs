using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>A loop that can be a <see cref="FrameFold"/>, and what stands in its place.</summary>
internal sealed class FoldedLoop
{
    /// <summary>The reason of an exit of frames whose bytes might end before the loop does.</summary>
    public const string ReadsAhead = "a loop looks at bytes that the frame may not have";

    private readonly Function _function;
    private readonly ByteLoop _loop;
    private readonly int _capacity;
    private readonly HashSet<StateElement> _written;
    private readonly Block _before = new();
    private readonly OperationList _outside;
    private readonly Dictionary<Value, Value> _first = new(ReferenceEqualityComparer.Instance);
    private readonly List<Phi> _states;
    private readonly List<Value> _found = [];
    private readonly List<Value> _again = [];
    private FoldTurn _turn = null!;

    private FoldedLoop(Compilation compilation, ByteLoop loop)
    {
        (_function, _loop, _capacity) = (compilation.Process, loop, compilation.Capacity);
        _written = ConstantState.Written(compilation.Functions);
        _outside = new OperationList(_before.Operations) { Location = loop.Location };
        foreach (var phi in loop.Header.Phis)
        {
            var entry = new Phi(phi.Width, _before);
            _before.Phis.Add(entry);
            _first[phi] = entry;
        }
        _states = [.. loop.Header.Phis.Where(phi => phi != loop.Index)];
        if (loop.Step is not { Rest: var rest }) return;
        _states.Insert(0, rest);
        _first[rest] = FoldingBuilder.Zero(rest.Width);
    }

    /// <summary>The loop as a fold; null if it is none.</summary>
    public static FoldedLoop? Of(Compilation compilation, Loop loop)
    {
        if (ByteLoop.Of(compilation, loop) is not { } bytes) return null;
        var folded = new FoldedLoop(compilation, bytes);
        return folded.Prepare() ? folded : null;
    }

    /// <summary>The blocks of the loop, and what is looked at behind it.</summary>
    public IEnumerable<Block> Blocks => _loop.Body;

    /// <summary>Puts the operation in the loop's place, and behind it a choice of the ways out.</summary>
    public void Replace()
    {
        var loop = _loop.ReadsAhead ? SideExits.CopyOfEntry(_loop.Loop) : null;
        EnterBefore();
        var fold = _turn.Fold;
        var hasBytes = _loop.ReadsAhead ? HasBytes() : null;
        var operation = HasResult ? ResultOf(fold) : null;
        if (operation is not null) _before.Operations.Add(operation);
        if (_turn.Map is { } map) _before.Operations.Add(MapOf(map));
        var known = new Substitution();
        Value Part(int number) =>
            _outside.Extract(operation!, fold.LowOf(number), fold.Turn.Values[number].Width);
        var codes = fold.Found - _found.Count;
        for (var i = 0; i < _found.Count; i++) known.Add(_found[i], Part(codes + i));
        for (var i = 0; i < _states.Count; i++)
        {
            var (state, added) = (_states[i], _outside.Resize(Part(fold.Found + i), _states[i].Width));
            if (!IsAddedTo(i)) _first[state] = added;
            else if (OperationOn(i) is { } by) _first[state] = _outside.Make(by, state.Width, _first[state], added);
            // A walk that the frame's end has ended would have gone on behind it.
            if (state == _loop.Index && _loop.Step is { Rest: var rest })
                _first[state] = _outside.Add(_first[state], _outside.Resize(_first[rest], state.Width));
            known.Add(state, _first[state]);
        }
        foreach (var value in _again) known.Add(value, Outside(value, [])!);
        Leave(codes == 0 ? null : Part(0));
        known.Apply(_function);
        if (hasBytes is null) return;
        var place = _before.Operations.IndexOf(operation!);
        SideExits.Guard(_before, place, hasBytes, loop!, ReadsAhead, _loop.Location);
    }

    /// <summary>
    /// True if it writes bytes from an offset on that is constant where its index begins at a constant: few turns cost
    /// less one by one.
    /// </summary>
    public bool WritesAtIndex => _turn.Map is not null && IsOfIndex(_turn.Start);

    private bool IsOfIndex(Value value) => value is Constant || value == _first.GetValueOrDefault(_loop.Index)
        || (value is Operation { Opcode: Opcode.Add or Opcode.Concat or Opcode.Extract } operation
            && operation.Operands.TrueForAll(IsOfIndex));

    /// <summary>True if something is known behind the loop, besides what it has written.</summary>
    private bool HasResult => _turn.Fold.Turn.Values.Count > 0;

    /// <summary>The values that are known behind the loop, as an operation.</summary>
    private Operation ResultOf(FrameFold fold) => new(
        Opcode.FrameFold, fold.Turn.Values.Sum(value => value.Width),
        [
            _turn.Start, .. _turn.Limits, .. _turn.Invariants, .. _turn.Words.Select(word => word.Place),
            .. _states.Select(Initial),
        ])
    {
        Fold = fold,
        State = [.. _turn.Words.Select(word => word.Memory)],
        Location = _loop.Location,
    };

    /// <summary>
    /// The bytes that the turns write, as an operation of its own: it ends at the least of the early bounds.
    /// </summary>
    private Operation MapOf(MapTurn map)
    {
        var end = _turn.EarlyLimits.Aggregate((a, b) => _outside.Select(_outside.Less(a, b), a, b));
        return new Operation(
            Opcode.FrameMap, 1,
            [_turn.Start, end, .. map.Limits, .. map.Invariants, .. map.States.Select(state => _first[state])])
        {
            Fold = map.Fold,
            Location = _loop.Location,
        };
    }

    /// <summary>
    /// True if the frame has all bytes of all turns in front of the bounds, or there are no such turns.
    /// </summary>
    private Value HasBytes()
    {
        var limit = _turn.EarlyLimits.Aggregate((a, b) => _outside.Select(_outside.Less(a, b), a, b));
        var length = _outside.Make(new Operation(Opcode.Input, 32) { Input = FrameInput.Length });
        var end = _outside.Add(limit, new Constant(FrameFold.OffsetBits, (UInt128)(_turn.Fold.Bytes - 1)));
        return _outside.Or(
            _outside.Not(_outside.Less(_turn.Start, limit)),
            _outside.Not(_outside.Less(_outside.Resize(length, FrameFold.OffsetBits), end)));
    }

    /// <summary>The operation by which turns add to a part of the state; null if they leave it as it is.</summary>
    private Opcode? OperationOn(int number)
    {
        var (next, state) = (_turn.Fold.NextState.ElementAt(number), _turn.Fold.StateParameters[number]);
        return new FoldForms(new OperationList([])).AddendOf(next, state, state.Width)!.Value.Operation;
    }

    private bool IsAddedTo(int number) => new FoldForms(new OperationList([])).IsAddedTo(_turn.Fold, number);

    /// <summary>
    /// The first value of a part of the state: nothing where turns only add to it, since its value in front of the
    /// loop, which may be known late, can as well be added behind it.
    /// </summary>
    private Value Initial(Phi state, int number) => IsAddedTo(number)
        ? FoldForms.Identity(OperationOn(number) ?? Opcode.Add, _turn.Fold.StateParameters[number].Width)
        : _outside.Resize(_first[state], Math.Min(state.Width, _turn.Fold.StateParameters[number].Width));

    /// <summary>Follows a turn; false if the loop cannot be a fold.</summary>
    private bool Prepare()
    {
        var used = UsedOutside();
        if (used.Contains(_loop.Index)) _states.Add(_loop.Index);
        foreach (var value in used)
        {
            if (value is Phi phi && _loop.Header.Phis.Contains(phi)) continue;
            if (_loop.IsComputedAgain(value)) _again.Add(value);
            else if (_loop.MayBeFound(value)) _found.Add(value);
            else return false;
        }
        // What is computed again behind the loop may need more of its state.
        if (!_states.Contains(_loop.Index) && _again.Concat(Asked()).Any(value => Uses(value, _loop.Index)))
            _states.Add(_loop.Index);
        if (Asked().Any(condition => Outside(condition, []) is null)) return false;
        if (_loop.Start(value => Outside(value, [])) is not { } start) return false;
        _turn = TurnFrom(start, null);
        // What a turn that leaves by another way has written would have to be told from what it has not.
        if (_loop.Writes && _loop.Exits.Count > _loop.EarlyExits) return false;
        if (!_turn.TryMake()) return false;
        return (FitsResult || TryNarrow(start)) && (HasResult || _turn.Map is not null)
            && (_turn.Map is null || AffineState.Of(_turn.Map.Fold) is not null)
            && _turn.Limits.Concat(_turn.Invariants).Append(_turn.Start).Concat(_states.Select(Initial))
                .Concat(_turn.Words.Select(word => word.Place))
                .All(new HeaderValues(WaysTo, _turn.Map is null ? _written : null).Has);
    }

    /// <summary>The greatest number that a part of the state begins with; null if it is not known.</summary>
    private UInt128? MostInitial(Phi state, int number)
    {
        var initial = Initial(state, number);
        var ways = initial is Phi entry ? [.. WaysTo(entry).Select(way => way.Value)] : new List<Value> { initial };
        return ways.TrueForAll(value => value is Constant) ? ways.Max(value => ((Constant)value).Bits) : null;
    }

    /// <summary>Makes the turn anew with the bits of the state that it needs; false if they are too many.</summary>
    private bool TryNarrow(Value start)
    {
        var bounds = new TurnBounds(_turn.Fold, [.. _states.Select(MostInitial)], _capacity + 1);
        var added = _states.Select((_, number) => IsAddedTo(number)).ToList();
        _turn = TurnFrom(start, bounds.WidthOf);
        // What is only added to begins with nothing in the fold, so it has to stay that.
        return _turn.TryMake() && FitsResult
            && added.Index().All(state => !state.Item || IsAddedTo(state.Index));
    }

    private FoldTurn TurnFrom(Value start, Func<int, int>? widthOf) => new(
        _function, _loop, _states, _found, _outside, value => Outside(value, []), start, widthOf);

    /// <summary>True if what is known behind the loop is no wider than a value can be.</summary>
    private bool FitsResult => _turn.Fold.Turn.Values.Sum(value => value.Width) <= Value.MaxWidth;

    /// <summary>
    /// The conditions of the early ways out of a walk, if there are several: where it has come to decides.
    /// </summary>
    private IEnumerable<Value> Asked() => _loop.Step is null ? []
        : _loop.Exits.Take(_loop.EarlyExits - 1).Select(exit => ((Branch)exit.From.Terminator!).Condition);

    /// <summary>The values that a phi joins, each with the block that it comes from.</summary>
    private IEnumerable<(Value Value, Block From)> WaysTo(Phi phi)
    {
        if (phi.Block != _before) return phi.Operands.Zip(phi.Block.Predecessors);
        var inside = _loop.Header.Phis[_before.Phis.IndexOf(phi)];
        return inside.Operands.Zip(_loop.Header.Predecessors).Where(way => !_loop.Body.Contains(way.Second));
    }

    private static bool Uses(Value value, Phi phi) =>
        value == phi || value is Operation operation && operation.Operands.Exists(operand => Uses(operand, phi));

    /// <summary>The values of the loop that are used outside of it.</summary>
    private List<Value> UsedOutside()
    {
        var defined = _loop.Body.SelectMany(block => block.Phis.Concat<Value>(block.Operations))
            .ToHashSet(ReferenceEqualityComparer.Instance);
        var used = new List<Value>();
        void Use(Value value)
        {
            if (defined.Contains(value) && !used.Contains(value)) used.Add(value);
        }
        foreach (var block in _function.Blocks().Where(block => !_loop.Body.Contains(block)))
        {
            foreach (var operand in block.Phis.SelectMany(phi => phi.Operands)) Use(operand);
            foreach (var operand in block.Operations.SelectMany(operation => operation.Operands)) Use(operand);
            foreach (var value in Verifier.UsedBy(block.Terminator)) Use(value);
        }
        return used;
    }

    /// <summary>
    /// A value as it is in front of the first turn; null if it depends on more than what is known there.
    /// </summary>
    private Value? Outside(Value value, HashSet<Value> seen)
    {
        if (_first.TryGetValue(value, out var known)) return known;
        if (!_loop.Defines(value)) return value;
        if (value is not Operation { ReadsState: false } operation || !seen.Add(value)) return null;
        var operands = operation.Operands.ConvertAll(operand => Outside(operand, [.. seen]));
        return operands.Contains(null) ? null : _outside.Make(
            new Operation(operation.Opcode, operation.Width, operands!)
            {
                Low = operation.Low,
                Location = operation.Location,
            });
    }

    /// <summary>Leads the ways into the loop to the block in front of it.</summary>
    private void EnterBefore()
    {
        var header = _loop.Header;
        foreach (var from in header.Predecessors.Where(p => !_loop.Body.Contains(p)).ToList())
        {
            var way = header.Predecessors.IndexOf(from);
            foreach (var (phi, entry) in header.Phis.Zip(_before.Phis)) entry.Operands.Add(phi.Operands[way]);
            Edges.Remove(from, header);
            from.Terminator = Edges.Retarget(from.Terminator!, header, _before);
            _before.Predecessors.Add(from);
        }
    }

    /// <summary>Goes on where the turn that left has gone on.</summary>
    private void Leave(Value? code)
    {
        var (at, early) = (_before, _loop.EarlyExits);
        void LeaveIf(Value isIt, int number)
        {
            var (exit, rest) = (Exit(number, at), new Block());
            at.Terminator = new Branch(isIt, exit, rest);
            rest.Predecessors.Add(at);
            at = rest;
        }
        for (var number = _loop.Exits.Count - 1; number >= early; number--)
            LeaveIf(_outside.Equal(code!, new Constant(code!.Width, (UInt128)(number - early + 1))), number);
        if (_loop.Step is not null)
        {
            for (var number = 0; number < early - 1; number++) LeaveIf(IsTaken(number), number);
            at.Terminator = new Jump(Exit(early - 1, at));
            return;
        }
        for (var number = early - 1; number > 0; number--) LeaveIf(IsLeast(number), number);
        at.Terminator = new Jump(Exit(0, at));
    }

    /// <summary>True if a walk, where it has come to, takes an early way out.</summary>
    private Value IsTaken(int number)
    {
        var (from, to) = _loop.Exits[number];
        var branch = (Branch)from.Terminator!;
        var condition = Outside(branch.Condition, [])!;
        return branch.Then == to ? condition : _outside.Not(condition);
    }

    /// <summary>A block that goes the way out of a number.</summary>
    private Block Exit(int number, Block before)
    {
        var (from, to) = _loop.Exits[number];
        var way = to.Predecessors.IndexOf(from);
        var operands = to.Phis.ConvertAll(phi => phi.Operands[way]);
        Edges.Remove(from, to);
        var exit = new Block { Terminator = new Jump(to) };
        exit.Predecessors.Add(before);
        to.Predecessors.Add(exit);
        for (var i = 0; i < operands.Count; i++) to.Phis[i].Operands.Add(operands[i]);
        return exit;
    }

    /// <summary>
    /// True if the bound of an early way out is less than those of all before it, and those behind are not the least:
    /// of several that are reached in one turn the first is taken.
    /// </summary>
    private Value IsLeast(int number)
    {
        var limits = _turn.EarlyLimits;
        return Enumerable.Range(0, number).Select(other => _outside.Less(limits[number], limits[other]))
            .Aggregate(_outside.And);
    }
}
