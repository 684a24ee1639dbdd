using System.Text.RegularExpressions;

namespace Emu.Compiler.Reports.Page;

/// <summary>Names of state elements that differ in a number only, as one: <c>Stations.ways.0–3.Key</c>.</summary>
internal static partial class StateNames
{
    /// <summary>Groups of names that may stand as one.</summary>
    /// <param name="names">The elements.</param>
    /// <param name="alike">Gives the text that has to be the same for all names in a group.</param>
    public static IEnumerable<(string Name, string Text)> Groups(IEnumerable<string> names, Func<string, string> alike)
    {
        foreach (var group in names.Distinct()
            .Order(StringComparer.Ordinal).GroupBy(name => (Index().Replace(name, "*", 1), alike(name))))
        {
            List<string> all = [.. group];
            yield return (all[0], all.Count == 1 ? all[0] : Index().Replace(all[0], Range(all), 1));
        }
    }

    /// <summary>The groups in a line.</summary>
    public static string Join(IEnumerable<string> names) =>
        string.Join(", ", Groups(names, _ => "").Select(g => g.Text));

    private static string Range(List<string> names)
    {
        List<int> numbers = [.. names.Select(name =>
                int.Parse(Index().Match(name).Value, System.Globalization.CultureInfo.InvariantCulture))
            .Order()];
        return numbers[^1] - numbers[0] == numbers.Count - 1
            ? $"{numbers[0]}–{numbers[^1]}"
            : string.Join('/', numbers);
    }

    /// <summary>An index of an array: short, so that it is a number.</summary>
    [GeneratedRegex(@"(?<=\.)[0-9]{1,6}(?=\.|$)")]
    private static partial Regex Index();
}
