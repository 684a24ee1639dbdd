namespace Emu.Services;

/// <summary>A decimal number in text, as the functions <c>strtol</c> and <c>strtoull</c> of C read it.</summary>
/// <param name="Magnitude">Its digits.</param>
/// <param name="IsNegative">True if a minus stands in front of them.</param>
/// <param name="IsValid">True if there are digits, of 2⁶⁴ − 1 at most, and behind them white space or nothing.</param>
internal readonly record struct Number(ulong Magnitude, bool IsNegative, bool IsValid)
{
    /// <summary>True if it can be taken as a number without sign.</summary>
    public bool IsUnsigned => IsValid && (!IsNegative || (long)Unsigned >= 0);

    /// <summary>The number modulo 2⁶⁴.</summary>
    public ulong Unsigned => IsNegative ? 0 - Magnitude : Magnitude;

    /// <summary>True if it can be taken as one with a sign.</summary>
    public bool IsSigned => IsValid && Magnitude <= (ulong)long.MaxValue + (IsNegative ? 1UL : 0);

    /// <summary>Reads a number.</summary>
    public static Number Read(ReadOnlySpan<byte> text)
    {
        var at = 0;
        while (at < text.Length && IsSpace(text[at])) at++;
        var isNegative = at < text.Length && text[at] == '-';
        if (at < text.Length && text[at] is (byte)'-' or (byte)'+') at++;
        var (magnitude, isValid, first) = (0UL, true, at);
        for (; at < text.Length && !IsSpace(text[at]); at++)
        {
            var digit = (uint)text[at] - '0';
            isValid &= digit <= 9
                && (magnitude < ulong.MaxValue / 10
                    || (magnitude == ulong.MaxValue / 10 && digit <= ulong.MaxValue % 10));
            magnitude = magnitude * 10 + digit;
        }
        return new Number(magnitude, isNegative, isValid && at > first);
    }

    private static bool IsSpace(byte character) => character is (byte)' ' or (>= 9 and <= 13);
}
