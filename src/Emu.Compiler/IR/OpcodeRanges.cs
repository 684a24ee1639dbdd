namespace Emu.Compiler.IR;

/// <summary>
/// The numbers that the result of a pure operation can be, from those of its operands (Moore 1966, Interval Analysis):
/// each transfer function contains every result.
/// </summary>
internal static class OpcodeRanges
{
    /// <summary>All numbers of the width.</summary>
    public static Interval Full(Operation o, Func<Value, Interval> of) => Interval.Full(o.Width);

    public static Interval Same(Operation o, Func<Value, Interval> of) => of(o.Operands[0]);

    public static Interval Add(Operation o, Func<Value, Interval> of)
    {
        var (a, b) = Both(o, of);
        return o.Width < Value.MaxWidth ? Fit(o, a.Min + b.Min, a.Max + b.Max) : Interval.Full(o.Width);
    }

    public static Interval Subtract(Operation o, Func<Value, Interval> of)
    {
        var (a, b) = Both(o, of);
        return a.Min >= b.Max ? new Interval(a.Min - b.Max, a.Max - b.Min) : Interval.Full(o.Width);
    }

    public static Interval Multiply(Operation o, Func<Value, Interval> of)
    {
        var (a, b) = Both(o, of);
        return o.Width <= Value.MaxWidth / 2 ? Fit(o, a.Min * b.Min, a.Max * b.Max) : Interval.Full(o.Width);
    }

    public static Interval DivideUnsigned(Operation o, Func<Value, Interval> of)
    {
        var (a, b) = Both(o, of);
        return b.Min > 0 ? new Interval(a.Min / b.Max, a.Max / b.Min) : Interval.Full(o.Width);
    }

    public static Interval DivideSigned(Operation o, Func<Value, Interval> of) =>
        AreNonNegative(o, of) ? DivideUnsigned(o, of) : Interval.Full(o.Width);

    public static Interval RemainderUnsigned(Operation o, Func<Value, Interval> of)
    {
        var (a, b) = Both(o, of);
        return b.Min > 0 ? new Interval(0, UInt128.Min(a.Max, b.Max - 1)) : Interval.Full(o.Width);
    }

    public static Interval RemainderSigned(Operation o, Func<Value, Interval> of) =>
        AreNonNegative(o, of) ? RemainderUnsigned(o, of) : Interval.Full(o.Width);

    public static Interval And(Operation o, Func<Value, Interval> of)
    {
        var (a, b) = Both(o, of);
        return new Interval(0, UInt128.Min(a.Max, b.Max));
    }

    public static Interval Or(Operation o, Func<Value, Interval> of)
    {
        var (a, b) = Both(o, of);
        return new Interval(UInt128.Max(a.Min, b.Min), Arithmetic.Mask(a.Join(b).Width));
    }

    public static Interval Xor(Operation o, Func<Value, Interval> of)
    {
        var (a, b) = Both(o, of);
        return new Interval(0, Arithmetic.Mask(a.Join(b).Width));
    }

    public static Interval ShiftLeft(Operation o, Func<Value, Interval> of)
    {
        var (a, by) = Both(o, of);
        return by.Max < (UInt128)o.Width && a.Width + (int)by.Max <= o.Width
            ? new Interval(a.Min << (int)by.Min, a.Max << (int)by.Max)
            : Interval.Full(o.Width);
    }

    public static Interval ShiftRight(Operation o, Func<Value, Interval> of)
    {
        var (a, by) = Both(o, of);
        return by.Max < (UInt128)o.Width
            ? new Interval(a.Min >> (int)by.Max, a.Max >> (int)by.Min)
            : Interval.Full(o.Width);
    }

    public static Interval SignExtend(Operation o, Func<Value, Interval> of) =>
        IsNonNegative(o.Operands[0], of) ? of(o.Operands[0]) : Interval.Full(o.Width);

    /// <summary>Bits from <see cref="Operation.Low"/> on: none of the higher ones may differ.</summary>
    public static Interval Extract(Operation o, Func<Value, Interval> of)
    {
        var a = of(o.Operands[0]);
        return Fit(o, a.Min >> o.Low, a.Max >> o.Low);
    }

    public static Interval Concat(Operation o, Func<Value, Interval> of)
    {
        var (a, b) = Both(o, of);
        var low = o.Operands[1].Width;
        return new Interval((a.Min << low) + b.Min, (a.Max << low) + b.Max);
    }

    public static Interval Select(Operation o, Func<Value, Interval> of) =>
        Given(o.Operands[0], true, o.Operands[1], of).Join(Given(o.Operands[0], false, o.Operands[2], of));

    public static Interval Equal(Operation o, Func<Value, Interval> of)
    {
        var (a, b) = Both(o, of);
        return a.Max < b.Min || b.Max < a.Min ? Interval.Of(0) : Interval.Full(o.Width);
    }

    public static Interval LessUnsigned(Operation o, Func<Value, Interval> of)
    {
        var (a, b) = Both(o, of);
        return a.Max < b.Min ? Interval.Of(1) : a.Min >= b.Max ? Interval.Of(0) : Interval.Full(o.Width);
    }

    public static Interval LessSigned(Operation o, Func<Value, Interval> of) =>
        AreNonNegative(o, of) ? LessUnsigned(o, of) : Interval.Full(o.Width);

    /// <summary>A number of bits.</summary>
    public static Interval Count(Operation o, Func<Value, Interval> of) => Fit(o, 0, (UInt128)o.Operands[0].Width);

    private static (Interval A, Interval B) Both(Operation o, Func<Value, Interval> of) =>
        (of(o.Operands[0]), of(o.Operands[1]));

    /// <summary>An interval; all numbers of the width if it has others.</summary>
    private static Interval Fit(Operation o, UInt128 min, UInt128 max) =>
        min <= max && max <= Arithmetic.Mask(o.Width) ? new Interval(min, max) : Interval.Full(o.Width);

    private static bool AreNonNegative(Operation o, Func<Value, Interval> of) =>
        IsNonNegative(o.Operands[0], of) && IsNonNegative(o.Operands[1], of);

    private static bool IsNonNegative(Value value, Func<Value, Interval> of) =>
        of(value).Max <= Arithmetic.Mask(value.Width - 1);

    /// <summary>A value chosen by a comparison that it is part of, as in a minimum.</summary>
    private static Interval Given(Value condition, bool holds, Value value, Func<Value, Interval> of)
    {
        var range = of(value);
        if (condition is not Operation { Opcode: Opcode.LessUnsigned or Opcode.LessSigned } less) return range;
        if (less.Opcode == Opcode.LessSigned && !AreNonNegative(less, of)) return range;
        var (a, b) = Both(less, of);
        var (isA, isB) = (Constant.AreSame(value, less.Operands[0]), Constant.AreSame(value, less.Operands[1]));
        var (min, max) = (range.Min, range.Max);
        if (isA && holds && b.Max > 0) max = UInt128.Min(max, b.Max - 1);
        else if (isA && !holds) min = UInt128.Max(min, b.Min);
        else if (isB && holds && a.Min < UInt128.MaxValue) min = UInt128.Max(min, a.Min + 1);
        else if (isB && !holds) max = UInt128.Min(max, a.Max);
        // Never so: then it does not matter.
        return min <= max ? new Interval(min, max) : range;
    }
}
