using System.Globalization;
using System.Text.RegularExpressions;

namespace Emu.Direction.Language;

/// <summary>The path of a variable, such as <c>Stations[3].Value</c>.</summary>
/// <param name="Text">The path as it was written.</param>
/// <param name="Name">The name of the variable: the path with <c>[]</c> for its index.</param>
/// <param name="Index">The index; 0 where there is none.</param>
public sealed partial record VariablePath(string Text, string Name, uint Index)
{
    /// <summary>Reads a path.</summary>
    /// <exception cref="FormatException">It is none; the message says what is wrong.</exception>
    public static VariablePath Parse(string text)
    {
        if (!Form().IsMatch(text))
            throw new FormatException(
                text.Length == 0 ? "a variable is missing, such as Forwarded; list shows them"
                    : $"'{text}' is no variable: names with '.' between them and at most one index, Stations[3].Value");
        var name = IndexForm().Replace(text, "[]");
        var index = IndexForm().Match(text);
        if (!index.Success) return new VariablePath(text, name, 0);
        return uint.TryParse(index.Groups[1].Value, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            ? new VariablePath(text, name, number)
            : throw new FormatException($"the index in '{text}' is too large");
    }

    [GeneratedRegex(@"^[\p{L}_][\w]*(\.[\p{L}_]\w*)*(\[\d+\])?(\.[\p{L}_]\w*)*$")]
    private static partial Regex Form();

    [GeneratedRegex(@"\[(\d+)\]")]
    private static partial Regex IndexForm();
}
