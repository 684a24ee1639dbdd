namespace Emu.Services;

/// <summary>
/// Numbers from the first to the last, both included, as options of rules write them: <c>80</c>, <c>80:90</c>,
/// <c>:90</c>, <c>80:</c>.
/// </summary>
/// <param name="First">The least.</param>
/// <param name="Last">The greatest; never less than <paramref name="First"/>.</param>
internal readonly record struct NumberRange(uint First, uint Last)
{
    /// <summary>Reads a range.</summary>
    /// <param name="text">The text; an end that is left out is the least number or the greatest.</param>
    /// <param name="max">The greatest number that the field holds.</param>
    /// <param name="option">For messages.</param>
    /// <param name="number">Reads one of its numbers; null for <see cref="Number"/>.</param>
    public static NumberRange Parse(string text, uint max, string option, Func<string, uint>? number = null)
    {
        number ??= one => Number(one, max, option);
        var parts = text.Split(':');
        if (parts.Length > 2) throw new RuleException($"{option}: '{text}' is not a number or a range such as 80:90");
        var first = parts[0].Length == 0 && parts.Length == 2 ? 0 : number(parts[0]);
        var last = parts.Length == 1 ? first : parts[1].Length == 0 ? max : number(parts[1]);
        return first <= last
            ? new NumberRange(first, last)
            : throw new RuleException($"{option}: the range '{text}' is backwards; write {last}:{first}");
    }

    /// <summary>As it is saved; a range that is one number is that.</summary>
    public override string ToString() => First == Last ? $"{First}" : $"{First}:{Last}";

    /// <summary>A number as <see cref="RuleNumber"/> reads it.</summary>
    public static uint Number(string text, uint max, string option) => RuleNumber.TryParse(text, max, out var number)
        ? number
        : throw new RuleException($"{option}: '{text}' is not a number from 0 to {max}{RuleNumber.Remark(text)}");
}
