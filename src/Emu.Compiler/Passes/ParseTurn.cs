using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// The steps along the frame of a region as one turn of a fold: a part of the state is the number of the step that is
/// next (a loop over a program counter), others are the values that steps leave to those behind them.
/// </summary>
/// <remarks>
/// Places are numbers modulo a power of two that is more than the frame's bytes. A read that is done is inside the
/// frame, as the checks before it say, so this tells its place. A step that would go back is one to a place behind
/// the frame, where no turn does anything; one that would stay leaves the region at once. Neither goes a way of the
/// program, and a frame that comes to that is another's to handle.
/// </remarks>
internal sealed class ParseTurn
{
    /// <summary>The most bytes that a turn looks at.</summary>
    public const int MostBytes = 32;

    private const int MostSteps = 16;

    private const int MostOperations = 4000;

    /// <summary>The depth of an operation with a carry, and of a comparison, where a gate has 1.</summary>
    private const int CarryDepth = 7, EqualDepth = 5;

    private static readonly bool[] s_forms = [true, false];

    private readonly int _capacity;
    private readonly PathRanges _facts;
    private readonly HashSet<(Block, Block)> _apart;
    private readonly HashSet<StateElement> _written;
    private readonly Block _turn = new();
    private readonly OperationList _n, _outside;
    private readonly Dictionary<Block, int> _numbers = [];
    private readonly List<ParseStep> _steps = [];
    private readonly Dictionary<Value, Value> _invariants = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Value, Value> _outsideOf = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Value, Value> _reads = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Value, Phi> _registers = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<(Block, Value), Value?> _behind = [];
    private readonly List<(Block Root, Value Value)> _needed = [], _small = [];
    private readonly List<Phi> _bytes;
    private readonly Phi _offset, _reached, _rest;
    private Phi _next = null!;
    private readonly bool _tells;
    private readonly Dictionary<Value, Interval> _ranges = new(ReferenceEqualityComparer.Instance);
    private List<List<Value>> _fields = [];
    private UInt128? _start;
    private ParseObstacle _obstacle;
    private bool _isApart, _fails;

    private ParseTurn(
        Compilation compilation, ParseRegion region, PathRanges facts, HashSet<(Block, Block)> apart, bool tells)
    {
        (Region, _capacity, _facts, _apart, _tells) = (region, compilation.Capacity, facts, apart, tells);
        _written = ConstantState.Written(compilation.Functions);
        OffsetBits = Interval.Of((UInt128)compilation.Capacity).Width;
        _n = new OperationList(_turn.Operations);
        _outside = new OperationList(region.Before.Operations);
        _bytes = [.. Enumerable.Range(0, MostBytes).Select(_ => new Phi(8, _turn))];
        _offset = new Phi(FrameFold.OffsetBits, _turn);
        (_reached, _rest) = (new Phi(1, _turn), new Phi(OffsetBits, _turn));
    }

    /// <summary>The region.</summary>
    public ParseRegion Region { get; }

    /// <summary>Makes the turn's values.</summary>
    public FoldingBuilder Builder => _n;

    /// <summary>The bits of a place.</summary>
    public int OffsetBits { get; }

    /// <summary>The steps; the first does what stands in front of the first read.</summary>
    public IReadOnlyList<ParseStep> Steps => _steps;

    /// <summary>The least that each value can be that is used behind the region: the fold gives the rest.</summary>
    public List<UInt128> Leasts { get; } = [];

    /// <summary>The number among the fold's results of a value that is used behind the region.</summary>
    public int PlaceOf(Value value) => 1 + _fields.FindIndex(field => field.Contains(value));

    /// <summary>The operands of the fold.</summary>
    public IReadOnlyList<Value> Operands { get; private set; } = [];

    /// <summary>The fold.</summary>
    public FrameFold Fold { get; private set; } = null!;

