using Emu.Compiler.Reports;

namespace Emu.Tool;

/// <summary>A report for people.</summary>
internal static class CompileSummary
{
    private const double KilobitsPerBit = 1 / 1024.0;

    /// <summary>Rows of one subject that are shown; the others are in the report.</summary>
    private const int MostRows = 6;

    /// <summary>A few lines, but for the <see cref="Diagnostics"/>.</summary>
    /// <param name="report">The report.</param>
    /// <param name="folder">The folder of its files.</param>
    /// <param name="against">The differences from another report, if they are asked for.</param>
    public static IEnumerable<string> Lines(CompileReport report, string folder, ReportComparison? against)
    {
        var files = report.Files.Concat(["report.json", "report.html"]).Select(file => Path.Combine(folder, file));
        yield return $"{report.Service}: {string.Join(", ", files)}";
        yield return $"  layout     {report.Layout}, {report.BusBits}-bit bus, {report.Ports} ports, "
            + $"{report.ClockMhz} MHz on {report.Device}";
        yield return $"  measured   with {Frames(report.Measurement)}";
        yield return $"  latency    {Latency(report)}";
        yield return "  interval   "
            + $"{string.Join(", ", report.IntervalCycles.Select(entry => $"{entry.Value} ({entry.Key} B)"))} cycles "
            + $"a frame{Rate(report)}";
        foreach (var line in Together(report.Measurement)) yield return line;
        var kinds = report.Measurement.Kinds;
        foreach (var line in Rows("kinds", kinds.Count > 1 ? kinds.Select(Kind) : [])) yield return line;
        var slowPaths = report.SlowPath.OrderByDescending(path => path.Frames).Select(path => SlowPath(report, path));
        foreach (var line in Rows("slow path", slowPaths)) yield return line;
        foreach (var line in Bounds(report)) yield return line;
        var (size, kibit) = (report.Resources, report.Resources.RamBits * KilobitsPerBit);
        yield return $"  size       about {size.Luts:N0} LUT, {size.Dsps:N0} DSP, "
            + $"{size.FlopBits:N0} bits of flops, {kibit:N1} Kibit of RAM, before synthesis";
        if (report.Modules.Count > 0)
            yield return $"  modules    {string.Join(", ", report.Modules)}: what they take is not in the size";
        yield return $"  registers  {report.Registers.Count}, in the report";
        if (against is not null) foreach (var row in Changes(against)) yield return $"  {"against",-10} {row}";
    }

    /// <summary>
    /// The cycles of all frames one behind the other, if there are several: those that share nothing may come closer
    /// than equal ones, and those that are deferred hold others up.
    /// </summary>
    public static IEnumerable<string> Together(MeasurementNote measured)
    {
        if (measured.Frames > 1)
            yield return $"  {"together",-10} {measured.Frames} measured frames, one behind the other: "
                + $"{measured.Cycles:N0} cycles, {(double)measured.Cycles / measured.Frames:N2} a frame";
    }

    /// <summary>The name of a kind that no frame leaves of says so itself.</summary>
    private static string Frames(MeasurementNote measured) =>
        measured.AnsweredBytes.Count > 0 || measured.Frame.EndsWith(", dropped", StringComparison.Ordinal)
            ? measured.Frame
            : $"{measured.Frame}, which it drops";

    private static List<string> Changes(ReportComparison against)
    {
        var rows = against.Figures.Where(pair => pair.IsChanged)
            .Select(pair => $"{pair.Name}: {pair.Before}, now {pair.After}")
            .Concat(against.Gone.Select(reason => $"no longer {reason}"))
            .Concat(against.Added.Select(reason => $"new: {reason}"))
            .ToList();
        return rows.Count > 0 ? rows : ["no difference"];
    }

    /// <summary>The compiler's other messages, the weightiest first.</summary>
    public static IEnumerable<string> Diagnostics(CompileReport report)
    {
        foreach (var subject in report.Diagnostics.GroupBy(diagnostic => diagnostic.Number))
        {
            foreach (var diagnostic in subject.Take(MostRows))
                yield return $"{subject.Key} {At(diagnostic.File, diagnostic.Line)}{diagnostic.Message}";
            var more = subject.Count() - MostRows;
            if (more > 0) yield return $"{subject.Key} {more} more, in the report";
        }
    }

    /// <summary>The causes that keep frames from coming closer, each with what can be done about it.</summary>
    public static IEnumerable<string> Bounds(CompileReport report)
    {
        foreach (var bounds in report.BoundedBy.Take(MostRows).GroupBy(bound => bound.Instead))
        {
            foreach (var bound in bounds) yield return $"  {"bounded by",-10} {At(bound.File, bound.Line)}{bound.What}";
            if (bounds.Key.Length > 0) yield return $"  {"  instead",-10} {bounds.Key}";
        }
        var more = report.BoundedBy.Count - MostRows;
        if (more > 0) yield return $"  {"bounded by",-10} {more} more, in the report";
    }

    private static IEnumerable<string> Rows(string subject, IEnumerable<string> rows)
    {
        var all = rows.ToList();
        foreach (var row in all.Take(MostRows)) yield return $"  {subject,-10} {row}";
        if (all.Count > MostRows) yield return $"  {subject,-10} {all.Count - MostRows} more, in the report";
    }

    private static string At(string file, int line) => line > 0 ? $"{Path.GetFileName(file)}:{line}: " : "";

    private static string Kind(KindNote kind) =>
        $"{kind.Name}, {kind.Bytes} B{(kind.Frames > 1 ? $", {kind.Frames} frames" : "")}: {kind.Path}, "
            + $"{(kind.LatencyCycles is { } latency ? $"latency {latency}, " : "")}a frame every "
            + $"{kind.IntervalCycles[kind.Bytes]} cycles";

    private static string SlowPath(CompileReport report, SlowPathNote path) =>
        $"{At(path.File, path.Line)}{path.What}: {path.Frames} of {report.Measurement.Frames} measured frames"
            + (path.IntervalCycles is { } cycles ? $" ({path.Share:0.#%}), {cycles} cycles each" : "")
            + (path.CostCycles is { } cost ? $"; one among others costs {cost} cycles" : "");

    private static string Latency(CompileReport report) => report.LatencyCycles is { } latency
        ? $"{latency} cycles, a frame of {report.Measurement.LatencyBytes} bytes alone{OtherLatencies(report)}"
        : "not measured: no frame came out";

    private static string OtherLatencies(CompileReport report)
    {
        var (first, next) = (report.Measurement.FirstLatencyCycles, report.Measurement.NextSecondLatencyCycles);
        return (next is null || next == report.LatencyCycles ? "" : $"; {next} where a quotient of the time changes")
            + (first is null || first == report.LatencyCycles || first == next
                ? ""
                : $"; {first} the first after reset");
    }

    private static string Rate(CompileReport report) =>
        report.IntervalCycles.FirstOrDefault() is { Value: > 0 } shortest
            ? $"; {(double)report.ClockMhz / shortest.Value:N2} million a second of {shortest.Key} B"
            : "";
}
