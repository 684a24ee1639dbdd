using System.Xml.Linq;

namespace Emu.Compiler.Reports.Page;

/// <summary>Lines of C# as a page shows them: where they are, and their text if it is still there.</summary>
internal sealed class QuotedLines(Func<string, IReadOnlyList<string>> source)
{
    private readonly Dictionary<string, IReadOnlyList<string>> _files = [];

    /// <summary>One line; null when the line is not known.</summary>
    public XElement? Quote(string file, int line) => line == 0 ? null : List([new SourceLine(file, line, "", 0)]);

    /// <summary>Lines, by file.</summary>
    public XElement List(IEnumerable<SourceLine> lines) =>
        Html.Element(
            "div.wide", Html.Element("table.source", Html.Element("tbody", lines.Where(l => l.Line > 0).Select(Row))));

    private XElement Row(SourceLine line) => Html.Element(
        "tr",
        Html.Element("td.place", Html.Attribute("title", line.Method), $"{Path.GetFileName(line.File)}:{line.Line}"),
        Html.Element(
            "td", Html.Element("code", Html.Attribute("style", $"margin-left:{2 * line.Depth}em"), TextOf(line))));

    private string TextOf(SourceLine line)
    {
        if (!_files.TryGetValue(line.File, out var all)) _files[line.File] = all = source(line.File);
        return line.Line <= all.Count ? all[line.Line - 1].Trim() : line.Method;
    }
}