    /// <summary>
    /// The turn of a region, of two forms the one whose state is known sooner; null if it cannot be one.
    /// </summary>
    /// <param name="compilation">The service.</param>
    /// <param name="region">The region.</param>
    /// <param name="results">Its ways out.</param>
    /// <param name="obstacle">The reason why it cannot be one, of those that can be cleared away.</param>
    public static ParseTurn? Of(
        Compilation compilation, ParseRegion region, ParseResults results, out ParseObstacle obstacle)
    {
        var met = default(ParseObstacle);
        var facts = compilation.PathRangesOf(compilation.Process);
        ParseTurn? Form(bool tells)
        {
            var apart = new HashSet<(Block, Block)>();
            while (true)
            {
                var turn = new ParseTurn(compilation, region, facts, apart, tells);
                var isMade = turn.TryFollow() && turn.TryMake(results);
                met = met.Or(turn._obstacle);
                if (!turn._isApart) return isMade ? turn : null;
            }
        }
        var best = s_forms.Select(Form).OfType<ParseTurn>().MinBy(turn => turn.Depth());
        obstacle = met;
        return best;
    }

    /// <summary>A number modulo a place's power of two as one that may be negative.</summary>
    public int Signed(UInt128 number)
    {
        var bits = (int)(number & Arithmetic.Mask(OffsetBits));
        return bits < 1 << (OffsetBits - 1) ? bits : bits - (1 << OffsetBits);
    }

    /// <summary>A place as a sum.</summary>
    public TurnOffset OffsetOf(Value value) => TurnOffset.Of(value, OffsetBits, Keeps);

    /// <summary>
    /// A place behind a block as it is on a way to it: of a phi, what comes by that way is in the sum.
    /// </summary>
    public TurnOffset SumFrom(TurnOffset place, Block block, Block from)
    {
        var parts = place.Terms.Select(term => OffsetOf(ParseStep.OperandFrom(term, block, from))).ToList();
        return new TurnOffset(
            [.. parts.SelectMany(part => part.Terms)],
            parts.Aggregate(place.Constant, (so, part) => so + part.Constant) & Arithmetic.Mask(OffsetBits));
    }

    /// <summary>True if an operation's result is that of its operands modulo a place's power of two.</summary>
    public bool Keeps(Operation operation) => operation.Width >= OffsetBits
        || WalkStep.IsWhole(operation, operand => _facts.AtOperand(operation, operand));

    /// <summary>True if a block is known to begin a step of its own, seen from a step's first block.</summary>
    public bool IsApart(Block root, Block block) => _apart.Contains((root, block));

    /// <summary>Notes that a block has to begin a step of its own.</summary>
    public void Part(Block root, Block block)
    {
        if (_apart.Add((root, block))) _isApart = true;
        else _fails = true;
    }

    /// <summary>Some of the turn's bytes as a number.</summary>
    public Value BytesFrom(int first, int count) => _bytes[first..(first + count)].Aggregate<Value>(_n.Concat);

    /// <summary>A pure operation of given operands; in front of the fold if they are all known there.</summary>
    public Value Made(Operation operation, List<Value> operands)
    {
        if (!operands.TrueForAll(operand => operand is Constant || _outsideOf.ContainsKey(operand)))
            return Made(_n, operation, operands);
        var outside = operands.ConvertAll(operand => _outsideOf.GetValueOrDefault(operand, operand));
        return Invariant(Made(_outside, operation, outside));
    }

    /// <summary>A value that is known in front of the fold, or a read of the frame at a constant place.</summary>
    public Value Invariant(Value value)
    {
        if (value is Operation { Opcode: Opcode.FrameRead } read && Region.Defines(value))
        {
            if (!_reads.TryGetValue(read, out var outside))
            {
                var copy = new Operation(Opcode.FrameRead, read.Width, read.Operands) { Location = read.Location };
                Region.Before.Operations.Add(copy);
                _reads[read] = outside = copy;
            }
            value = outside;
        }
        while (value is Phi { Operands: [var only] }) value = only;
        if (value is Constant) return value;
        if (_invariants.TryGetValue(value, out var known)) return known;
        var parameter = new Phi(value.Width, _turn);
        _outsideOf[parameter] = value;
        return _invariants[value] = parameter;
    }

    /// <summary>The bytes from the turn's place to another.</summary>
    public Value DistanceTo(Value place) => _n.Subtract(_n.Resize(place, OffsetBits), Place);

