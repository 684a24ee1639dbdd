using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// A turn of a loop as one block without branches: which way it goes is a condition, and what depends on that a choice
/// (if-conversion).
/// </summary>
internal sealed class FoldTurn
{
    private readonly Function _function;
    private readonly ByteLoop _loop;
    private readonly IReadOnlyList<Phi> _states;
    private readonly IReadOnlyList<Value> _found;
    private readonly OperationList _outside;
    private readonly Func<Value, Value?> _first;
    private readonly Func<int, int> _widthOf;
    private readonly Block _turn = new();
    private readonly OperationList _n;
    private readonly Dictionary<Value, Value> _values = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Value, Phi> _invariants = new(ReferenceEqualityComparer.Instance);
    private readonly List<(Value Limit, Phi Reached)> _bounds = [];
    private readonly List<(Memory Memory, Value Place, Phi Word)> _words = [];
    private readonly Dictionary<Value, (Value Limit, bool WhenReached)> _tests =
        new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Value, Value> _steps = new(ReferenceEqualityComparer.Instance);
    private readonly List<Phi> _bytes;
    private readonly Phi _offset;
    private Value? _written;

    /// <summary>Begins.</summary>
    /// <param name="function">The function in which the loop is.</param>
    /// <param name="loop">The loop.</param>
    /// <param name="states">The values that go from turn to turn.</param>
    /// <param name="found">The values of the turn that leaves which are used behind the loop.</param>
    /// <param name="outside">Makes values in front of the loop.</param>
    /// <param name="first">Gives values as they are in front of the first turn, null where that is not known.</param>
    /// <param name="start">The offset of the first byte of the first turn.</param>
    /// <param name="widthOf">The bits that a state needs; null for all that it has.</param>
    public FoldTurn(
        Function function, ByteLoop loop, IReadOnlyList<Phi> states, IReadOnlyList<Value> found, OperationList outside,
        Func<Value, Value?> first, Value start, Func<int, int>? widthOf = null)
    {
        _widthOf = widthOf ?? (number => states[number].Width);
        (_function, _loop, _states, _found) = (function, loop, states, found);
        (_outside, _first) = (outside, first);
        Start = outside.Resize(start, FrameFold.OffsetBits);
        _n = new OperationList(_turn.Operations);
        _bytes = [.. Enumerable.Range(0, loop.Bytes).Select(_ => new Phi(8, _turn))];
        _offset = new Phi(FrameFold.OffsetBits, _turn);
    }

    /// <summary>The offset of the first byte of the first turn.</summary>
    public Value Start { get; }

    /// <summary>The bounds, in front of the loop.</summary>
    public IEnumerable<Value> Limits => _bounds.Select(bound => bound.Limit);

    /// <summary>The invariants, in front of the loop.</summary>
    public IEnumerable<Value> Invariants => _invariants.Keys;

    /// <summary>The memories that turns read, with where the words of one at offset 0 would be.</summary>
    public IEnumerable<(Memory Memory, Value Place)> Words => _words.Select(word => (word.Memory, word.Place));

    /// <summary>
    /// The bounds of the early ways out, where there are several or turns read ahead: the least of them is taken.
    /// </summary>
    public IReadOnlyList<Value> EarlyLimits { get; private set; } = [];

    /// <summary>The bytes that turns write; null if they write none. Known with the fold.</summary>
    public MapTurn? Map { get; private set; }

    /// <summary>The fold; known when it is made.</summary>
    public FrameFold Fold { get; private set; } = null!;

