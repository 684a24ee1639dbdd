using Emu.Compiler.IR;

namespace Emu.Compiler.Rewriting;

/// <summary>
/// Makes pure operations in their simplest form: folded, with bits taken apart and put together instead of shifted and
/// masked, so that what is constant or unused is seen bit by bit.
/// </summary>
internal abstract partial class FoldingBuilder
{
    /// <summary>The C# that new operations come from.</summary>
    public SourceLocation? Location { get; set; }

    public static Constant Zero(int width) => new(width, 0);

    public static Constant Bit(bool value) => new(1, value ? 1u : 0u);

    /// <summary>The simplest value equal to a pure operation.</summary>
    public Value Make(Operation operation)
    {
        if (Folding.TryFold(operation) is { } known) return known;
        var simpler = Folding.TrySimplify(operation);
        if (simpler is not null) return Make(simpler);
        return Rewrite(operation) ?? Intern(operation);
    }

    public Value Make(Opcode opcode, int width, params IReadOnlyList<Value> operands) =>
        Make(new Operation(opcode, width, operands) { Location = Location });

    public Value Not(Value bit) => Make(Opcode.Xor, bit.Width, bit, new Constant(bit.Width, UInt128.MaxValue));

    public Value And(Value a, Value b) => Make(Opcode.And, a.Width, a, b);

    public Value Or(Value a, Value b) => Make(Opcode.Or, a.Width, a, b);

    public Value Xor(Value a, Value b) => Make(Opcode.Xor, a.Width, a, b);

    public Value Equal(Value a, Value b) => Make(Opcode.Equal, 1, a, b);

    public Value Less(Value a, Value b) => Make(Opcode.LessUnsigned, 1, a, b);

    public Value Add(Value a, Value b) => Make(Opcode.Add, a.Width, a, b);

    public Value Subtract(Value a, Value b) => Make(Opcode.Subtract, a.Width, a, b);

    public Value Select(Value condition, Value then, Value @else) =>
        Make(Opcode.Select, then.Width, condition, then, @else);

    public Value Concat(Value high, Value low) => Make(Opcode.Concat, high.Width + low.Width, high, low);

    /// <summary>Bits from <paramref name="low"/> on.</summary>
    public Value Extract(Value value, int low, int width) =>
        width == value.Width
            ? value
            : Make(new Operation(Opcode.Extract, width, value) { Low = low, Location = Location });

    /// <summary>The value with another width: the low bits, or zeros above.</summary>
    public Value Resize(Value value, int width) =>
        width <= value.Width ? Extract(value, 0, width) : Concat(Zero(width - value.Width), value);

    /// <summary>The disjunction of some bits, as a balanced tree.</summary>
    public Value ReduceOr(IEnumerable<Value> bits) => Tree(Opcode.Or, 1, bits);

    /// <summary>An associative operation on all of some values, as a balanced tree; 0 of none.</summary>
    protected Value Tree(Opcode opcode, int width, IEnumerable<Value> values)
    {
        var level = values.ToList();
        if (level.Count == 0) return Zero(width);
        while (level.Count > 1)
        {
            var next = new List<Value>();
            for (var i = 0; i < level.Count; i += 2)
                next.Add(i + 1 < level.Count ? Make(opcode, width, level[i], level[i + 1]) : level[i]);
            level = next;
        }
        return level[0];
    }

    /// <summary>The most that a value can be.</summary>
    protected virtual UInt128 MostOf(Value value) =>
        value is Constant constant ? constant.Bits : Arithmetic.Mask(value.Width);

    /// <summary>The low bits of a value that are used; all where that is not known.</summary>
    protected virtual int DemandedOf(Value value) => value.Width;

    /// <summary>
    /// A value whose number of ones is even where that of another is, with as few bits as possible.
    /// </summary>
    protected virtual Value ParityOperand(Value value) => value;

    /// <summary>The operation as it is to be used: itself, or one like it that is there already.</summary>
    protected abstract Value Intern(Operation operation);

    private Value? Rewrite(Operation operation)
    {
        var outer = Location;
        // Some bits of a sum, computed by a narrower sum, still come from where the sum stands.
        Location = operation is { Opcode: Opcode.Extract, Operands: [Operation { Location: { } inner }] }
            ? inner
            : operation.Location;
        var rewritten = Rewritten(operation);
        Location = outer;
        return rewritten;
    }