    /// <summary>The same of a value that is there where a step begins; null if its place does not tell.</summary>
    public Value? DistanceAtBegin(ParseStep step, Value value) => Behind(step, value) is not { } behind ? null
        : _n.Subtract(Number(step.Ahead), behind);

    /// <summary>A value that is there where a step begins: its place tells, or it is a part of the state.</summary>
    public Value AtBegin(ParseStep step, Value value)
    {
        if (Behind(step, value) is { } behind)
        {
            if (value.Width > OffsetBits) Note(_small, step.Root, value);
            return _n.Resize(_n.Subtract(_n.Add(Place, Number(step.Ahead)), behind), value.Width);
        }
        Note(_needed, step.Root, value);
        if (!_registers.TryGetValue(value, out var register))
            _registers[value] = register = new Phi(value.Width, _turn);
        return register;
    }

    private Value Place => _n.Extract(_offset, 0, OffsetBits);

    /// <summary>A number of bytes.</summary>
    public Constant Number(int number) => new(OffsetBits, (UInt128)(number & (int)Arithmetic.Mask(OffsetBits)));

    private static void Note(List<(Block, Value)> list, Block root, Value value)
    {
        if (!list.Exists(each => each.Item1 == root && each.Item2 == value)) list.Add((root, value));
    }

    private static Value Made(OperationList n, Operation operation, List<Value> operands)
    {
        n.Location = operation.Location;
        if (operation.Opcode == Opcode.MemoryRead) return ConstantLookup.Of(n, operation, operands);
        if (operation.Opcode != Opcode.Multiply)
        {
            return n.Make(new Operation(operation.Opcode, operation.Width, operands)
            {
                Low = operation.Low,
                Location = operation.Location,
            });
        }
        var places = operation.Operands.Zip(operands).ToList();
        return ConstantProduct.Of(n, operation, value => places.Find(each => each.First == value).Second);
    }

    /// <summary>
    /// The bytes by which the place of a step's first read lies behind a value; null if that is not known where the
    /// step begins. Of several values that a place is the sum of, it may tell the one that is computed first.
    /// </summary>
    private Value? Behind(ParseStep step, Value value)
    {
        if (!Region.IsRead(step.Root)) return null;
        if (_behind.TryGetValue((step.Root, value), out var known)) return known;
        var (place, number) = (OffsetOf(ParseStep.ReadOf(step.Root).Operands[0]), OffsetOf(value));
        var rest = place.Terms.ToList();
        var isPart = number.Terms.Count > 0 && number.Terms.All(rest.Remove);
        Value? behind = null;
        if (isPart && (rest.Count == 0 || number.Terms.Any(Region.Defines))
            && (!rest.Exists(Region.Defines) || _tells && number.Terms.Contains(Region.FirstOf(place.Terms))))
        {
            var sum = rest.FindAll(term => !Region.Defines(term)).Aggregate<Value, Value>(
                new Constant(OffsetBits, place.Constant - number.Constant),
                (so, term) => _outside.Add(_outside.Resize(term, OffsetBits), so));
            behind = rest.FindAll(Region.Defines)
                .Aggregate(Invariant(sum), (so, term) => _n.Add(so, _n.Resize(AtBegin(step, term), OffsetBits)));
        }
        return _behind[(step.Root, value)] = behind;
    }

    private bool TryFollow()
    {
        var open = new Queue<Block>([Region.Root]);
        while (open.TryDequeue(out var root))
        {
            if (!_numbers.TryAdd(root, _steps.Count)) continue;
            var step = new ParseStep(this, root);
            if (!step.TryFollow())
            {
                _obstacle = new ParseObstacle { GoesRound = true };
                return false;
            }
            if (_steps.Count == MostSteps) return false;
            step.ForgetNeverTaken();
            if (step.Staying is { } staying)
            {
                _obstacle = new ParseObstacle { Stays = (root, staying) };
                return false;
            }
            if (step.Anew is { } anew)
            {
                _obstacle = new ParseObstacle { Anew = (root, anew) };
                return false;
            }
            _steps.Add(step);
            foreach (var (_, to, _) in step.Moves) open.Enqueue(to);
        }
        return true;
    }

