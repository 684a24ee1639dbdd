using System.Globalization;
using System.Text.RegularExpressions;

namespace Emu.Direction.Language;

/// <summary>The start of a counter or trace: <c>X [if B] [max N]</c>.</summary>
/// <param name="Name">The variable, method or line.</param>
/// <param name="Condition">The condition.</param>
/// <param name="Most">The most events that it takes; null for as many as it can.</param>
public sealed partial record ProbeStart(string Name, ConditionExpression Condition, uint? Most)
{
    /// <summary>Reads a start.</summary>
    /// <exception cref="FormatException">It is none; the message says what is wrong.</exception>
    public static ProbeStart Parse(string text)
    {
        var match = Form().Match(text);
        uint? most = match.Groups["most"] is { Success: true, Value: var number }
            ? uint.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out var parsed)
                ? parsed
                : throw new FormatException($"max {number}: a number from 0 to {uint.MaxValue}")
            : null;
        return new ProbeStart(
            ParseName(match.Groups["name"].Value),
            match.Groups["condition"] is { Success: true, Value: var condition }
                ? ConditionExpression.Parse(condition)
                : ConditionExpression.Always,
            most);
    }

    /// <summary>Reads the name of a variable, a method or a line.</summary>
    /// <exception cref="FormatException">It is none.</exception>
    public static string ParseName(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return text.Length > 0 && !text.Any(char.IsWhiteSpace) ? text : throw new FormatException(
            text.Length == 0 ? "a name is missing; list shows what is woven" : $"'{text}' is no name");
    }

    [GeneratedRegex(@"^(?<name>.*?)(\s+if\s+(?<condition>.*?))?(\s+max\s+(?<most>\S+))?$")]
    private static partial Regex Form();
}
