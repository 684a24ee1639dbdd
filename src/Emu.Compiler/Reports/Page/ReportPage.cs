using System.Globalization;
using System.Xml.Linq;

namespace Emu.Compiler.Reports.Page;

/// <summary>A report for people: one page of HTML that needs nothing else, <c>report.html</c>.</summary>
public static class ReportPage
{
    /// <summary>The page's text; it is XML, too.</summary>
    /// <param name="report">The report.</param>
    /// <param name="source">Gives the lines of a C# file; none when it is not there.</param>
    /// <param name="against">The differences from another report, if the page is to show them.</param>
    public static string Of(
        CompileReport report, Func<string, IReadOnlyList<string>> source, ReportComparison? against = null)
    {
        ArgumentNullException.ThrowIfNull(report);
        ArgumentNullException.ThrowIfNull(source);
        var lines = new QuotedLines(report, source);
        var page = Html.Element(
            "html",
            Html.Attribute("lang", "en"),
            Html.Element(
                "head",
                new XElement("meta", new XAttribute("charset", "utf-8")),
                new XElement(
                    "meta", new XAttribute("name", "viewport"), new XAttribute("content", "width=device-width")),
                Html.Element("title", $"{report.Service} in hardware"),
                Html.Element("style", PageStyle.Text)),
            Html.Element(
                "body",
                Head(report),
                Figures(report),
                against is null ? null : Section("Compared with the other report", ComparisonTable.Of(against)),
                Bounds(report, lines),
                SlowPaths(report, lines),
                Section("Interval", IntervalChart.Of(report), Intervals(report)),
                Kinds(report.Measurement),
                StepsOf(report, lines),
                Costs(report),
                Parts(report),
                Registers(report),
                Diagnostics(report, lines),
                Measured(report.Measurement)));
        return "<!DOCTYPE html>\n" + page.ToString(SaveOptions.DisableFormatting) + "\n";
    }

    private static XElement Measured(MeasurementNote note) =>
        Section(
            "How it was measured",
            Html.Element("p", $"In the {note.Simulator} simulator, with {note.Frame}. {note.Method}."));

    private static XElement Section(string title, params IEnumerable<object?> content) =>
        Html.Element("section", Html.Element("h2", title), content);

    private static XElement Head(CompileReport report) => Html.Element(
        "header",
        Html.Element("h1", report.Service, Html.Element("span.layout", report.Layout)),
        Html.Element(
            "p",
            $"Module {report.Top}: {report.BusBits}-bit bus, {report.Ports} ports, MTU {report.Mtu}, "
            + $"{report.ClockMhz} MHz on {report.Device}: {report.LogicPicoseconds:N0} ps for logic",
            report.Arguments.Count > 0
                ? [", arguments ", Html.Element("code", string.Join(' ', report.Arguments))]
                : Array.Empty<object>()));

    private static XElement Figures(CompileReport report)
    {
        var (shortest, longest) = (report.IntervalCycles.MinBy(i => i.Key), report.IntervalCycles.MaxBy(i => i.Key));
        static XElement Figure(string name, string number, string unit, string more) => Html.Element(
            "div.figure",
            Html.Element("span.name", name),
            Html.Element("span.number", number, Html.Element("span.unit", unit)),
            Html.Element("span.more", more));
        var next = report.Measurement.NextSecondLatencyCycles;
        var quotient =
            next is null || next == report.LatencyCycles ? "" : $"; {next} where a quotient of the time changes";
        var bytes = report.Measurement.LatencyBytes;
        return Html.Element(
            "div.figures",
            report.LatencyCycles is { } latency
                ? Figure(
                    "latency",
                    $"{latency}",
                    "cycles",
                    Text($"{1000.0 * latency / report.ClockMhz:N0} ns for {bytes} bytes{quotient}"))
                : Figure("latency", "–", "", "no frame came out"),
            Figure(
                $"interval, {shortest.Key} B",
                $"{shortest.Value}",
                "cycles",
                Text($"{Million(report, shortest.Value):N1} million frames a second")),
            Figure(
                $"interval, {longest.Key} B",
                $"{longest.Value}",
                "cycles",
                Text($"{Gigabits(report, longest):N1} Gbit/s")),
            Figure("logic", Text($"≈ {report.Resources.Luts:N0}"), "LUT", "estimated, before synthesis"),
            report.Resources.Dsps == 0
                ? null
                : Figure(
                    "multipliers", Text($"≈ {report.Resources.Dsps:N0}"), "DSP", "estimated, before synthesis"),
            Figure("flops", Text($"{report.Resources.FlopBits:N0}"), "bits", "before synthesis"),
            Figure("memory", Text($"{report.Resources.RamBits / 1024.0:N1}"), "Kibit", "RAM and ROM"));
    }

    private static XElement Bounds(CompileReport report, QuotedLines lines) => Section(
        "What keeps it from being faster",
        report.BoundedBy.Count == 0
            ? Html.Element("p", "Nothing that is known.")
            : Html.Element("ul.bounds", report.BoundedBy.Select(b => Item(
                b.Instead.Length == 0 ? b.What : $"{b.What}. Instead: {b.Instead}.", lines.Quote(b.File, b.Line)))));

    private static XElement? SlowPaths(CompileReport report, QuotedLines lines) => report.SlowPath.Count == 0
        ? null
        : Section(
            "Frames that take the slow path",
            Html.Element("ul.bounds", report.SlowPath.OrderByDescending(p => p.Frames).Select(p => Item(
                Text($"{p.What}: {p.Frames} of {report.Measurement.Frames} measured frames")
                    + (p.IntervalCycles is { } cycles ? Text($", {cycles} cycles each") : "")
                    + (p.CostCycles is { } cost ? Text($"; one among others costs {cost} cycles") : ""),
                lines.Quote(p.File, p.Line)))));

