using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// The number by which the index of a loop grows in a turn that reads the length of what it looks at:
/// <c>at += length + 1</c>.
/// </summary>
internal sealed class WalkStep
{
    /// <summary>More bytes than any frame has.</summary>
    private const int MostBytes = 1 << 14;

    private readonly Loop _loop;
    private readonly Phi _index;
    private readonly PathRanges _facts;
    private readonly UInt128 _first;
    private readonly HashSet<Value> _open = new(ReferenceEqualityComparer.Instance);
    private int _width;
    private Int128 _highest;

    private WalkStep(Loop loop, Phi index, PathRanges facts, UInt128 first)
    {
        (_loop, _index, _facts, _first, _width) = (loop, index, facts, first, index.Width);
        Rest = new Phi(1, loop.Header);
    }

    /// <summary>Stands for the bytes up to the next one that a turn looks at: no phi of the loop.</summary>
    public Phi Rest { get; private set; }

    /// <summary>The most by which the index grows.</summary>
    public UInt128 Most { get; private set; }

    /// <summary>
    /// The step of an index; null if it may stay where it is, go back, or grow by more than any frame has bytes.
    /// </summary>
    /// <param name="loop">The loop.</param>
    /// <param name="index">The index.</param>
    /// <param name="facts">What is known of values at each place.</param>
    /// <param name="first">The most that it is at first, and by which it grows with the frame's bytes.</param>
    public static WalkStep? Of(Loop loop, Phi index, PathRanges facts, UInt128 first)
    {
        var step = new WalkStep(loop, index, facts, first);
        foreach (var (from, value) in step.Rounds())
        {
            if (step.On(from, loop.Header, value) is not var (least, most) || least < 1 || most > MostBytes)
                return null;
            step.Most = UInt128.Max(step.Most, (UInt128)most);
        }
        // All that is computed of the index has room for where it may be.
        if (first + (UInt128)step._highest > Arithmetic.Mask(step._width)) return null;
        step.Rest = new Phi(Interval.Of(step.Most).Width, loop.Header);
        return step;
    }

    /// <summary>True if a phi of a loop's header may be such an index.</summary>
    public static bool MayBe(Loop loop, Phi phi) =>
        new WalkStep(loop, phi, null!, 0).Rounds().All(round => round.Value != phi && Follows(loop, phi, round.Value));

    /// <summary>True if a value is the index and something more.</summary>
    public bool Follows(Value value) => Follows(_loop, _index, value);

    /// <summary>True if the result of a sum, or of a choice of low bits, needs no more bits than it has.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="rangeOf">The numbers that its operands can be.</param>
    public static bool IsWhole(Operation operation, Func<Value, Interval> rangeOf) => operation.Opcode switch
    {
        Opcode.Add => rangeOf(operation.Operands[0]).Max + rangeOf(operation.Operands[1]).Max
            <= Arithmetic.Mask(operation.Width),
        Opcode.Extract or Opcode.Truncate =>
            operation.Low == 0 && rangeOf(operation.Operands[0]).Max <= Arithmetic.Mask(operation.Width),
        _ => false,
    };

    private IEnumerable<(Block From, Value Value)> Rounds() => _index.Operands.Select((value, way) => (value, way))
        .Where(each => _loop.Body.Contains(_loop.Header.Predecessors[each.way]))
        .Select(each => (_loop.Header.Predecessors[each.way], each.value));

    /// <summary>True if a value is the index of a loop and something more.</summary>
    public static bool Follows(Loop loop, Phi index, Value value) =>
        Follows(loop, index, value, new HashSet<Value>(ReferenceEqualityComparer.Instance));

