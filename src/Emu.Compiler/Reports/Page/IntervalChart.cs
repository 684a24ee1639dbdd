using System.Globalization;
using System.Xml.Linq;
using Emu.Compiler.Layouts;

namespace Emu.Compiler.Reports.Page;

/// <summary>
/// Cycles from frame to frame over the length of frames, beside what the bus and the ports would bring.
/// </summary>
internal static class IntervalChart
{
    private const double Width = 900, Height = 250, Left = 46, Right = 230, Top = 14, Bottom = 34;

    /// <summary>Preamble, start of frame, FCS and gap between frames (IEEE 802.3-2022 §4.4.2), in bytes.</summary>
    private const int Overhead = 24;

    private const double PortGigabits = 10;

    private static readonly double[] s_steps = [1, 2, 5, 10];

    /// <summary>The chart.</summary>
    public static XElement Of(CompileReport report)
    {
        var lanes = report.BusBits / 8;
        var lengths = report.IntervalCycles.Keys.Order().ToList();
        double longest = lengths[^1];
        double Beats(int length) => (length + lanes - 1) / lanes;
        var gigabits = Lines(report) * PortGigabits;
        double Line(int length) => (length + Overhead) * 8 / (gigabits * 1000) * report.ClockMhz;
        var most = lengths.SelectMany(l => new[] { report.IntervalCycles[l], Beats(l), Line(l) }).Max();
        var step = Step(most);
        var top = Math.Ceiling(most / step) * step;
        double X(double length) => Left + (Width - Left - Right) * length / longest;
        double Y(double cycles) => Height - Bottom - (Height - Top - Bottom) * cycles / top;

        var shapes = new List<XElement>();
        for (var cycles = 0.0; cycles <= top; cycles += step)
        {
            shapes.Add(Html.Shape(
                "line", ("class", "grid"), ("x1", Left), ("x2", Width - Right), ("y1", Y(cycles)), ("y2", Y(cycles))));
            shapes.Add(Html.Label("tick", Left - 6, Y(cycles) + 4, cycles.ToString(CultureInfo.InvariantCulture)));
        }
        // Short lengths stand close: a number that would touch the one before is left out.
        var free = 0.0;
        foreach (var length in lengths.Where(l => X(l) >= free))
        {
            shapes.Add(Html.Label("under", X(length), Height - Bottom + 16, $"{length}"));
            free = X(length) + 30;
        }
        shapes.Add(Html.Label("under", X(longest / 2), Height - 4, "bytes of a frame, without FCS"));
        shapes.Add(Html.Line("line", lengths.Select(l => (X(l), Y(Line(l))))));
        shapes.Add(Html.Line("limit", lengths.Select(l => (X(l), Y(Beats(l))))));
        shapes.Add(Html.Line("measured", lengths.Select(l => (X(l), Y(report.IntervalCycles[l])))));
        foreach (var length in lengths)
        {
            var dot = Html.Shape(
                "circle", ("class", "dot"), ("cx", X(length)), ("cy", Y(report.IntervalCycles[length])), ("r", 3.5));
            dot.Add(Html.Element("title", $"{length} bytes: {report.IntervalCycles[length]} cycles"));
            shapes.Add(dot);
        }
        shapes.AddRange(Legend(report));
        return Html.Drawing("Cycles from frame to frame over the length of frames", Width, Height, shapes);
    }

    /// <summary>The ports that have a line: queues of the host have none.</summary>
    private static int Lines(CompileReport report) => Math.Min(report.Ports, HardwareOptions.DefaultPorts);

    private static IEnumerable<XElement> Legend(CompileReport report)
    {
        var y = Top + 10;
        (string Style, string Text)[] lines =
            [
                ("measured", "cycles, measured"), ("limit", $"beats on the bus ({report.BusBits} bits)"),
                ("line", $"{Lines(report)} × {PortGigabits:0}G line rate"),
            ];
        foreach (var (style, text) in lines)
        {
            yield return Html.Shape(
                "line",
                ("class", style),
                ("x1", Width - Right + 14),
                ("x2", Width - Right + 38),
                ("y1", y - 4),
                ("y2", y - 4));
            yield return Html.Label("soft", Width - Right + 44, y, text);
            y += 20;
        }
    }

    /// <summary>1, 2 or 5 of a power of ten: four to ten lines.</summary>
    private static double Step(double most)
    {
        var power = Math.Pow(10, Math.Floor(Math.Log10(Math.Max(1, most / 4))));
        return s_steps.Select(n => n * power).First(step => most / step <= 8);
    }
}
