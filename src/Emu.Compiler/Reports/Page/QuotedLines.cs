using System.Xml.Linq;

namespace Emu.Compiler.Reports.Page;

/// <summary>Lines of C# as a page shows them: where they are, and their text if it is still there.</summary>
internal sealed class QuotedLines
{
    private readonly Func<string, IReadOnlyList<string>> _source;
    private readonly Dictionary<string, IReadOnlyList<string>> _files = [];
    private readonly Dictionary<(string File, int Line), List<int>> _steps = [];

    public QuotedLines(CompileReport report, Func<string, IReadOnlyList<string>> source)
    {
        _source = source;
        foreach (var (place, step) in report.Steps.Index())
        {
            foreach (var line in step.Lines.Where(line => line.Line > 0).DistinctBy(line => (line.File, line.Line)))
            {
                if (!_steps.TryGetValue((line.File, line.Line), out var steps))
                    _steps[(line.File, line.Line)] = steps = [];
                steps.Add(place);
            }
        }
        var all = report.Steps.SelectMany(step => step.Lines).Where(line => line.Line > 0);
        Files = [.. all.GroupBy(line => line.File)
            .Select(file => (Name: file.Key, IsOwn: file.Any(line => line.Depth == 0)))
            .Where(file => TextOf(file.Name).Count > 0)
            .OrderByDescending(file => file.IsOwn).ThenBy(file => file.Name, StringComparer.Ordinal)];
    }

    /// <summary>
    /// The files of the steps' lines, of those that are still there: first the service's own, then those of what it
    /// calls.
    /// </summary>
    public List<(string Name, bool IsOwn)> Files { get; }

    /// <summary>The lines of a file that something is done of, in order.</summary>
    public IReadOnlyList<int> LinesOf(string file) =>
        [.. _steps.Keys.Where(key => key.File == file).Select(key => key.Line).Order()];

    /// <summary>The steps in which something of a line is done, by their place in the report.</summary>
    public IReadOnlyList<int> StepsOf(string file, int line) => _steps.GetValueOrDefault((file, line)) ?? [];

    /// <summary>The text of a file; empty when it is not there.</summary>
    public IReadOnlyList<string> TextOf(string file)
    {
        if (!_files.TryGetValue(file, out var all)) _files[file] = all = _source(file);
        return all;
    }

    /// <summary>The name of a line in <see cref="SourceView"/>; null when it is not shown there.</summary>
    public string? Anchor(string file, int line)
    {
        var at = Files.FindIndex(shown => shown.Name == file);
        return at < 0 || line > TextOf(file).Count || StepsOf(file, line).Count == 0 ? null : $"line{at}-{line}";
    }

    /// <summary>One line; null when the line is not known.</summary>
    public XElement? Quote(string file, int line) => line == 0 ? null : List([new SourceLine(file, line, "", 0)]);

    /// <summary>Lines, by file.</summary>
    public XElement List(IEnumerable<SourceLine> lines) =>
        Html.Element(
            "div.wide", Html.Element("table.source", Html.Element("tbody", lines.Where(l => l.Line > 0).Select(Row))));

    private XElement Row(SourceLine line)
    {
        var place = $"{Path.GetFileName(line.File)}:{line.Line}";
        return Html.Element(
            "tr",
            Html.Element(
                "td.place",
                Html.Attribute("title", line.Method),
                Anchor(line.File, line.Line) is { } anchor
                    ? Html.Element("a", Html.Attribute("href", $"#{anchor}"), place)
                    : place),
            Html.Element(
                "td", Html.Element("code", Html.Attribute("style", $"margin-left:{2 * line.Depth}em"), TextOf(line))));
    }

    private string TextOf(SourceLine line)
    {
        var all = TextOf(line.File);
        return line.Line <= all.Count ? all[line.Line - 1].Trim() : line.Method;
    }
}