    private static bool Follows(Loop loop, Phi index, Value value, HashSet<Value> seen) => value switch
    {
        _ when value == index => true,
        Operation
        {
            Opcode: Opcode.Add or Opcode.Subtract or Opcode.Concat or Opcode.ZeroExtend or Opcode.Truncate
                or Opcode.Extract,
        } operation => seen.Add(value) && operation.Operands.Exists(operand => Follows(loop, index, operand, seen)),
        Phi phi => phi.Block != loop.Header && loop.Body.Contains(phi.Block) && seen.Add(value)
            && phi.Operands.Exists(operand => Follows(loop, index, operand, seen)),
        _ => false,
    };

    /// <summary>
    /// The least and the most that a value is more than the index, on a way from a block to another; null if that is
    /// not known.
    /// </summary>
    private (Int128 Least, Int128 Most)? On(Block from, Block to, Value value)
    {
        if (Found(from, to, value) is not var (least, most) || least < 0) return null;
        _highest = Int128.Max(_highest, most);
        return (least, most);
    }

    private (Int128 Least, Int128 Most)? Found(Block from, Block to, Value value)
    {
        if (value == _index) return (0, 0);
        if (value is Phi phi)
        {
            (Int128 Least, Int128 Most)? joined = null;
            for (var way = 0; way < phi.Operands.Count; way++)
            {
                if (On(phi.Block.Predecessors[way], phi.Block, phi.Operands[way]) is not var (least, most)) return null;
                joined = joined is var (before, after) ? (Int128.Min(least, before), Int128.Max(most, after))
                    : (least, most);
            }
            return joined;
        }
        if (value is not Operation operation || !Follows(value)) return null;
        if (operation.Opcode is Opcode.Add or Opcode.Extract or Opcode.Truncate
            && !IsWhole(operation, operand => _facts.On(from, to, operand)))
            _width = Math.Min(_width, operation.Width);
        switch (operation)
        {
            case { Opcode: Opcode.Add, Operands: [var a, var b] } when Follows(a) != Follows(b):
                var (inner, other) = Follows(a) ? (a, b) : (b, a);
                return On(from, to, inner) is var (least, most) && Added(from, to, other) is { } by
                    ? (least + (Int128)by.Min, most + (Int128)by.Max)
                    : null;
            case { Opcode: Opcode.Subtract, Operands: [var whole, Constant { Bits: var less }] } when less < MostBytes:
                return On(from, to, whole) is var (low, high) ? (low - (Int128)less, high - (Int128)less) : null;
            case { Opcode: Opcode.Concat, Operands: [Constant { Bits: var zeros }, var part] } when zeros == 0:
                return On(from, to, part);
            case { Opcode: Opcode.ZeroExtend or Opcode.Truncate, Operands: [var part] }:
                return On(from, to, part);
            case { Opcode: Opcode.Extract, Low: 0, Operands: [var part] }:
                return On(from, to, part);
            default:
                return null;
        }
    }

    /// <summary>The numbers that something added can be; null if they are no numbers of bytes.</summary>
    private Interval? Added(Block from, Block to, Value value)
    {
        var range = RangeOn(from, to, value);
        return range.Max <= MostBytes ? range : null;
    }

    /// <summary>The numbers that a value can be on a way; of a phi, by the ways to it.</summary>
    private Interval RangeOn(Block from, Block to, Value value)
    {
        var range = _facts.On(from, to, value);
        if (value is Operation { Opcode: Opcode.Concat or Opcode.ZeroExtend or Opcode.Extract } operation
            && (operation.Opcode == Opcode.Concat ? Constant.Is(operation.Operands[0], 0) : operation.Low == 0))
        {
            var part = RangeOn(from, to, operation.Operands[^1]);
            return part.Max <= Arithmetic.Mask(value.Width) ? range.Meet(part) ?? range : range;
        }
        if (value is not Phi phi || phi.Block == _loop.Header || !_loop.Body.Contains(phi.Block) || !_open.Add(phi))
            return range;
        var joined = phi.Operands.Select((operand, way) => RangeOn(phi.Block.Predecessors[way], phi.Block, operand))
            .Aggregate((a, b) => a.Join(b));
        _open.Remove(phi);
        return range.Meet(joined) ?? range;
    }
}