    /// <summary>Makes the turn; false if that cannot be done.</summary>
    public bool TryMake()
    {
        if (_loop.MostOfIndexed(_loop.Index) is null) return false;
        var (blocks, again, exits) = Unwound();
        var order = new Function("", blocks[_loop.Header]).Blocks();
        var conditions = new ConditionTable(_n, order, new Dominators(new Function("", blocks[_loop.Header])), Of);
        // Of the index only turns are counted, of which there are no more than offsets.
        var states = _states.Index().ToDictionary(state => state.Item, state => new Phi(
            state.Item == _loop.Index ? Math.Min(state.Item.Width, FrameFold.OffsetBits) : _widthOf(state.Index),
            _turn));
        foreach (var (phi, parameter) in states)
            if (phi != _loop.Index) _values[phi] = _n.Resize(parameter, phi.Width);
        var original = blocks.ToDictionary(entry => entry.Value, entry => entry.Key);
        foreach (var block in order.Where(original.ContainsKey)) Do(original[block], block, conditions);
        if (_loop.Step is null && (_loop.EarlyExits > 1 || _loop.ReadsAhead || _loop.Writes) && !FindsEarlyLimits())
            return false;
        if (_loop.Writes && _words.Count > 0) return false;
        var codes = Enumerable.Range(0, exits.Count).Select(exit => conditions.Of(exits[exit])).ToList();
        var isLeft = _n.Not(conditions.Of(again));
        var acts = _loop.Step is { } step
            ? _n.Equal(states[step.Rest], FoldingBuilder.Zero(step.Rest.Width))
            : FoldingBuilder.Bit(true);
        List<Value> values =
        [
            .. CodeOf(codes).Select(code => _n.Select(acts, code, FoldingBuilder.Zero(code.Width))),
            .. _found.Select(value => FoundOf(value, codes)),
        ];
        var found = values.Count;
        foreach (var phi in _states)
        {
            values.Add(phi == _loop.Index ? _n.Add(states[phi], new Constant(states[phi].Width, 1))
                : phi == _loop.Step?.Rest ? _n.Select(acts, Rest(again, conditions), Less(states[phi]))
                : _n.Select(
                    acts,
                    _n.Resize(conditions.Choose(again, way => Of(OperandFrom(phi, way))), states[phi].Width),
                    states[phi]));
        }
        if (_written is not null)
        {
            var isNever = _bounds.Where(bound => EarlyLimits.Any(limit => Constant.AreSame(limit, bound.Limit)));
            Map = new MapTurn(
                _turn, _written, _bytes[0], _offset, [.. isNever.Select(bound => bound.Reached)], _bounds,
                [.. _invariants.Select(each => (each.Key, each.Value))],
                [.. _states.Index().Where(state => state.Item != _loop.Index)
                    .Select(state => (state.Item, states[state.Item], values[found + state.Index]))]);
        }
        isLeft = _n.And(acts, isLeft);
        // Which parameters all these ask for is known only behind them.
        _turn.Phis.AddRange(
        [
            .. _bytes, _offset, .. _bounds.Select(bound => bound.Reached), .. _invariants.Values,
            .. _words.Select(word => word.Word), .. _states.Select(phi => states[phi]),
        ]);
        _turn.Terminator = new Yield(isLeft, values);
        var function = new Function("turn", _turn);
        RemoveUnused();
        Fold = new FrameFold(
            function, _bytes.Count, _bounds.Count, _invariants.Count, found, IsWalk: _loop.Step is not null,
            Words: _words.Count);
        return true;
    }

    /// <summary>The bytes between this turn's first and that of the next that is not passed over.</summary>
    private Value Rest(Block again, ConditionTable conditions) => Less(conditions.Choose(
        again, way => StepTo(OperandFrom(_loop.Index, way))));

    private Value Less(Value number) => _n.Subtract(number, new Constant(number.Width, 1));

    /// <summary>The number by which a value is more than the index.</summary>
    private Value StepTo(Value value)
    {
        var width = _loop.Step!.Rest.Width;
        if (value == _loop.Index) return FoldingBuilder.Zero(width);
        if (value is Phi) return _steps[value];
        var operation = (Operation)value;
        var inner = operation.Operands.Find(_loop.Step.Follows)!;
        var by = operation.Operands.Find(operand => operand != inner);
        return operation.Opcode switch
        {
            Opcode.Add => _n.Add(StepTo(inner), _n.Resize(Of(by!), width)),
            Opcode.Subtract => _n.Subtract(StepTo(inner), _n.Resize(by!, width)),
            _ => StepTo(inner),
        };
    }

    /// <summary>True if each early way out is taken when a bound is reached.</summary>
    private bool FindsEarlyLimits()
    {
        var limits = new List<Value>();
        foreach (var (from, to) in _loop.Exits.Take(_loop.EarlyExits))
        {
            if (from.Terminator is not Branch branch || !_tests.TryGetValue(branch.Condition, out var test)
                || test.WhenReached != (branch.Then == to))
                return false;
            limits.Add(test.Limit);
        }
        EarlyLimits = limits;
        return true;
    }

