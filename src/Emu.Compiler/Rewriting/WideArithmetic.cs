using System.Numerics;
using Emu.Compiler.IR;

namespace Emu.Compiler.Rewriting;

/// <summary>
/// Writes products and quotients as operations of which each fits into a cycle: products of the size of a multiplier
/// block, and subtractions.
/// </summary>
internal abstract class WideArithmetic : FoldingBuilder
{
    /// <summary>The bits of both factors that a multiplier block takes (a DSP48E1 takes 25 and 18, signed).</summary>
    private const int LongFactor = 24, ShortFactor = 17;

    /// <summary>The bits of the product that it gives.</summary>
    public const int BlockBits = LongFactor + ShortFactor;

    /// <summary>True if a multiplier block takes two factors.</summary>
    public static bool FitsBlock(Value a, Value b)
    {
        var (one, other) = (SignificantBits(a), SignificantBits(b));
        return Math.Min(one, other) <= ShortFactor && Math.Max(one, other) <= LongFactor;
    }

    /// <summary>The low bits of a product.</summary>
    public Value Product(Value a, Value b)
    {
        var width = a.Width;
        var (x, y) = (Significant(a), Significant(b));
        if (OfTwoBits(x, y, width) is { } sum) return sum;
        if (x.Width < y.Width) (x, y) = (y, x);
        if (FitsBlock(x, y)) return Resize(Piece(x, y), width);
        var (ofLong, ofShort) = Pieces(x.Width, LongFactor) * Pieces(y.Width, ShortFactor)
            <= Pieces(x.Width, ShortFactor) * Pieces(y.Width, LongFactor)
                ? (LongFactor, ShortFactor)
                : (ShortFactor, LongFactor);
        var products = new List<(int Low, Value Bits)>();
        for (var i = 0; i < x.Width; i += ofLong)
        {
            for (var j = 0; j < y.Width && i + j < width; j += ofShort)
                products.Add((i + j, Limited(Piece(Part(x, i, ofLong), Part(y, j, ofShort)), width - i - j)));
        }
        products.Sort((one, other) => one.Low.CompareTo(other.Low));
        while (products.Count > 1)
            products =
            [
                .. products.Chunk(2).Select(pair => pair is [var one, var other] ? Sum(one, other, width) : pair[0]),
            ];
        return Resize(products[0].Bits, width);
    }

    /// <summary>A product by a constant of at most two bits, or of one less than a power of two: a sum.</summary>
    private Value? OfTwoBits(Value a, Value b, int width)
    {
        if (a is Constant) (a, b) = (b, a);
        if (a is Constant || b is not Constant { Bits: var factor }) return null;
        Value Times(UInt128 power) => ShiftedLeft(a, (int)UInt128.TrailingZeroCount(power), width);
        var low = factor & (0 - factor);
        return factor == low ? Times(low)
            : UInt128.IsPow2(factor - low) ? Add(Times(factor - low), Times(low))
            : UInt128.IsPow2(factor + low) ? Subtract(Times(factor + low), Times(low))
            : null;
    }

    private Value ShiftedLeft(Value value, int bits, int width) =>
        bits >= width ? Zero(width)
            : bits == 0 ? Resize(value, width)
            : Resize(Concat(Limited(value, width - bits), Zero(bits)), width);

    /// <summary>An unsigned quotient; by 0 it is not defined.</summary>
    public Value Quotient(Value dividend, Value divisor) =>
        divisor is Constant { Bits: var number }
            ? Resize(QuotientBy(dividend, number), dividend.Width)
            : Resize(Rows(dividend, divisor).Quotient, dividend.Width);

    /// <summary>The rest of an unsigned division; by 0 it is not defined.</summary>
    public Value Remainder(Value dividend, Value divisor)
    {
        if (divisor is not Constant { Bits: var number })
            return Resize(Rows(dividend, divisor).Remainder, dividend.Width);
        var quotient = QuotientBy(dividend, number);
        var bits = Math.Max(1, (int)(Value.MaxWidth - UInt128.LeadingZeroCount(number - 1)));
        var multiple = Product(Resize(quotient, bits), new Constant(bits, number));
        return Resize(Subtract(Resize(dividend, bits), multiple), dividend.Width);
    }

    /// <summary>A signed quotient or rest, by what an unsigned division makes of the magnitudes.</summary>
    /// <param name="divide">Gives the quotient, or the rest.</param>
    /// <param name="dividend">The dividend.</param>
    /// <param name="divisor">The divisor.</param>
    /// <param name="isQuotient">True if it is the quotient, whose sign both operands decide.</param>
    public Value Signed(Func<Value, Value, Value> divide, Value dividend, Value divisor, bool isQuotient)
    {
        var (isNegative, isByNegative) = (IsNegative(dividend), IsNegative(divisor));
        var magnitude = divide(
            NegatedIf(isNegative, dividend), NegatedIf(isByNegative, divisor));
        return NegatedIf(isQuotient ? Make(Opcode.Xor, 1, isNegative, isByNegative) : isNegative, magnitude);
    }