    /// <summary>Makes all values that steps leave to others, until no step needs more.</summary>
    private void FindNeeded(ParseResults results)
    {
        for (var count = -1; count != _needed.Count + _small.Count;)
        {
            count = _needed.Count + _small.Count;
            foreach (var step in _steps)
            {
                foreach (var (from, to, copy) in step.Moves)
                {
                    step.Condition(copy);
                    Advance(step, from, to);
                    foreach (var value in At(_needed, to).Concat(At(_small, to))) step.Of(value, from);
                }
                foreach (var (from, to, copy) in step.Exits)
                {
                    step.Condition(copy);
                    foreach (var value in results.UsedAt(from, to)) step.Of(value, from);
                }
            }
        }
    }

    private static List<Value> At(List<(Block Root, Value Value)> list, Block root) =>
        list.FindAll(each => each.Root == root).ConvertAll(each => each.Value);

    /// <summary>The bytes from a step's place to the next one's.</summary>
    private Value Advance(ParseStep step, Block from, Block to)
    {
        var place = ParseStep.ReadOf(to).Operands[0];
        var distance = step.Distance(place, from) ?? DistanceTo(step.Of(place, from));
        return _n.Subtract(distance, Number(_steps[_numbers[to]].Ahead));
    }

    /// <summary>True if a way leads to where values are as small as a place tells.</summary>
    private Value GoesOn(ParseStep step, Block from, Block to) =>
        At(_small, to).Select(value => _n.Extract(step.Of(value, from), OffsetBits, value.Width - OffsetBits))
            .Aggregate<Value, Value>(
                FoldingBuilder.Bit(true),
                (so, high) => _n.And(so, _n.Equal(high, FoldingBuilder.Zero(high.Width))));

    private bool TryMake(ParseResults results)
    {
        FindNeeded(results);
        // What has to be apart is known only when it is all made anew.
        if (_isApart || _fails) return _isApart;
        _next = new Phi(Interval.Of((UInt128)Math.Max(1, _steps.Count - 1)).Width, _turn);
        var acts = _n.And(_n.Not(_reached), _n.Equal(_rest, FoldingBuilder.Zero(_rest.Width)));
        var code = Each(step => step.Exits.Select(exit => (
            step.Condition(exit.Copy), (Value)results.CodeOf(exit.From, exit.To))), results.Code);
        List<Value> values = [_n.Select(acts, code, FoldingBuilder.Zero(code.Width))];
        values.AddRange(Found(results));
        var found = values.Count;
        var isLeft = Each(step => step.Moves.Select(move => (
            step.Condition(move.Copy), _n.Not(GoesOn(step, move.From, move.To)))), FoldingBuilder.Bit(true));
        var one = new Constant(_rest.Width, 1);
        values.Add(_n.Select(
            acts,
            Each(step => step.Moves.Select(move => (
                step.Condition(move.Copy),
                _n.Subtract(Advance(step, move.From, move.To), one))), _rest),
            _n.Subtract(_rest, one)));
        values.Add(_n.Select(
            acts,
            Each(step => step.Moves.Select(move => (
                step.Condition(move.Copy), (Value)new Constant(_next.Width, (UInt128)_numbers[move.To]))), _next),
            _next));
        foreach (var (value, register) in _registers)
        {
            values.Add(_n.Select(
                acts,
                Each(step => step.Moves.Where(move => _needed.Contains((move.To, value))).Select(move => (
                    step.Condition(move.Copy), step.Of(value, move.From))), register),
                register));
        }
        if (_turn.Operations.Count > MostOperations) return false;
        return TryFinish(_n.Or(_reached, _n.And(acts, isLeft)), values, found);
    }

