using System.Globalization;
using System.Text.RegularExpressions;

namespace Emu.Direction.Editing;

/// <summary>The hits at which a breakpoint stops: <c>5</c> or <c>&gt;= 5</c>, <c>== 5</c>, <c>% 5</c>.</summary>
/// <param name="Relation">The relation: <c>&gt;=</c>, <c>==</c> or <c>%</c>.</param>
/// <param name="Number">The number, from 1.</param>
internal sealed partial record HitCondition(string Relation, uint Number)
{
    /// <summary>Reads a condition.</summary>
    /// <exception cref="FormatException">It is none.</exception>
    public static HitCondition Parse(string text)
    {
        var match = Form().Match(text);
        return match.Success && uint.TryParse(
            match.Groups["number"].ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            && number > 0
            ? new HitCondition(
                match.Groups["relation"].Value switch
                {
                    "" => ">=",
                    "=" => "==",
                    var relation => relation,
                },
                number)
            : throw new FormatException($"'{text}' is no hit count: 5 or >= 5 (from the fifth on), == 5, % 5");
    }

    /// <summary>True if it stops at a hit, counted from 1.</summary>
    public bool Holds(uint hit) => Relation switch
    {
        "==" => hit == Number,
        "%" => hit % Number == 0,
        _ => hit >= Number,
    };

    [GeneratedRegex(@"^\s*(?<relation>>=|==|=|%)?\s*(?<number>\d+)\s*$")]
    private static partial Regex Form();
}
