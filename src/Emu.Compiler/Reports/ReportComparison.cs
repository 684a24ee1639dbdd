using System.Globalization;

namespace Emu.Compiler.Reports;

/// <summary>The differences between two reports, such as those before and after a change of a service.</summary>
/// <param name="Figures">The main figures of both, those that are equal too.</param>
/// <param name="Gone">Reasons for slow paths and bounds that only the former report has.</param>
/// <param name="Added">Those that only the latter has.</param>
public sealed record ReportComparison(
    IReadOnlyList<FigurePair> Figures, IReadOnlyList<string> Gone, IReadOnlyList<string> Added)
{
    /// <summary>Compares.</summary>
    /// <param name="before">The former report.</param>
    /// <param name="after">The latter report.</param>
    public static ReportComparison Of(CompileReport before, CompileReport after)
    {
        ArgumentNullException.ThrowIfNull(before);
        ArgumentNullException.ThrowIfNull(after);
        var (was, now) = (Reasons(before), Reasons(after));
        return new ReportComparison(
            [.. FiguresOf(before, after)], [.. was.Except(now)], [.. now.Except(was)]);
    }

    private static IEnumerable<FigurePair> FiguresOf(CompileReport before, CompileReport after)
    {
        yield return new FigurePair("layout", before.Layout, after.Layout);
        yield return new FigurePair("clock, MHz", Text(before.ClockMhz), Text(after.ClockMhz));
        yield return new FigurePair("bus, bits", Text(before.BusBits), Text(after.BusBits));
        yield return new FigurePair("latency, cycles", Text(before.LatencyCycles), Text(after.LatencyCycles));
        foreach (var length in before.IntervalCycles.Keys.Union(after.IntervalCycles.Keys).Order())
        {
            yield return new FigurePair(
                $"interval of {length} bytes, cycles",
                Text(At(before.IntervalCycles, length)), Text(At(after.IntervalCycles, length)));
        }
        foreach (var pair in Kinds(before, after)) yield return pair;
        yield return new FigurePair("levels of the deepest step", Levels(before), Levels(after));
        yield return new FigurePair("LUT, about", Text(before.Resources.Luts), Text(after.Resources.Luts));
        yield return new FigurePair("DSP, about", Text(before.Resources.Dsps), Text(after.Resources.Dsps));
        yield return new FigurePair("flops, bits", Text(before.Resources.FlopBits), Text(after.Resources.FlopBits));
        yield return new FigurePair("RAM, bits", Text(before.Resources.RamBits), Text(after.Resources.RamBits));
    }

    /// <summary>The kinds of frames that both were measured with, at their own length.</summary>
    private static IEnumerable<FigurePair> Kinds(CompileReport before, CompileReport after)
    {
        // The first kind is that of the report's own latency and intervals.
        foreach (var kind in after.Measurement.Kinds.Skip(1))
        {
            var former = before.Measurement.Kinds.FirstOrDefault(other => other.Name == kind.Name);
            if (former is null || former.Bytes != kind.Bytes) continue;
            yield return new FigurePair(
                $"interval of {kind.Name}, cycles",
                Text(At(former.IntervalCycles, kind.Bytes)), Text(At(kind.IntervalCycles, kind.Bytes)));
        }
    }

    /// <summary>Their places are left out: a line moves with every line that is written above it.</summary>
    private static List<string> Reasons(CompileReport report) =>
    [
        .. report.SlowPath.Select(path => $"slow path: {path.What}").Distinct(),
        .. report.BoundedBy.Select(bound => $"bounded by: {bound.What}").Distinct(),
    ];

    private static long? At(IReadOnlyDictionary<int, long> cycles, int length) =>
        cycles.TryGetValue(length, out var there) ? there : null;

    private static string Levels(CompileReport report) => report.Steps.Count == 0
        ? Text(null)
        : report.Steps.Max(step => step.Levels).ToString("0.0", CultureInfo.InvariantCulture);

    private static string Text(long? number) => number?.ToString("N0", CultureInfo.InvariantCulture) ?? "–";
}

/// <summary>One figure in two reports.</summary>
/// <param name="Name">The figure and its unit.</param>
/// <param name="Before">In the former report; a dash where it has none.</param>
/// <param name="After">In the latter report.</param>
public sealed record FigurePair(string Name, string Before, string After)
{
    /// <summary>True if they differ.</summary>
    public bool IsChanged => Before != After;
}
