using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// A step along the frame: what is done from one read at a computed place on, with bytes that lie at constant distances
/// from it, up to the next reads whose place is another; a node of a parse graph (Gibb and others 2013, <em>Design
/// principles for packet parsers</em>).
/// </summary>
internal sealed class ParseStep
{
    private readonly ParseTurn _turn;
    private readonly ParseRegion _region;
    private readonly Dictionary<Block, Block> _copies = [];
    private readonly Dictionary<Value, (Value Value, Block Block)> _branches =
        new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<(Value, Block), Value> _values = [];
    private readonly Dictionary<(Value, Block), Value?> _distances = [];
    private readonly List<Block> _blocks = [];
    private ConditionTable _conditions = null!;
    private int _least, _end;

    /// <summary>Follows what is done from a block on.</summary>
    /// <param name="turn">The turn that does it.</param>
    /// <param name="root">The block: one that begins with a read, or the region's root.</param>
    public ParseStep(ParseTurn turn, Block root) => (_turn, _region, Root) = (turn, turn.Region, root);

    /// <summary>The block with which it begins.</summary>
    public Block Root { get; }

    /// <summary>The number of bytes that it looks at.</summary>
    public int Bytes => _end - _least;

    /// <summary>The bytes by which the read of its first block lies behind the first that it looks at.</summary>
    public int Ahead => -_least;

    /// <summary>The ways from it to other steps, or to itself.</summary>
    public List<(Block From, Block To, Block Copy)> Moves { get; } = [];

    /// <summary>The ways out of the region.</summary>
    public List<(Block From, Block To, Block Copy)> Exits { get; } = [];

    /// <summary>The read with which a block begins.</summary>
    public static Operation ReadOf(Block block) => block.Operations[0];

    /// <summary>Finds its blocks; false if they form a loop, which no read at another place interrupts.</summary>
    public bool TryFollow()
    {
        if (_region.IsRead(Root)) _end = ReadOf(Root).Width / 8;
        Include(Root);
        var end = new Block { Terminator = new Yield(FoldingBuilder.Bit(false), []) };
        Block To(Block from, Block to)
        {
            if (to != Root && _copies.TryGetValue(to, out var known)) return known;
            var copy = new Block { Terminator = new Jump(end) };
            copy.Predecessors.Add(_copies[from]);
            end.Predecessors.Add(copy);
            (_region.Contains(to) ? Moves : Exits).Add((from, to, copy));
            return copy;
        }
        foreach (var block in _blocks)
        {
            var copy = _copies[block];
            if (block.Terminator is not Branch branch)
            {
                copy.Terminator = new Jump(To(block, ((Jump)block.Terminator!).Target));
                continue;
            }
            // What a branch asks for is made when it is asked for.
            var condition = new Phi(1, copy);
            _branches[condition] = (branch.Condition, block);
            copy.Terminator = new Branch(condition, To(block, branch.Then), To(block, branch.Else));
        }
        foreach (var block in _blocks.Where(block => block != Root))
            _copies[block].Predecessors.AddRange(WaysTo(block).Select(from => _copies[from]));
        var order = new Function("", _copies[Root]).Blocks();
        var places = order.Index().ToDictionary(each => each.Item, each => each.Index);
        if (!order.TrueForAll(block => block.Terminator!.Successors.All(to => places[to] > places[block])))
        {
            if (_blocks.Find(block => block != Root && _region.IsRead(block) && GoesRound(block)) is { } read)
                _turn.Part(Root, read);
            return false;
        }
        // Only now are all ways to each read known.
        foreach (var block in _blocks.Where(block => block != Root && _region.IsRead(block)))
            if (!Widens(ReadOf(block), block)) _turn.Part(Root, block);
        _conditions = new ConditionTable(
            _turn.Builder, order, new Dominators(new Function("", _copies[Root])),
            condition => _branches[condition] is var (value, block) ? Of(value, block) : condition);
        return true;
    }

    /// <summary>True if a way within the step leads from a block to itself.</summary>
    private bool GoesRound(Block block)
    {
        var (seen, open) = (new HashSet<Block>(), new Stack<Block>(WaysTo(block)));
        while (open.TryPop(out var at))
        {
            if (at == block) return true;
            if (!seen.Add(at) || at == Root) continue;
            foreach (var from in WaysTo(at)) open.Push(from);
        }
        return false;
    }

    /// <summary>Forgets ways that no values lead to.</summary>
    public void ForgetNeverTaken()
    {
        Moves.RemoveAll(way => Constant.Is(Condition(way.Copy), 0));
        Exits.RemoveAll(way => Constant.Is(Condition(way.Copy), 0));
    }

    /// <summary>A read to which a way leads from it that is known to stay, at least at times; null for none.</summary>
    public Block? Staying => Moves.Find(move =>
        new ParsePlaces(_turn, this).Of(ReadOf(move.To).Operands[0], move.From)?.Contains(0) == true).To;