    /// <summary>
    /// The fields of what is found: the excess of each value that is used behind the region over the least that it
    /// can be there.
    /// </summary>
    private List<Value> Found(ParseResults results)
    {
        var sizes = results.Values.ToDictionary<Value, Value, (UInt128 Least, int Width)>(
            value => value, value => SizeOf(results, value), ReferenceEqualityComparer.Instance);
        Leasts.AddRange(results.Values.Select(value => sizes[value].Least));
        _fields = results.Fields(value => sizes[value].Width, Value.MaxWidth - results.Code.Width);
        return _fields.ConvertAll(field =>
        {
            var width = field.Max(value => sizes[value].Width);
            return Each(
                step => step.Exits.SelectMany(exit => results.UsedAt(exit.From, exit.To).Where(field.Contains)
                    .Select(value => (step.Condition(exit.Copy), _n.Subtract(
                        _n.Resize(step.Of(value, exit.From), width), new Constant(width, sizes[value].Least))))),
                FoldingBuilder.Zero(width));
        });
    }

    /// <summary>The least that a value can be on the ways out with it, and the bits of what is more.</summary>
    private (UInt128 Least, int Width) SizeOf(ParseResults results, Value value)
    {
        List<(Block From, Block To, Block Copy)> Ways(ParseStep step) =>
            step.Exits.FindAll(exit => results.UsedAt(exit.From, exit.To).Contains(value));
        var ranges = _steps.SelectMany(step => Ways(step).Select(exit => RangeOn(step, exit, value))).ToList();
        if (ranges.Count == 0) ranges.Add(Interval.Of(0));
        var (least, most) = (ranges.Min(range => range.Min), ranges.Max(range => range.Max));
        var zeros = _steps.SelectMany(step => Ways(step).Select(exit => step.Of(value, exit.From)))
            .Select(KnownZeros).DefaultIfEmpty().Min();
        return (least, Math.Min(Interval.Of(most - least).Width, Math.Max(1, value.Width - zeros)));
    }

    /// <summary>The numbers that a value can be on a way out: by the program, and by the place of the step.</summary>
    private Interval RangeOn(ParseStep step, (Block From, Block To, Block Copy) exit, Value value)
    {
        var (range, own) = (_facts.On(exit.From, exit.To, value), RangeOf(step.Of(value, exit.From)));
        if (range.Meet(own) is not { } met) return range;
        // What the turn says alone can be found in it again.
        return own.Min == 0 ? met : met with { Min = own.Min };
    }

    /// <summary>The numbers that a value of the turn can be, at a place inside the frame.</summary>
    private Interval RangeOf(Value value)
    {
        if (value is Constant constant) return Interval.Of(constant.Bits);
        if (value == _offset) return new Interval(_start ??= Start(), (UInt128)_capacity - 1);
        if (_ranges.TryGetValue(value, out var known)) return known;
        if (_outsideOf.TryGetValue(value, out var outside))
            return _ranges[value] = outside.Width == value.Width
                ? _facts.At(Region.Before, outside)
                : Interval.Full(value.Width);
        return _ranges[value] = value is Operation operation && OpcodeTable.Of(operation.Opcode).Range is { } range
            ? range(operation, RangeOf)
            : Interval.Full(value.Width);
    }

    /// <summary>
    /// A value of the step that is next, of those of the ways from it; where it has no such way, another.
    /// </summary>
    private Value Each(Func<ParseStep, IEnumerable<(Value Condition, Value Value)>> of, Value otherwise)
    {
        var values = _steps.ConvertAll(step =>
        {
            var ways = of(step).ToList();
            var isSure = ways.Count > 0 && otherwise is Phi;
            var last = isSure ? ways[^1].Value : otherwise;
            return Enumerable.Reverse(isSure ? ways[..^1] : ways)
                .Aggregate(last, (so, way) => _n.Select(way.Condition, way.Value, so));
        });
        return ByNumber(values, _next.Width - 1);
    }

    /// <summary>The value of the step that is next: a tree of choices by the bits of its number.</summary>
    private Value ByNumber(List<Value> values, int bit)
    {
        if (values.Count == 1) return values[0];
        var half = 1 << bit;
        return values.Count <= half
            ? ByNumber(values, bit - 1)
            : _n.Select(
                _n.Extract(_next, bit, 1), ByNumber(values[half..], bit - 1), ByNumber(values[..half], bit - 1));
    }

