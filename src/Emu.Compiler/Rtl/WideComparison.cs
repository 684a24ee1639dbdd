namespace Emu.Compiler.Rtl;

/// <summary>
/// Comparisons of two wide values for equality by a carry chain: three bits of each in a LUT, and a carry that passes
/// those LUTs that find them equal.
/// </summary>
internal static class WideComparison
{
    /// <summary>The bits of each value that a LUT compares.</summary>
    public const int PartBits = 3;

    /// <summary>A chain saves nothing for narrower values, and takes too long for wider ones.</summary>
    private const int LeastBits = 24, MostBits = 64;

    /// <summary>True if values of a width are compared by a chain, where neither is constant.</summary>
    public static bool IsFor(int width) => width is >= LeastBits and <= MostBits;

    /// <summary>The LUTs that compare values of a width, each a bit of the carry chain.</summary>
    public static int Parts(int width) => (width + PartBits - 1) / PartBits;
}