    /// <summary>Operations that nothing uses go; parameters stay, since they have places.</summary>
    private void RemoveUnused()
    {
        var used = new HashSet<Value>(Verifier.UsedBy(_turn.Terminator), ReferenceEqualityComparer.Instance);
        foreach (var operation in Enumerable.Reverse(_turn.Operations).Where(used.Contains))
            used.UnionWith(operation.Operands);
        _turn.Operations.RemoveAll(operation => !used.Contains(operation));
    }

    /// <summary>The operand of a phi of the header that comes by one of the ways round.</summary>
    private Value OperandFrom(Phi phi, int way)
    {
        var ways = Enumerable.Range(0, phi.Operands.Count)
            .Where(i => _loop.Body.Contains(_loop.Header.Predecessors[i])).ToList();
        return phi.Operands[ways[way]];
    }

    /// <summary>
    /// The loop's blocks as they go on to one another in a turn: with one block more for what goes round, and one for
    /// each way out, which all end in another.
    /// </summary>
    private (Dictionary<Block, Block> Blocks, Block Again, List<Block> Exits) Unwound()
    {
        var blocks = _loop.Blocks.ToDictionary(block => block, _ => new Block());
        var end = new Block { Terminator = new Yield(FoldingBuilder.Bit(false), []) };
        var again = new Block { Terminator = new Jump(end) };
        var exits = _loop.Exits.ConvertAll(_ => new Block { Terminator = new Jump(end) });
        foreach (var block in _loop.Blocks.Where(block => block != _loop.Header))
            blocks[block].Predecessors.AddRange(block.Predecessors.Select(from => blocks[from]));
        foreach (var from in _loop.Header.Predecessors.Where(_loop.Body.Contains)) again.Predecessors.Add(blocks[from]);
        for (var i = 0; i < exits.Count; i++) exits[i].Predecessors.Add(blocks[_loop.Exits[i].From]);
        end.Predecessors.AddRange([again, .. exits]);
        foreach (var block in _loop.Blocks)
        {
            Block To(Block to) =>
                to == _loop.Header ? again
                : _loop.Body.Contains(to) ? blocks[to]
                : exits[_loop.Exits.IndexOf((block, to))];
            blocks[block].Terminator = block.Terminator switch
            {
                Jump jump => new Jump(To(jump.Target)),
                Branch branch => new Branch(branch.Condition, To(branch.Then), To(branch.Else)),
                var other => other,
            };
        }
        return (blocks, again, exits);
    }

    private void Do(Block original, Block block, ConditionTable conditions)
    {
        if (original != _loop.Header)
        {
            foreach (var phi in original.Phis)
            {
                _values[phi] = conditions.Choose(block, way => Of(phi.Operands[way]));
                if (_loop.Step?.Follows(phi) == true)
                    _steps[phi] = conditions.Choose(block, way => StepTo(phi.Operands[way]));
            }
        }
        foreach (var operation in original.Operations)
        {
            if (operation.Opcode == Opcode.FrameWrite)
                _written = _n.Select(conditions.Of(block), Of(operation.Operands[1]), _written ?? _bytes[0]);
            else _values[operation] = ValueOf(operation);
        }
    }

    private Value ValueOf(Operation operation)
    {
        if (operation.Opcode == Opcode.FrameRead)
        {
            if (_written is not null) return _written;
            var first = _loop.FirstByte(operation);
            return _bytes[first..(first + operation.Width / 8)].Aggregate<Value>(_n.Concat);
        }
        if (_loop.IsLookup(operation)) return ConstantLookup.Of(_n, operation, operation.Operands.ConvertAll(Of));
        if (operation.Opcode == Opcode.MemoryRead) return Word(operation);
        if (operation.Opcode == Opcode.Multiply) return ConstantProduct.Of(_n, operation, Of);
        if (Bound(operation) is { } bound) return bound;
        return _n.Make(new Operation(operation.Opcode, operation.Width, operation.Operands.Select(Of))
        {
            Low = operation.Low,
            Location = operation.Location,
        });
    }

    /// <summary>The word that is next in a memory: its index is where the first turn finds one, and the turns
    /// before.</summary>
    private Phi Word(Operation read)
    {
        var memory = (Memory)read.State[0];
        var place = _outside.Subtract(
            _outside.Resize(_first(read.Operands[0])!, FrameFold.IndexBits),
            _outside.Resize(Start, FrameFold.IndexBits));
        foreach (var known in _words)
            if (known.Memory == memory && Constant.AreSame(known.Place, place)) return known.Word;
        _words.Add((memory, place, new Phi(read.Width, _turn)));
        return _words[^1].Word;
    }