    /// <summary>The number of highest bits of a value that are always 0.</summary>
    private static int KnownZeros(Value value) => value switch
    {
        Constant constant => value.Width - (constant.Bits == 0 ? 0 : Interval.Of(constant.Bits).Width),
        Operation { Opcode: Opcode.Concat, Operands: [Constant { Bits: var zeros } high, var low] } when zeros == 0 =>
            high.Width + KnownZeros(low),
        Operation { Opcode: Opcode.Select, Operands: [_, var a, var b] } => Math.Min(KnownZeros(a), KnownZeros(b)),
        _ => 0,
    };

    private bool TryFinish(Value isLeft, List<Value> values, int found)
    {
        if (values.Take(found).Sum(value => value.Width) > Value.MaxWidth)
        {
            _obstacle = new ParseObstacle { IsWide = true };
            return false;
        }
        var end = new Yield(isLeft, values);
        var used = new HashSet<Value>(Verifier.UsedBy(end), ReferenceEqualityComparer.Instance);
        foreach (var operation in Enumerable.Reverse(_turn.Operations).Where(used.Contains))
            used.UnionWith(operation.Operands);
        _turn.Operations.RemoveAll(operation => !used.Contains(operation));
        var bytes = Math.Max(1, _steps.Max(step => step.Bytes));
        var invariants = _outsideOf.Where(each => used.Contains(each.Key)).ToList();
        _turn.Phis.AddRange([
            .. _bytes.Take(bytes), _offset, _reached, .. invariants.Select(each => (Phi)each.Key), _rest, _next,
            .. _registers.Values,
        ]);
        _turn.Terminator = end;
        Fold = new FrameFold(
            new Function("turn", _turn), bytes, 1, invariants.Count, found, IsWalk: true, HidesState: true,
            IsOverText: _steps.Exists(step => Region.IsRead(step.Root) && step.IsOverText));
        var length = _outside.Make(new Operation(Opcode.Input, 32) { Input = FrameInput.Length });
        Operands =
        [
            new Constant(FrameFold.OffsetBits, Start()), _outside.Resize(length, FrameFold.OffsetBits),
            .. invariants.Select(each => each.Value), FoldingBuilder.Zero(_rest.Width),
            FoldingBuilder.Zero(_next.Width),
            .. _registers.Values.Select(register => FoldingBuilder.Zero(register.Width)),
        ];
        var header = new HeaderValues(phi => phi.Operands.Zip(phi.Block.Predecessors), _written);
        return Operands.All(header.Has);
    }

    /// <summary>The operations, roughly by their levels of logic, from the state to that of the next turn.</summary>
    private int Depth()
    {
        var depths = Fold.StateParameters.ToDictionary<Phi, Value, int>(
            phi => phi, _ => 0, ReferenceEqualityComparer.Instance);
        foreach (var operation in _turn.Operations)
        {
            var ready = operation.Operands.FindAll(depths.ContainsKey).ConvertAll(operand => depths[operand]);
            if (ready.Count == 0) continue;
            depths[operation] = ready.Max() + operation.Opcode switch
            {
                Opcode.Add or Opcode.Subtract or Opcode.LessSigned or Opcode.LessUnsigned => CarryDepth,
                Opcode.Equal => EqualDepth,
                Opcode.Concat or Opcode.Extract => 0,
                _ => 1,
            };
        }
        return Fold.NextState.Append(Fold.Turn.IsLeft).Max(value => depths.GetValueOrDefault(value));
    }

    /// <summary>A place in front of all that may be read first.</summary>
    private UInt128 Start()
    {
        var least = _steps[0].Moves.Min(move =>
        {
            var place = ParseStep.ReadOf(move.To).Operands[0];
            var (range, own) = (_facts.On(move.From, move.To, place), RangeOf(_steps[0].Of(place, move.From)));
            return (int)(range.Meet(own) ?? range).Min
                - _steps[_numbers[move.To]].Ahead;
        });
        return (UInt128)Math.Clamp(least - 1, 0, _capacity);
    }
}
