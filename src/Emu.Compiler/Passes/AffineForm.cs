using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>A value as a number of times another, plus a constant, without a carry out of its bits.</summary>
/// <param name="Base">The other value.</param>
/// <param name="Scale">How many times it is taken.</param>
/// <param name="Offset">The constant.</param>
internal readonly record struct AffineForm(Value Base, UInt128 Scale, UInt128 Offset)
{
    /// <summary>
    /// The sums and differences that are looked into: a product by a constant is few shifts, and values may be shared.
    /// </summary>
    private const int MostSums = 4;

    /// <summary>The form of a value.</summary>
    /// <param name="value">The value.</param>
    /// <param name="ranges">The numbers that values can be.</param>
    public static AffineForm Of(Value value, Ranges ranges) => Of(value, ranges, MostSums) ?? Itself(value);

    private static AffineForm Itself(Value value) => new(value, 1, 0);

    /// <summary>The form of a value that is made of another; null if it is only itself.</summary>
    private static AffineForm? Of(Value value, Ranges ranges, int sums)
    {
        if (value is not Operation operation) return null;
        AffineForm Form(Value part, int left) => Of(part, ranges, left) ?? Itself(part);
        bool IsWithin(Value part, UInt128 most) => ranges.Of(part).Max <= most;
        var mask = Arithmetic.Mask(value.Width);
        return (operation.Opcode, operation.Operands) switch
        {
            (Opcode.Extract, [var whole]) when operation.Low == 0 && IsWithin(whole, mask) => Form(whole, sums),
            (Opcode.Concat, [Constant { Bits: var high }, var low]) when high == 0 => Form(low, sums),
            (Opcode.Concat, [var high, Constant low]) =>
                Form(high, sums).Times((UInt128)1 << low.Width).Plus(low.Bits),
            (Opcode.Add, [var a, Constant by]) when IsWithin(a, mask - by.Bits) => Form(a, sums).Plus(by.Bits),
            (Opcode.Multiply, [var a, Constant by]) when by.Bits != 0 && IsWithin(a, mask / by.Bits) =>
                Form(a, sums).Times(by.Bits),
            (Opcode.Add, [var a, var b]) when sums > 0 && IsWithin(a, mask - ranges.Of(b).Max) =>
                Form(a, sums - 1).Plus(Form(b, sums - 1)),
            (Opcode.Subtract, [var a, var b]) when sums > 0 => Form(a, sums - 1).Minus(Form(b, sums - 1)),
            _ => null,
        };
    }

    private AffineForm Times(UInt128 number) => new(Base, Scale * number, Offset * number);

    private AffineForm Plus(UInt128 number) => this with { Offset = Offset + number };

    /// <summary>The sum with a form of the same base; null if it is of another.</summary>
    private AffineForm? Plus(AffineForm other) => AreEqual(Base, other.Base)
        ? new AffineForm(Base, Scale + other.Scale, Offset + other.Offset)
        : null;

    /// <summary>The difference from a form of the same base, if it is never negative; else null.</summary>
    private AffineForm? Minus(AffineForm other) =>
        AreEqual(Base, other.Base) && Scale > other.Scale && Offset >= other.Offset
            ? new AffineForm(Base, Scale - other.Scale, Offset - other.Offset)
            : null;

    /// <summary>True if two values differ by a constant.</summary>
    public bool IsLike(AffineForm other) => Scale == other.Scale && AreEqual(Base, other.Base);

    /// <summary>True if two values are the same but for zeros in front.</summary>
    private static bool AreEqual(Value one, Value other)
    {
        while ((one = WithoutZeros(one)) != (other = WithoutZeros(other)))
        {
            if (one is not Operation { Opcode: Opcode.Concat, Operands: [var high, var low] }
                || other is not Operation { Opcode: Opcode.Concat, Operands: [var otherHigh, var otherLow] }
                || !Constant.AreSame(low, otherLow))
                return false;
            (one, other) = (high, otherHigh);
        }
        return true;
    }

    /// <summary>A value without the zeros in front of it.</summary>
    public static Value WithoutZeros(Value value) =>
        value is Operation { Opcode: Opcode.Concat, Operands: [Constant { Bits: var high }, var low] } && high == 0
            ? WithoutZeros(low)
            : value;
}
