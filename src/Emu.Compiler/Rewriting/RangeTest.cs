using Emu.Compiler.IR;

namespace Emu.Compiler.Rewriting;

/// <summary>A condition that is 1 if a value lies in a range of constants, or if it lies outside.</summary>
/// <param name="Value">The value.</param>
/// <param name="Range">The range; empty if <paramref name="IsEmpty"/>.</param>
/// <param name="IsNegated">True if it is 1 outside.</param>
/// <param name="IsEmpty">True if no value lies in the range.</param>
internal readonly record struct RangeTest(Value Value, Interval Range, bool IsNegated, bool IsEmpty = false)
{
    /// <summary>
    /// The condition that is 1 where this one is 0: inside a range again, where the rest of all is one.
    /// </summary>
    public RangeTest Opposite
    {
        get
        {
            var most = Arithmetic.Mask(Value.Width);
            var (min, max) = Range;
            if (IsEmpty || IsNegated || min == 0 == (max == most)) return this with { IsNegated = !IsNegated };
            return this with { Range = min == 0 ? new(max + 1, most) : new(0, min - 1) };
        }
    }

    /// <summary>The lowest bit from which on all numbers of the range are equal; null if no bits decide.</summary>
    public int? EqualBits
    {
        get
        {
            var differing = Range.Min ^ Range.Max;
            return (differing & differing + 1) == 0 && (Range.Min & differing) == 0 && differing != UInt128.MaxValue
                ? (int)UInt128.PopCount(differing)
                : null;
        }
    }

    /// <summary>True if one comparison says it.</summary>
    public bool IsOneComparison =>
        IsEmpty || Range.Min == 0 || Range.Max == Arithmetic.Mask(Value.Width) || EqualBits is not null;

    /// <summary>The range that a condition asks for; null if it asks for none.</summary>
    public static RangeTest? Of(Value condition)
    {
        if (condition is not Operation operation) return null;
        var o = operation.Operands;
        switch (operation.Opcode)
        {
            case Opcode.Xor when Constant.Is(o[1], 1) && operation.Width == 1:
                return Of(o[0])?.Opposite;
            case Opcode.Equal when o[1] is Constant one:
                return OfWhole(o[0], Interval.Of(one.Bits));
            case Opcode.LessUnsigned when o[1] is Constant { Bits: var limit } && limit > 0:
                return OfWhole(o[0], new Interval(0, limit - 1));
            case Opcode.LessUnsigned when o[0] is Constant { Bits: var least } && least < Arithmetic.Mask(o[1].Width):
                return OfWhole(o[1], new Interval(least + 1, Arithmetic.Mask(o[1].Width)));
            default:
                return null;
        }
    }

    /// <summary>Both conditions as one; null if their range is not one.</summary>
    public RangeTest? TryAnd(RangeTest other)
    {
        if (IsNegated && !other.IsNegated) return other.TryAnd(this);
        if (IsEmpty || other.IsEmpty) return null;
        if (!other.IsNegated)
            return Range.Meet(other.Range) is { } both ? this with { Range = both } : this with { IsEmpty = true };
        var (min, max) = Range;
        var (first, last) = other.Range;
        if (IsNegated)
        {
            // Outside both is outside of what both are together.
            var touches = Range.Meet(other.Range) is not null || max + 1 == first || last + 1 == min;
            return touches ? this with { Range = Range.Join(other.Range) } : null;
        }
        if (last < min || first > max) return this;
        if (first <= min) return last >= max ? this with { IsEmpty = true } : this with { Range = new(last + 1, max) };
        return last >= max ? this with { Range = new(min, first - 1) } : null;
    }

    /// <summary>The upper bits of a value say in what range the whole is.</summary>
    private static RangeTest OfWhole(Value value, Interval range)
    {
        while (value is Operation { Opcode: Opcode.Extract, Operands: [var whole] } part
            && part.Low + part.Width == whole.Width)
        {
            range = new(range.Min << part.Low, range.Max << part.Low | Arithmetic.Mask(part.Low));
            value = whole;
        }
        return new(value, range, false);
    }
}
