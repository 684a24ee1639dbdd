using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>A value as a number of times another, plus a constant, without a carry out of its bits.</summary>
/// <param name="Base">The other value.</param>
/// <param name="Shift">It is taken 2 to this number of times.</param>
/// <param name="Offset">The constant.</param>
internal readonly record struct AffineForm(Value Base, int Shift, UInt128 Offset)
{
    /// <summary>The form of a value.</summary>
    /// <param name="value">The value.</param>
    /// <param name="ranges">The numbers that values can be.</param>
    public static AffineForm Of(Value value, Ranges ranges)
    {
        if (value is not Operation { Operands: [var first, var second] } operation)
        {
            return value is Operation { Opcode: Opcode.Extract, Low: 0, Operands: [var whole] }
                && ranges.Of(whole).Max <= Arithmetic.Mask(value.Width)
                    ? Of(whole, ranges)
                    : new AffineForm(value, 0, 0);
        }
        switch (operation.Opcode)
        {
            case Opcode.Concat when first is Constant { Bits: var high } && high == 0:
                return Of(second, ranges);
            case Opcode.Concat when second is Constant low:
                var form = Of(first, ranges);
                return new AffineForm(form.Base, form.Shift + low.Width, (form.Offset << low.Width) + low.Bits);
            case Opcode.Add when second is Constant by
                && ranges.Of(first).Max <= Arithmetic.Mask(value.Width) - by.Bits:
                var augend = Of(first, ranges);
                return augend with { Offset = augend.Offset + by.Bits };
            default:
                return new AffineForm(value, 0, 0);
        }
    }

    /// <summary>True if two values differ by a constant.</summary>
    public bool IsLike(AffineForm other) => Shift == other.Shift && AreEqual(Base, other.Base);

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
