using System.Globalization;
using System.Xml.Linq;

namespace Emu.Compiler.Reports.Page;

/// <summary>
/// The stages of a pipeline in a row, the FIFO below them, and for each object of the state the stages
/// that read and write it.
/// </summary>
internal static class PipelineDrawing
{
    private const double Left = 212, BoxHeight = 58, Top = 10, RowHeight = 22, Gap = 16, Head = 74;

    /// <summary>Characters that fit before the stages.</summary>
    private const int MaxName = 31;

    /// <summary>The drawing.</summary>
    public static XElement Of(CompileReport report)
    {
        var steps = report.Steps;
        var width = Math.Max(900, Left + 2 * (Head + Gap) + steps.Count * 100);
        var box = (width - Left - 2 * (Head + Gap)) / steps.Count - Gap;
        double X(int stage) => Left + Head + Gap + stage * (box + Gap);
        var middle = Top + BoxHeight / 2;

        List<XElement> shapes = [Box("box", Left, Top, Head, BoxHeight)];
        shapes.Add(Html.Label("title", Left + Head / 2, middle, "header"));
        shapes.Add(Html.Label("under", Left + Head / 2, middle + 16, "s_axis"));
        for (var i = 0; i < steps.Count; i++)
        {
            shapes.Add(Arrow(X(i) - Gap, middle, X(i)));
            shapes.Add(Box("stage", X(i), Top, box, BoxHeight));
            shapes.Add(Html.Label("title", X(i) + box / 2, Top + 19, steps[i].Title));
            shapes.Add(Html.Label("under", X(i) + box / 2, Top + 35, Text($"{steps[i].Levels:N1} levels")));
            shapes.Add(Html.Label("under", X(i) + box / 2, Top + 50, Text($"≈ {steps[i].Luts:N0} LUT")));
        }
        var end = X(steps.Count);
        shapes.Add(Arrow(end - Gap, middle, end));
        shapes.Add(Box("box", end, Top, Head, BoxHeight));
        shapes.Add(Html.Label("title", end + Head / 2, middle, "verdict"));
        shapes.Add(Html.Label("under", end + Head / 2, middle + 16, "m_axis"));

        var fifo = Top + BoxHeight + 18;
        shapes.Add(Box("box", X(0), fifo, end - Gap - X(0), 24));
        shapes.Add(
            Html.Label("under", (X(0) + end - Gap) / 2, fifo + 16, "frame FIFO: the beats wait for the verdict"));
        shapes.Add(Polyline((Left + Head / 2, Top + BoxHeight), (Left + Head / 2, fifo + 12), (X(0), fifo + 12)));
        shapes.Add(Polyline((end - Gap, fifo + 12), (end + Head / 2, fifo + 12), (end + Head / 2, Top + BoxHeight)));

        var y = fifo + 56;
        string Users(string name) =>
            string.Join(
                ' ',
                steps.Select(s => $"{(s.Reads.Contains(name) ? 'r' : '-')}{(s.Writes.Contains(name) ? 'w' : '-')}"));
        var names = StateNames.Groups(steps.SelectMany(s => s.Reads.Concat(s.Writes)), Users).ToList();
        if (names.Count > 0) shapes.Add(Html.Label("small", 0, y - 18, "state of the service"));
        foreach (var (name, text) in names)
        {
            shapes.AddRange(Object(steps, name, text, y, stage => X(stage) + box / 2, end));
            y += RowHeight;
        }
        if (names.Count > 0) shapes.AddRange(Legend(y));
        return Html.Drawing("The pipeline", width, names.Count > 0 ? y + 18 : fifo + 30, shapes);
    }

    private static IEnumerable<XElement> Object(
        IReadOnlyList<Step> steps, string name, string text, double y, Func<int, double> x, double end)
    {
        List<int> reads = [.. Enumerable.Range(0, steps.Count).Where(i => steps[i].Reads.Contains(name))];
        List<int> writes = [.. Enumerable.Range(0, steps.Count).Where(i => steps[i].Writes.Contains(name))];
        var label = Html.Label("code", 0, y + 4, text.Length > MaxName ? $"{text[..(MaxName - 1)]}…" : text);
        label.Add(Html.Element("title", text));
        yield return label;
        yield return Html.Shape("line", ("class", "grid"), ("x1", Left), ("x2", end), ("y1", y), ("y2", y));
        if (reads.Count > 0 && writes.Count > 0)
            yield return Html.Shape(
                "line", ("class", "held"), ("x1", x(reads.Min())), ("x2", x(writes.Max())), ("y1", y), ("y2", y));
        // In a stage that does both, the read stands before the write.
        foreach (var stage in writes) yield return Dot("write", x(stage) + (reads.Contains(stage) ? 8 : 0), y);
        foreach (var stage in reads) yield return Dot("read", x(stage) - (writes.Contains(stage) ? 8 : 0), y);
    }

    private static IEnumerable<XElement> Legend(double y) =>
    [
        Dot("read", Left + 6, y), Html.Label("small", Left + 18, y + 4, "read"),
        Dot("write", Left + 66, y), Html.Label("small", Left + 78, y + 4, "written"),
        Html.Label(
            "small", Left + 136, y + 4, "a write stands fewer stages behind its read than frames are cycles apart"),
    ];

    private static XElement Dot(string style, double x, double y) =>
        Html.Shape("circle", ("class", style), ("cx", x), ("cy", y), ("r", 5));

    private static XElement Box(string style, double x, double y, double width, double height) =>
        Html.Shape("rect", ("class", style), ("x", x), ("y", y), ("width", width), ("height", height), ("rx", 5));

    private static XElement Arrow(double from, double y, double to) =>
        Html.Shape("path", ("class", "arrow"), ("d", Text($"M{from + 1:0.#} {y:0.#}H{to - 1:0.#}m-5 -4l5 4l-5 4")));

    private static XElement Polyline(params IEnumerable<(double X, double Y)> points) => Html.Line("arrow", points);

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