    /// <summary>True if it may go on to itself by one byte, as over text: there may be many such steps.</summary>
    public bool IsOverText => Moves.Exists(move => move.To == Root
        && new ParsePlaces(_turn, this).Of(ReadOf(Root).Operands[0], move.From)?.Contains(1) == true);

    /// <summary>
    /// True if a way leads to where the step's own place began from, or in front of that: to a read at a sum of some of
    /// the values of which its place is the sum.
    /// </summary>
    private bool GoesBackTo(Block to)
    {
        var (place, other) = (OffsetOf(Root), OffsetOf(to));
        var rest = place.Terms.ToList();
        return other.Terms.All(rest.Remove) && rest.Count > 0
            && _turn.Signed(other.Constant - place.Constant) <= 0
            // In another turn of a loop around both, the values are others.
            && !_blocks.Exists(block => block != Root && other.Terms.Any(term => Defines(block, term)));
    }

    /// <summary>
    /// A read to which a way leads from it that begins another walk: at a place that the region does not compute, or
    /// where its own began from. Null if there is none.
    /// </summary>
    public Block? Anew
    {
        get
        {
            if (!_region.IsRead(Root)) return null;
            var known = new Dictionary<Block, List<(TurnOffset Place, bool IsAnew)>>();
            return Moves.Find(move => GoesBackTo(move.To) || IsAnew(OffsetOf(move.To), move.From, known)).To;
        }
    }

    /// <summary>True if a place at the end of a block is one that the region does not compute, on every way.</summary>
    private bool IsAnew(
        TurnOffset place, Block block, Dictionary<Block, List<(TurnOffset Place, bool IsAnew)>> known)
    {
        if (!place.Terms.Any(_region.Defines)) return true;
        if (block == Root || place.Terms.Any(term => term is not Phi && Defines(block, term))) return false;
        var places = known.TryGetValue(block, out var asked) ? asked : known[block] = [];
        if (places.FindIndex(other => other.Place.IsLike(place)) is var at and >= 0) return places[at].IsAnew;
        var isAnew = WaysTo(block).All(from => IsAnew(_turn.SumFrom(place, block, from), from, known));
        places.Add((place, isAnew));
        return isAnew;
    }

    /// <summary>The blocks of it that lead to one.</summary>
    public IEnumerable<Block> WaysTo(Block block) => block.Predecessors.Where(_copies.ContainsKey);

    /// <summary>The value that one in a block is on a way to it: of a phi, the operand of that way.</summary>
    public static Value OperandFrom(Value value, Block block, Block from) =>
        value is Phi phi && phi.Block == block ? phi.Operands[block.Predecessors.IndexOf(from)] : value;

    /// <summary>True if a block computes a value.</summary>
    public static bool Defines(Block block, Value value) =>
        value is Phi phi ? phi.Block == block : block.Operations.Contains(value);

    /// <summary>The condition under which a way is taken.</summary>
    public Value Condition(Block copy) => _conditions.Of(copy);

    /// <summary>A value as it is at the end of a block.</summary>
    public Value Of(Value value, Block block)
    {
        if (value is Constant) return value;
        if (!_region.Defines(value)) return _turn.Invariant(value);
        if (_values.TryGetValue((value, block), out var known)) return known;
        return _values[(value, block)] = Made(value, block);
    }

    /// <summary>
    /// The number of bytes by which an offset is more than that of the turn, modulo a power of two; null if it is not
    /// computed of that.
    /// </summary>
    public Value? Distance(Value value, Block block)
    {
        if (!_region.Defines(value)) return value is Constant ? null : _turn.DistanceAtBegin(this, value);
        if (_distances.TryGetValue((value, block), out var known)) return known;
        return _distances[(value, block)] = DistanceOf(value, block);
    }

    private TurnOffset OffsetOf(Block block) => _turn.OffsetOf(ReadOf(block).Operands[0]);

    /// <summary>
    /// The bytes by which an offset at the end of a block is more than that of the step's first read, where both are
    /// sums of the same values, none of which is computed on the way; null where they are not.
    /// </summary>
    public int? ConstantTo(Value value, Block block)
    {
        if (value is Constant || !_region.IsRead(Root)) return null;
        var (place, other) = (OffsetOf(Root), _turn.OffsetOf(value));
        if (!other.IsLike(place)) return null;
        var (seen, open) = (new HashSet<Block> { Root }, new Stack<Block>([block]));
        while (open.TryPop(out var at))
        {
            if (!seen.Add(at)) continue;
            if (other.Terms.Any(term => Defines(at, term))) return null;
            foreach (var from in WaysTo(at)) open.Push(from);
        }
        return _turn.Signed(other.Constant - place.Constant);
    }