    private Value IsNegative(Value value) => Extract(value, value.Width - 1, 1);

    private Value NegatedIf(Value condition, Value value) =>
        Select(condition, Subtract(Zero(value.Width), value), value);

    private Value QuotientBy(Value dividend, UInt128 divisor)
    {
        dividend = Significant(dividend);
        var zeros = (int)UInt128.TrailingZeroCount(divisor);
        if (divisor == 0 || zeros >= dividend.Width || divisor > Arithmetic.Mask(dividend.Width)) return Zero(1);
        dividend = Part(dividend, zeros, dividend.Width);
        divisor >>= zeros;
        if (divisor == 1) return dividend;
        var bits = dividend.Width;
        var (multiplier, shift) = Reciprocal.Of(divisor, bits);
        var factorBits = (int)multiplier.GetBitLength();
        if (bits + factorBits <= Value.MaxWidth)
        {
            var product = ProductOf(dividend, multiplier, bits + factorBits);
            return Part(product, shift, product.Width);
        }
        if (2 * bits > Value.MaxWidth) return Rows(dividend, new Constant(bits, divisor)).Quotient;
        // The factor has a bit more than the dividend: that bit's product is the dividend.
        var high = Part(ProductOf(dividend, multiplier - (BigInteger.One << bits), 2 * bits), bits, bits);
        var sum = Add(Resize(high, bits + 1), Resize(dividend, bits + 1));
        return Part(sum, shift - bits, sum.Width);
    }

    private Value ProductOf(Value value, BigInteger factor, int width) =>
        Product(Resize(value, width), new Constant(width, (UInt128)factor));

    /// <summary>Restoring division: a row for each bit of the quotient, the highest first.</summary>
    private (Value Quotient, Value Remainder) Rows(Value dividend, Value divisor)
    {
        (dividend, divisor) = (Significant(dividend), Significant(divisor));
        Value? quotient = null, rest = null;
        for (var i = dividend.Width - 1; i >= 0; i--)
        {
            var bit = Extract(dividend, i, 1);
            var shifted = rest is null ? bit : Concat(rest, bit);
            var bits = Math.Max(shifted.Width, divisor.Width);
            var (minuend, subtrahend) = (Resize(shifted, bits), Resize(divisor, bits));
            var isLess = Less(minuend, subtrahend);
            quotient = quotient is null ? Not(isLess) : Concat(quotient, Not(isLess));
            var kept = Math.Min(shifted.Width, divisor.Width);
            rest = Select(isLess, Resize(shifted, kept), Resize(Subtract(minuend, subtrahend), kept));
        }
        return (quotient!, rest!);
    }

    /// <summary>The product of two parts, with all its bits.</summary>
    private Value Piece(Value a, Value b)
    {
        var width = Math.Min(Value.MaxWidth, a.Width + b.Width);
        return Make(Opcode.Multiply, width, Resize(a, width), Resize(b, width));
    }

    /// <summary>The sum of two parts of a product, each from a bit of it on.</summary>
    private (int Low, Value Bits) Sum((int Low, Value Bits) one, (int Low, Value Bits) other, int width)
    {
        var below = other.Low - one.Low;
        if (below >= one.Bits.Width)
            return (one.Low, Concat(other.Bits, Resize(one.Bits, below)));
        var high = Part(one.Bits, below, one.Bits.Width);
        var bits = Math.Min(width - other.Low, Math.Max(high.Width, other.Bits.Width) + 1);
        var sum = Add(Resize(high, bits), Resize(other.Bits, bits));
        return (one.Low, below == 0 ? sum : Concat(sum, Extract(one.Bits, 0, below)));
    }

    private Value Limited(Value value, int width) => value.Width <= width ? value : Extract(value, 0, width);

    /// <summary>So many bits from one on, or those that there are.</summary>
    private Value Part(Value value, int low, int count) => Extract(value, low, Math.Min(count, value.Width - low));

    /// <summary>A value without the bits at its top that are always 0.</summary>
    private Value Significant(Value value) => Extract(value, 0, Math.Max(1, SignificantBits(value)));

    /// <summary>The bits of a value up to the highest that can be 1.</summary>
    private static int SignificantBits(Value value) => value switch
    {
        Constant { Bits: var bits } => Value.MaxWidth - (int)UInt128.LeadingZeroCount(bits),
        Operation { Opcode: Opcode.ZeroExtend, Operands: [var part] } => SignificantBits(part),
        Operation { Opcode: Opcode.Concat, Operands: [var high, var low] } =>
            SignificantBits(high) is > 0 and var bits ? bits + low.Width : SignificantBits(low),
        _ => value.Width,
    };

    private static int Pieces(int bits, int ofPiece) => (bits + ofPiece - 1) / ofPiece;
}
