using System.Text;
using Emu.Compiler.IR;

namespace Emu.Compiler.Verilog;

/// <summary>Numbers as Verilog writes them, always with their width.</summary>
internal static class VerilogLiteral
{
    private const int HexGroup = 4;

    /// <summary>Small ones in decimal, others in hexadecimal.</summary>
    public static string Of(int width, UInt128 bits)
    {
        if (width is > 32 and <= Value.MaxWidth && bits == Arithmetic.Mask(width)) return $"{{{width}{{1'b1}}}}";
        if (width == 1) return bits == 0 ? "1'b0" : "1'b1";
        return width <= 8 || bits < 256 ? $"{width}'d{bits}" : $"{width}'h{Hex(width, bits)}";
    }

    /// <summary>The literal as an operand of a signed operation.</summary>
    public static string Signed(int width, UInt128 bits)
    {
        var number = Arithmetic.ToSigned(bits, width);
        var isLeast = bits == UInt128.One << (width - 1);
        if (isLeast || Int128.Abs(number) > 255) return $"$signed({Of(width, bits)})";
        return number < 0 ? $"-{width}'sd{-number}" : $"{width}'sd{number}";
    }

    private static string Hex(int width, UInt128 bits)
    {
        var digits = bits.ToString("X");
        if (width <= 64) digits = digits.PadLeft((width + 3) / 4, '0');
        if (digits.Length <= 2 * HexGroup) return digits;
        var text = new StringBuilder(digits);
        for (var i = digits.Length - HexGroup; i > 0; i -= HexGroup) text.Insert(i, '_');
        return text.ToString();
    }
}