    /// <summary>Takes up blocks from one on, as far as they read at constant distances.</summary>
    private void Include(Block block)
    {
        if (_copies.ContainsKey(block)) return;
        var copy = new Block();
        _copies[block] = copy;
        _blocks.Add(block);
        foreach (var to in block.Terminator!.Successors.Where(to => Joins(block, to))) Include(to);
    }

    /// <summary>True if a block is done in the same turn.</summary>
    private bool Joins(Block from, Block block)
    {
        if (block == Root || !_region.Contains(block)) return false;
        if (_copies.ContainsKey(block) || !_region.IsRead(block)) return true;
        if (!_region.IsRead(Root) || _turn.IsApart(Root, block) || !_region.IsInLoopsOf(Root, block))
            return false;
        return Widens(ReadOf(block), from);
    }

    /// <summary>Looks at the bytes of a read, too; false if it is not known which, or they are too far apart.</summary>
    private bool Widens(Operation read, Block block)
    {
        if (new ParsePlaces(_turn, this).Of(read.Operands[0], block) is not { Count: > 0 } places) return false;
        var (least, end) = (Math.Min(_least, places[0]), Math.Max(_end, places[^1] + read.Width / 8));
        if (end - least > ParseTurn.MostBytes) return false;
        (_least, _end) = (least, end);
        return true;
    }

    private Value Made(Value value, Block block)
    {
        if (value is Operation operation && Defines(block, value)) return Computed(operation, block);
        if (block == Root) return _turn.AtBegin(this, value);
        return Joined(block, from => OperandFrom(value, block, from), Of);
    }

    /// <summary>The choice among the values that come by the ways to a block.</summary>
    private Value Joined(Block block, Func<Block, Value> operand, Func<Value, Block, Value> of)
    {
        var ways = WaysTo(block).ToList();
        var values = ways.ConvertAll(from => of(operand(from), from));
        return values.TrueForAll(value => Constant.AreSame(value, values[0]))
            ? values[0]
            : _conditions.Choose(_copies[block], way => values[way]);
    }

    private Value Computed(Operation operation, Block block)
    {
        if (operation.Opcode == Opcode.FrameRead) return Read(operation, block);
        return _turn.Made(operation, [.. operation.Operands.Select(operand => Of(operand, block))]);
    }

    private Value Read(Operation read, Block block)
    {
        if (read.Operands[0] is Constant) return _turn.Invariant(read);
        var places = new ParsePlaces(_turn, this).Of(read.Operands[0], block)?.Select(place => place + Ahead).ToList();
        if (places is null or [] || places.Exists(place => place < 0 || place + read.Width / 8 > Bytes))
        {
            _turn.Part(Root, block);
            return FoldingBuilder.Zero(read.Width);
        }
        var bytes = places.ConvertAll(place => _turn.BytesFrom(place, read.Width / 8));
        if (bytes.Count == 1) return bytes[0];
        if (Distance(read.Operands[0], block) is not { } distance)
        {
            _turn.Part(Root, block);
            return FoldingBuilder.Zero(read.Width);
        }
        return places.Zip(bytes).Skip(1).Aggregate(bytes[0], (so, at) => _turn.Builder.Select(
            _turn.Builder.Equal(distance, _turn.Number(at.First)), at.Second, so));
    }

    private Value? DistanceOf(Value value, Block block)
    {
        if (value is Operation operation && Defines(block, value)) return DistanceOf(operation, block);
        if (block == Root) return _turn.DistanceAtBegin(this, value);
        if (WaysTo(block).All(from => Distance(OperandFrom(value, block, from), from) is null)) return null;
        return Joined(
            block,
            from => OperandFrom(value, block, from),
            (one, from) => Distance(one, from) ?? _turn.DistanceTo(Of(one, from)));
    }

    private Value? DistanceOf(Operation operation, Block block)
    {
        var n = _turn.Builder;
        switch (operation)
        {
            case { Opcode: Opcode.Add, Operands: [var a, var b] } when _turn.Keeps(operation):
                var (one, other) = (Distance(a, block), Distance(b, block));
                if ((one is null) == (other is null)) return null;
                return n.Add((one ?? other)!, n.Resize(Of(one is null ? a : b, block), _turn.OffsetBits));
            case { Opcode: Opcode.Subtract, Operands: [var a, Constant by] } when _turn.Keeps(operation):
                return Distance(a, block) is { } from
                    ? n.Subtract(from, new Constant(_turn.OffsetBits, by.Bits))
                    : null;
            case { Opcode: Opcode.Concat, Operands: [Constant { Bits: var zeros }, var low] } when zeros == 0:
                return Distance(low, block);
            case { Opcode: Opcode.ZeroExtend, Operands: [var part] }:
                return Distance(part, block);
            case { Opcode: Opcode.Truncate or Opcode.Extract, Low: 0, Operands: [var whole] }
                when _turn.Keeps(operation):
                return Distance(whole, block);
            default:
                return null;
        }
    }
}
