namespace Emu.Compiler.Reports.Size;

/// <summary>The DSPs and LUTs of products and quotients.</summary>
internal static class Multiplier
{
    /// <summary>The widths that a DSP multiplies, both signed (Xilinx UG479: 25 by 18 bits).</summary>
    private const int FirstWidth = 25, SecondWidth = 18;

    /// <summary>The bits of a part of a wider factor, without its sign.</summary>
    private const int PartWidth = 17;

    /// <summary>Narrower factors and products are made of LUTs.</summary>
    private const int LeastFactor = 2, LeastProduct = 9;

    /// <summary>
    /// The low bits of a product, as many as are asked for: a DSP for each pair of parts of the two
    /// factors that counts there.
    /// </summary>
    public static HardSize Product(Factor a, Factor b, int bits)
    {
        if (a.Constant is { } x && UInt128.IsPow2(x) || b.Constant is { } y && UInt128.IsPow2(y)) return default;
        var (first, second) =
            (Math.Min(bits, Math.Max(Signed(a), Signed(b))), Math.Min(bits, Math.Min(Signed(a), Signed(b))));
        var width = Math.Min(bits, first + second);
        if (second < LeastFactor || width < LeastProduct) return new HardSize((double)first * second, 0);
        var (luts, dsps) = (0, 0);
        foreach (var low in Offsets(first, FirstWidth))
        {
            var parts = Offsets(second, SecondWidth).Count(high => low + high < width);
            dsps += parts;
            // DSPs add up the parts of a row; only a row of one can be added to another by its own DSP.
            if (low > 0 && parts > 1) luts += Math.Min(width - low, second + SecondWidth);
        }
        return new HardSize(luts, dsps);
    }

    /// <summary>
    /// A quotient or a remainder: for each bit a subtraction and a choice, as wide as the wider of the two; with a
    /// divisor that is constant or short a part of it comes to nothing.
    /// </summary>
    public static HardSize Quotient(Factor dividend, Factor divisor, int bits)
    {
        if (divisor.Constant is { } constant && UInt128.IsPow2(constant)) return default;
        var width = Math.Max(dividend.Width, divisor.Width);
        var share = divisor.Constant is null ? 2.25 + 0.75 * divisor.Width / width : 1.9;
        return new HardSize(share * width * width, 0);
    }

    private static int Signed(Factor factor) => factor.Width + (factor.IsSigned ? 0 : 1);

    /// <summary>The offsets of the parts of a factor: all but the last have the same width.</summary>
    private static IEnumerable<int> Offsets(int width, int most)
    {
        var parts = width > most ? (width - most + PartWidth - 1) / PartWidth : 0;
        return Enumerable.Range(0, parts + 1).Select(part => part * PartWidth);
    }
}
