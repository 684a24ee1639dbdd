using Emu.Compiler;

namespace Emu.Tool;

/// <summary>A report for people.</summary>
internal static class CompileSummary
{
    private const double KilobitsPerBit = 1 / 1024.0;

    /// <summary>A few lines.</summary>
    /// <param name="report">What there is to say.</param>
    /// <param name="folder">Where its files are.</param>
    public static IEnumerable<string> Lines(CompileReport report, string folder)
    {
        yield return $"{report.Service}: {string.Join(", ", report.Files.Concat(["report.json", "report.html"]).Select(file => Path.Combine(folder, file)))}";
        yield return $"  layout     {report.Layout}, {report.BusBits}-bit bus, {report.Ports} ports, {report.ClockMhz} MHz";
        yield return $"  latency    {Latency(report)}";
        yield return $"  interval   {string.Join(", ", report.IntervalCycles.Select(entry => $"{entry.Value} ({entry.Key} B)"))} cycles a frame{Rate(report)}";
        foreach (var bound in report.BoundedBy)
            yield return $"  bounded by {(bound.Line > 0 ? $"{Path.GetFileName(bound.File)}:{bound.Line}: " : "")}{bound.What}";
        var (size, kibit) = (report.Resources, report.Resources.RamBits * KilobitsPerBit);
        yield return $"  size       about {size.Luts:N0} LUT, {size.Dsps:N0} DSP, "
            + $"{size.FlopBits:N0} bits of flops, {kibit:N1} Kibit of RAM, before synthesis";
        yield return $"  registers  {report.Registers.Count}, in the report";
        yield return $"  measured   with {report.Measurement.Frame}{(report.Measurement.AnsweredBytes.Count == 0 ? ", which it drops" : "")}";
        foreach (var diagnostic in report.Diagnostics) yield return $"  {diagnostic.Number} {diagnostic.File}:{diagnostic.Line}: {diagnostic.Message}";
    }

    private static string Latency(CompileReport report) => report.LatencyCycles is { } latency
        ? $"{latency} cycles, a frame of {report.Measurement.LatencyBytes} bytes alone{FirstLatency(report)}"
        : "not measured: no frame came out";

    private static string FirstLatency(CompileReport report) =>
        report.Measurement.FirstLatencyCycles == report.LatencyCycles ? "" : $"; {report.Measurement.FirstLatencyCycles} where a new second begins";

    private static string Rate(CompileReport report) =>
        report.IntervalCycles.FirstOrDefault() is { Value: > 0 } shortest
            ? $"; {(double)report.ClockMhz / shortest.Value:N2} million a second of {shortest.Key} B"
            : "";
}
