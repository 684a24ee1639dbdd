using System.Xml.Linq;

namespace Emu.Compiler.Reports.Page;

/// <summary>
/// The C# of a service and of what it calls, and before each line the steps in which something of it is done.
/// </summary>
internal static class SourceView
{
    /// <summary>Lines that are shown before and after one of which something is done.</summary>
    private const int Around = 2;

    /// <summary>Steps that get a column each; of more, a line names its first few.</summary>
    private const int MaxColumns = 16, MaxNames = 8;

    /// <summary>The files that are there, those of the service itself open.</summary>
    public static IEnumerable<XElement> Of(CompileReport report, QuotedLines lines) =>
        lines.Files.Select(file => Html.Element(
            "details.program",
            file.IsOwn ? Html.Attribute("open", "open") : null,
            Html.Element("summary", Html.Element("b", Path.GetFileName(file.Name))),
            Html.Element("div.wide", Table(report, lines, file.Name))));

    private static XElement Table(CompileReport report, QuotedLines lines, string file)
    {
        var hasColumns = report.Steps.Count <= MaxColumns;
        IEnumerable<XElement> heads = hasColumns
            ? report.Steps.Select((step, i) => Html.Element("th.step", Link(i, $"{i}", step.Title)))
            : [Html.Element("th", report.Layout == "engine" ? "states" : "stages")];
        var rows = Shown(lines.LinesOf(file), lines.TextOf(file).Count)
            .Select(line => Row(report, lines, file, line, hasColumns));
        return Html.Element(
            "table.program",
            Html.Element(
                "thead", Html.Element("tr", Html.Element("th.at", ""), heads, Html.Element("th", ""))),
            Html.Element("tbody", rows));
    }

    /// <summary>The lines to show, in order; null for some that are left out.</summary>
    private static IEnumerable<int?> Shown(IReadOnlyList<int> done, int count)
    {
        var last = 0;
        foreach (var line in done.Where(line => line <= count))
        {
            var from = Math.Max(last + 1, line - Around);
            if (last > 0 && from > last + 1) yield return null;
            for (var at = from; at <= Math.Min(count, line + Around); at++) yield return last = at;
        }
    }

    private static XElement Row(CompileReport report, QuotedLines lines, string file, int? shown, bool hasColumns)
    {
        if (shown is not { } line)
            return Html.Element("tr", Html.Element("td.at", "⋮"));
        var steps = lines.StepsOf(file, line);
        IEnumerable<XElement> cells = hasColumns
            ? report.Steps.Select((step, i) => steps.Contains(i)
                ? Html.Element("td.step", Link(i, "●", step.Title))
                : Html.Element("td.step", ""))
            : [Html.Element("td.place", Names(report, steps))];
        return Html.Element(
            "tr",
            lines.Anchor(file, line) is { } anchor ? Html.Attribute("id", anchor) : null,
            Html.Element("td.at", line),
            cells,
            Html.Element("td", Html.Element("code", lines.TextOf(file)[line - 1].TrimEnd())));
    }

    private static IEnumerable<object> Names(CompileReport report, IReadOnlyList<int> steps)
    {
        foreach (var step in steps.Take(MaxNames))
        {
            yield return Link(step, $"{step}", report.Steps[step].Title);
            yield return " ";
        }
        if (steps.Count > MaxNames) yield return $"and {steps.Count - MaxNames} more";
    }

    private static XElement Link(int step, string text, string title) =>
        Html.Element("a", Html.Attribute("href", $"#step{step}"), Html.Attribute("title", title), text);
}