    /// <summary>
    /// A comparison of the index with what is the same in all turns, by the offset from which on it is another; null if
    /// it is none.
    /// </summary>
    private Value? Bound(Operation operation)
    {
        if (operation.Opcode is not (Opcode.LessUnsigned or Opcode.LessSigned)) return null;
        var (a, b) = (operation.Operands[0], operation.Operands[1]);
        var isBelow = _loop.IsSame(b) && _loop.MostOfIndexed(a) is not null;
        var isAbove = _loop.IsSame(a) && _loop.MostOfIndexed(b) is not null;
        if (isBelow == isAbove) return null;
        var (indexed, limit) = isBelow ? (a, b) : (b, a);
        var isSigned = operation.Opcode == Opcode.LessSigned;
        if (isSigned && _loop.MostOfIndexed(indexed) > Arithmetic.Mask(indexed.Width - 1)) return null;
        if (_first(indexed) is not { } first || _first(limit) is not { } end) return null;
        var n = _outside;
        n.Location = operation.Location;
        var compare = isSigned ? Opcode.LessSigned : Opcode.LessUnsigned;
        // From the turn on in which the index is not below the limit, or is above it.
        var isBefore = isBelow
            ? n.Make(compare, 1, first, end)
            : n.Not(n.Make(compare, 1, end, first));
        var turns = Turns(n, n.Subtract(end, first));
        if (!isBelow) turns = n.Add(turns, new Constant(turns.Width, 1));
        turns = n.Select(isBefore, turns, FoldingBuilder.Zero(turns.Width));
        var at = n.Add(Start, turns);
        _tests[operation] = (at, !isBelow);
        var reached = Reached(at);
        return isBelow ? _n.Not(reached) : reached;
    }

    /// <summary>A number of turns, or one that no frame has bytes for.</summary>
    private static Value Turns(OperationList n, Value turns)
    {
        const int Most = (1 << (FrameFold.OffsetBits - 2)) - 1;
        if (turns.Width < FrameFold.OffsetBits - 1) return n.Resize(turns, FrameFold.OffsetBits);
        return n.Select(
            n.Less(turns, new Constant(turns.Width, Most)),
            n.Resize(turns, FrameFold.OffsetBits), new Constant(FrameFold.OffsetBits, Most));
    }

    private Phi Reached(Value limit)
    {
        foreach (var (known, parameter) in _bounds)
            if (Constant.AreSame(known, limit)) return parameter;
        _bounds.Add((limit, new Phi(1, _turn)));
        return _bounds[^1].Reached;
    }

    private Value Of(Value value)
    {
        if (value is Constant) return value;
        if (_values.TryGetValue(value, out var known)) return known;
        if (value == _loop.Index) return _values[value] = IndexAt();
        if (_loop.Defines(value)) throw new InvalidOperationException("a value of a loop is used before it is there");
        var parameter = new Phi(value.Width, _turn);
        return _values[value] = _invariants[value] = parameter;
    }

    /// <summary>The index: what it is at first, and the turns before.</summary>
    private Value IndexAt()
    {
        var width = _loop.Index.Width;
        var ahead = _outside.Subtract(_first(_loop.Index)!, _outside.Resize(Start, width));
        var by = ahead is Constant ? ahead : Of(ahead);
        return _n.Add(_n.Resize(_offset, width), by);
    }

    /// <summary>The number of the way out, 0 for all early ones; nothing where there are only those.</summary>
    private IEnumerable<Value> CodeOf(List<Value> conditions)
    {
        var late = conditions.Count - _loop.EarlyExits;
        if (late == 0) yield break;
        yield return Enumerable.Range(0, Interval.Of((UInt128)late).Width).Reverse().Select(bit => _n.ReduceOr(
            conditions.Skip(_loop.EarlyExits).Where((_, number) => (number + 1 >> bit & 1) == 1)))
            .Aggregate(_n.Concat);
    }

    private Value FoundOf(Value value, List<Value> conditions) =>
        Enumerable.Range(_loop.EarlyExits, conditions.Count - _loop.EarlyExits)
            .Where(exit => _loop.Reaches(value, _loop.Exits[exit].From))
            .Aggregate<int, Value>(FoldingBuilder.Zero(value.Width), (so, exit) =>
                _n.Select(conditions[exit], Of(value), so));
}
