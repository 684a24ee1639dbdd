using System.Text.RegularExpressions;

namespace Emu.Direction.Editing;

/// <summary>The text of a logpoint, in which <c>{X}</c> stands for the value of <c>X</c>.</summary>
/// <param name="Text">The text.</param>
internal sealed partial record LogMessage(string Text)
{
    /// <summary>The names in it, each once.</summary>
    public IReadOnlyList<string> Names =>
        [.. Place().Matches(Text).Select(match => match.Groups["name"].Value.Trim()).Distinct()];

    /// <summary>The text with the values.</summary>
    public string With(Func<string, string> value) =>
        Place().Replace(Text, match => value(match.Groups["name"].Value.Trim()));

    [GeneratedRegex(@"\{(?<name>[^{}]+)\}")]
    private static partial Regex Place();
}
