namespace Emu.Services;

/// <summary>Numbers from the first to the last, both included, as options of rules write them: <c>80</c>, <c>80:90</c>, <c>:90</c>, <c>80:</c>.</summary>
/// <param name="First">The least.</param>
/// <param name="Last">The greatest; never less than <paramref name="First"/>.</param>
internal readonly record struct NumberRange(uint First, uint Last)
{
    /// <summary>Reads a range.</summary>
    /// <param name="text">The text.</param>
    /// <param name="max">The greatest number that the field holds.</param>
    /// <param name="option">For messages.</param>
    /// <param name="names">Names that stand for numbers; null for none.</param>
    public static NumberRange Parse(string text, uint max, string option, Func<string, uint?>? names = null)
    {
        var parts = text.Split(':');
        if (parts.Length > 2 || text == ":" && names is null) throw new RuleException($"{option}: '{text}' is not a number or a range such as 80:90");
        var first = parts[0].Length == 0 && parts.Length == 2 ? 0 : Number(parts[0], max, option, names);
        var last = parts.Length == 1 ? first : parts[1].Length == 0 ? max : Number(parts[1], max, option, names);
        return first <= last ? new NumberRange(first, last) : throw new RuleException($"{option}: the range '{text}' is backwards; write {last}:{first}");
    }

    /// <summary>As it is saved; a range that is one number is that.</summary>
    public override string ToString() => First == Last ? $"{First}" : $"{First}:{Last}";

    /// <summary>A number in decimal, or in hexadecimal behind 0x.</summary>
    public static uint Number(string text, uint max, string option, Func<string, uint?>? names = null)
    {
        if (names?.Invoke(text) is { } named) return named;
        var isHex = text.StartsWith("0x", StringComparison.OrdinalIgnoreCase);
        var style = isHex ? System.Globalization.NumberStyles.AllowHexSpecifier : System.Globalization.NumberStyles.None;
        if (!uint.TryParse(isHex ? text[2..] : text, style, null, out var number) || number > max)
            throw new RuleException($"{option}: '{text}' is not a number from 0 to {max}");
        return number;
    }
}
