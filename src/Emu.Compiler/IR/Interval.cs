namespace Emu.Compiler.IR;

/// <summary>The numbers from <paramref name="Min"/> to <paramref name="Max"/>, unsigned.</summary>
internal readonly record struct Interval(UInt128 Min, UInt128 Max)
{
    /// <summary>All numbers of a width.</summary>
    public static Interval Full(int width) => new(0, Arithmetic.Mask(width));

    public static Interval Of(UInt128 number) => new(number, number);

    /// <summary>The bits that its numbers need; at least 1.</summary>
    public int Width => Math.Max(1, Value.MaxWidth - (int)UInt128.LeadingZeroCount(Max));

    /// <summary>True if it is one number.</summary>
    public bool IsOne => Min == Max;

    /// <summary>The numbers that are in both; null when there is none.</summary>
    public Interval? Meet(Interval other)
    {
        var (min, max) = (UInt128.Max(Min, other.Min), UInt128.Min(Max, other.Max));
        return min <= max ? new Interval(min, max) : null;
    }

    public Interval Join(Interval other) => new(UInt128.Min(Min, other.Min), UInt128.Max(Max, other.Max));
}