    private static XElement Kinds(MeasurementNote note) => Section(
        "Kinds of frames",
        Html.Table(
            ["", "bytes#", "frames#", "latency, cycles#", "interval, cycles#", "way"],
            note.Kinds.Select(k => (IReadOnlyList<object?>)
            [
                k.Name,
                k.Bytes,
                k.Frames,
                k.LatencyCycles is { } latency ? Text($"{latency}") : "nothing leaves",
                k.IntervalCycles[k.Bytes],
                k.Path,
            ])));

    private static XElement Item(string text, XElement? quoted) => Html.Element("li", Html.Element("p", text), quoted);

    private static XElement Intervals(CompileReport report) => Html.Table(
        ["bytes#", "cycles#", "million frames a second#", "Gbit/s of frames#", "came out"],
        report.IntervalCycles.Select(i => (IReadOnlyList<object?>)
        [
            i.Key,
            i.Value,
            Text($"{Million(report, i.Value):N2}"),
            Text($"{Gigabits(report, i):N2}"),
            report.Measurement.AnsweredBytes.Contains(i.Key) ? "yes" : "dropped",
        ]));

    private static XElement? StepsOf(CompileReport report, QuotedLines lines)
    {
        if (report.Steps.Count == 0) return null;
        var isEngine = report.Layout == "engine";
        return Section(
            isEngine ? "States" : "Pipeline",
            isEngine ? StateDrawing.Of(report) : PipelineDrawing.Of(report),
            SourceView.Of(report, lines),
            report.Steps.Select((step, i) => Html.Element(
                "details.step",
                // A pipeline has a few stages, an engine a hundred states.
                isEngine ? null : Html.Attribute("open", "open"),
                Html.Attribute("id", $"step{i}"),
                Html.Element(
                    "summary", Html.Element("b", step.Title), " ", Html.Element("span.more", Summary(report, step))),
                lines.List(step.Lines))));
    }

    private static string Summary(CompileReport report, Step step)
    {
        List<string> parts =
            [Text($"{step.Levels:N1} levels"), Text($"{step.Picoseconds:N0} ps"), Text($"≈ {step.Luts:N0} LUT")];
        if (step.Dsps > 0) parts.Add(Text($"≈ {step.Dsps:N0} DSP"));
        if (step.Reads.Count > 0) parts.Add($"reads {StateNames.Join(step.Reads)}");
        if (step.Writes.Count > 0) parts.Add($"writes {StateNames.Join(step.Writes)}");
        parts.AddRange(
            step.Cycles.Where(c => c.Value > 0).Select(c => $"{c.Value} cycles of a frame of {c.Key} bytes"));
        if (report.Layout == "engine" && step.Next.Count > 0)
            parts.Add($"then {string.Join(", ", step.Next.Select(next => report.Steps[next].Title))}");
        return string.Join(" · ", parts);
    }

    private static XElement Costs(CompileReport report)
    {
        var most = Math.Max(1, report.Costs.Max(c => (double?)c.Luts) ?? 1);
        return Section(
            "Cost by method",
            Html.Element(
                "p.more",
                "With all that a method calls. State belongs to the method below which all its accesses lie. "
                    + "LUTs and DSPs are estimated before synthesis, LUTs without those that are RAM."),
            Html.Table(
                ["", "LUT, about#", "", "DSP, about#", "flops, bits#", "RAM, bits#"],
                report.Costs.Select(c => (IReadOnlyList<object?>)
                [
                    Html.Element(
                        c.IsLayout ? "span.more" : "code", Html.Attribute("style", $"margin-left:{c.Depth}em"), c.Name),
                    Text($"{c.Luts:N0}"),
                    Html.Element("div.bar", Html.Attribute("style", $"width:{Text($"{6 * c.Luts / most:0.00}")}em")),
                    Text($"{c.Dsps:N0}"),
                    Text($"{c.FlopBits:N0}"),
                    Text($"{c.RamBits:N0}"),
                ])));
    }

    private static XElement Parts(CompileReport report) => Section(
        "Parts of the module",
        Html.Table(
            ["in the order of the Verilog", "flops, bits#", "RAM, bits#"],
            report.Stages.Select(s =>
                (IReadOnlyList<object?>)[s.Title, Text($"{s.FlopBits:N0}"), Text($"{s.RamBits:N0}")])));

    private static XElement Registers(CompileReport report) => Section(
        "Registers",
        Html.Element("p.more", "AXI4-Lite, 32 bits; addresses in bytes."),
        Html.Table(
            ["address", "name", "meaning"],
            report.Registers.Select(r =>
                (IReadOnlyList<object?>)
                [
                    Html.Element("code", $"0x{r.Address:X3}"),
                    Html.Element("code", r.Name),
                    r.Meaning,
                ])));

    private static XElement? Diagnostics(CompileReport report, QuotedLines lines) => report.Diagnostics.Count == 0
        ? null
        : Section(
            "Diagnostics",
            Html.Element(
                "ul.bounds",
                report.Diagnostics.Select(d => Item($"{d.Number}: {d.Message}", lines.Quote(d.File, d.Line)))));

    private static double Million(CompileReport report, long cycles) => (double)report.ClockMhz / cycles;

    private static double Gigabits(CompileReport report, KeyValuePair<int, long> interval) =>
        Million(report, interval.Value) * interval.Key * 8 / 1000;

    private static string Text(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
