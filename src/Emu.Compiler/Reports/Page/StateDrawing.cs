using System.Globalization;
using System.Xml.Linq;

namespace Emu.Compiler.Reports.Page;

/// <summary>
/// The states of an engine, one below the other: where they lead to, and how long frames are in them.
/// </summary>
internal static class StateDrawing
{
    private const double RowHeight = 20, Top = 24, Spread = 7, Dot = 4, Bar = 130, Width = 900;

    /// <summary>Arcs that go further are drawn beside those that go this far.</summary>
    private const int MaxLanes = 24;

    private const int MaxTitle = 62;

    /// <summary>The drawing.</summary>
    public static XElement Of(CompileReport report)
    {
        var steps = report.Steps;
        var axis = MaxLanes * Spread + 20;
        double Y(int step) => Top + step * RowHeight + RowHeight / 2;
        var shapes = new List<XElement>();
        for (var i = 0; i < steps.Count; i++)
        {
            foreach (var next in steps[i].Next) shapes.Add(Way(axis, Y(i), Y(next), next - i));
        }
        var lengths = steps[0].Cycles.Keys.Order().ToList();
        var bars = lengths.Select((_, i) => Width - (lengths.Count - i) * (Bar + 10)).ToList();
        foreach (var (length, bar) in lengths.Zip(bars))
            shapes.Add(Html.Label("small", bar, 12, $"cycles, {length} bytes: {steps.Sum(s => s.Cycles[length])}"));
        for (var i = 0; i < steps.Count; i++)
        {
            shapes.Add(Html.Shape("circle", ("class", "dot"), ("cx", axis), ("cy", Y(i)), ("r", Dot)));
            var link = Html.Element(
                "a", Html.Attribute("href", $"#step{i}"), Html.Label("code", axis + 14, Y(i) + 4, Title(steps[i])));
            shapes.Add(link);
            for (var at = 0; at < lengths.Count; at++) shapes.AddRange(Cycles(steps, i, lengths[at], bars[at], Y(i)));
        }
        return Html.Drawing("The states", Width, Top + steps.Count * RowHeight + 6, shapes);
    }

    private static IEnumerable<XElement> Cycles(IReadOnlyList<Step> steps, int step, int length, double x, double y)
    {
        var cycles = steps[step].Cycles[length];
        if (cycles == 0) yield break;
        var share = (Bar - 34) * cycles / steps.Max(s => s.Cycles[length]);
        yield return Html.Shape(
            "rect", ("class", "share"), ("x", x), ("y", y - 5), ("width", Math.Max(1, share)), ("height", 10));
        yield return Html.Label("small", x + share + 4, y + 4, $"{cycles}");
    }

    /// <summary>
    /// Draws a line to the row below, and to any other row an arc, the wider the further; an arc backwards is a loop.
    /// </summary>
    private static XElement Way(double axis, double from, double to, int rows)
    {
        if (rows == 1)
            return Html.Shape("line", ("class", "arrow"), ("x1", axis), ("x2", axis), ("y1", from), ("y2", to));
        var wide = axis - 8 - Spread * Math.Min(MaxLanes, Math.Max(1, Math.Abs(rows)));
        var end = axis - Dot;
        var path = string.Create(
            CultureInfo.InvariantCulture,
            $"M{end:0.#} {from:0.#}C{wide:0.#} {from:0.#} {wide:0.#} {to:0.#} {end:0.#} {to:0.#}");
        var arc = Html.Shape("path", ("class", rows > 0 ? "arrow" : "back"), ("d", path));
        arc.Add(Html.Element("title", rows > 0 ? "goes on" : "goes back: a loop"));
        return arc;
    }

    private static string Title(Step step)
    {
        // The call in the service's own file that leads to the first of it.
        var own = step.Lines.TakeWhile((line, i) => i == 0 || line.Depth > step.Lines[i - 1].Depth)
            .LastOrDefault(line => line.File == step.Lines[0].File);
        var title = own is { Line: > 0 } ? $"{step.Title}  {Path.GetFileName(own.File)}:{own.Line}" : step.Title;
        return title.Length > MaxTitle ? $"{title[..(MaxTitle - 1)]}…" : title;
    }
}