    private Value? Rewritten(Operation operation)
    {
        var o = operation.Operands;
        var width = operation.Width;
        return operation.Opcode switch
        {
            Opcode.Truncate => Extract(o[0], 0, width),
            Opcode.ZeroExtend => Concat(Zero(width - o[0].Width), o[0]),
            Opcode.ShiftLeft or Opcode.ShiftRight or Opcode.ShiftRightSigned when o[1] is Constant count =>
                Shift(operation.Opcode, o[0], count.Bits),
            Opcode.ShiftLeft or Opcode.ShiftRight or Opcode.ShiftRightSigned => NarrowCount(operation),
            Opcode.Extract => ExtractOf(o[0], operation.Low, width),
            Opcode.Concat => ConcatOf(o[0], o[1]),
            Opcode.And or Opcode.Or or Opcode.Xor => Bitwise(operation.Opcode, o[0], o[1]),
            Opcode.Equal => EqualOf(o[0], o[1]),
            Opcode.LessUnsigned => LessOf(o[0], o[1]),
            Opcode.LessSigned => LessSignedOf(o[0], o[1]),
            Opcode.Select => SelectOf(o[0], o[1], o[2]),
            Opcode.Add => AddOf(o[0], o[1]),
            Opcode.Subtract => SubtractOf(o[0], o[1]),
            Opcode.Multiply when o[1] is Constant c && UInt128.IsPow2(c.Bits) =>
                Shift(Opcode.ShiftLeft, o[0], UInt128.Log2(c.Bits)),
            Opcode.Multiply when o[0] is Constant c && UInt128.IsPow2(c.Bits) =>
                Shift(Opcode.ShiftLeft, o[1], UInt128.Log2(c.Bits)),
            Opcode.DivideUnsigned when o[1] is Constant c && UInt128.IsPow2(c.Bits) =>
                Shift(Opcode.ShiftRight, o[0], UInt128.Log2(c.Bits)),
            Opcode.RemainderUnsigned when o[1] is Constant c && UInt128.IsPow2(c.Bits) =>
                And(o[0], new Constant(width, c.Bits - 1)),
            Opcode.DivideSigned or Opcode.RemainderSigned when IsNonNegative(o[0]) && IsNonNegative(o[1]) =>
                Make(
                    operation.Opcode == Opcode.DivideSigned ? Opcode.DivideUnsigned : Opcode.RemainderUnsigned,
                    width,
                    o[0],
                    o[1]),
            Opcode.OnesSum when o[0].Width <= width => Resize(o[0], width),
            Opcode.OnesSum
                when o[0] is Operation { Opcode: Opcode.Concat, Operands: [Constant { Bits: var zeros }, var low] }
                    && zeros == 0
                => Make(Opcode.OnesSum, width, low),
            Opcode.SignExtend when IsNonNegative(o[0]) => Resize(o[0], width),
            _ => null,
        };
    }

    private static bool IsNonNegative(Value value) => value switch
    {
        Constant constant => constant.Bits >> (constant.Width - 1) == 0,
        Operation { Opcode: Opcode.Concat } concat => IsNonNegative(concat.Operands[0]),
        Operation { Opcode: Opcode.ZeroExtend } => true,
        _ => false,
    };

    private Value Shift(Opcode opcode, Value value, UInt128 count)
    {
        var width = value.Width;
        if (count >= (UInt128)width)
            return opcode == Opcode.ShiftRightSigned
                ? Make(Opcode.SignExtend, width, Extract(value, width - 1, 1))
                : Zero(width);
        var by = (int)count;
        if (by == 0) return value;
        return opcode switch
        {
            Opcode.ShiftLeft => Concat(Extract(value, 0, width - by), Zero(by)),
            Opcode.ShiftRight => Concat(Zero(by), Extract(value, by, width - by)),
            _ => Make(Opcode.SignExtend, width, Extract(value, by, width - by)),
        };
    }

    /// <summary>Zeros above a count say nothing.</summary>
    private Value? NarrowCount(Operation operation) =>
        operation.Operands[1] is Operation { Opcode: Opcode.Concat } count && Constant.Is(count.Operands[0], 0)
            ? Make(operation.Opcode, operation.Width, operation.Operands[0], count.Operands[1])
            : null;
}
