using System.Globalization;

namespace Emu.Services;

/// <summary>Numbers as iptables reads them: with strtoul(3) and base 0.</summary>
internal static class RuleNumber
{
    /// <summary>
    /// Reads a number: hexadecimal behind <c>0x</c>, octal behind another 0, else decimal; no sign, no space.
    /// </summary>
    /// <param name="text">The text.</param>
    /// <param name="max">The greatest that the field holds.</param>
    /// <param name="number">The number.</param>
    /// <returns>True if it is one, and not too large.</returns>
    public static bool TryParse(string text, uint max, out uint number)
    {
        if (text.StartsWith("0x", StringComparison.OrdinalIgnoreCase))
            return uint.TryParse(text.AsSpan(2), NumberStyles.AllowHexSpecifier, null, out number) && number <= max;
        return text.StartsWith('0') ? TryParseOctal(text, max, out number) : TryParseDecimal(text, max, out number);
    }

    /// <summary>Reads a number that is decimal with leading zeros, too.</summary>
    public static bool TryParseDecimal(string text, uint max, out uint number) =>
        uint.TryParse(text, NumberStyles.None, null, out number) && number <= max;

    /// <summary>A remark for the message about a number that is refused for its leading 0; else empty.</summary>
    public static string Remark(string text) =>
        text.StartsWith('0') && text.All(char.IsAsciiDigit) && text.Any(digit => digit > '7')
            ? "; behind a leading 0 it is octal"
            : "";

    private static bool TryParseOctal(string text, uint max, out uint number)
    {
        number = 0;
        foreach (var digit in text)
        {
            var value = (ulong)number * 8 + digit - '0';
            if (digit is < '0' or > '7' || value > max) return false;
            number = (uint)value;
        }
        return true;
    }
}
