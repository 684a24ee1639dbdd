namespace Emu.Tool;

/// <summary>Figures of circuits beside those recorded.</summary>
internal sealed class HardwareComparison
{
    private readonly RecordedHardware _recorded;
    private readonly IReadOnlyList<HardwareFigures> _measured;
    private readonly bool _comparesCells;

    /// <summary>Compares.</summary>
    /// <param name="recorded">The figures of an earlier run.</param>
    /// <param name="measured">The figures of this run.</param>
    /// <param name="synthesis">The program that counted the cells now;
    /// cells that another program counted are not compared. Null when they were not counted.</param>
    public HardwareComparison(RecordedHardware recorded, IReadOnlyList<HardwareFigures> measured, string? synthesis)
    {
        (_recorded, _measured, _comparesCells) = (recorded, measured, synthesis == recorded.Synthesis);
        List<string> changes = [];
        if (synthesis is not null && !_comparesCells)
            changes.Add($"cells are not compared: recorded by {recorded.Synthesis}, counted by {synthesis}");
        foreach (var now in measured)
        {
            if (recorded.Of(now) is not { } before)
            {
                (IsWorse, changes) = (true, [.. changes, $"new: {now.Name} is not recorded"]);
                continue;
            }
            foreach (var (name, value, was) in Differences(now, before))
            {
                var isWorse = value is null || value > was;
                IsWorse |= isWorse;
                changes.Add(
                    $"{(isWorse ? "worse" : "better")}: {now.Name}: {name} {was?.ToString() ?? "-"} -> "
                    + $"{value?.ToString() ?? "-"}");
            }
        }
        foreach (var gone in recorded.Circuits.Where(before => !measured.Any(now => now.Name == before.Name)))
            (IsWorse, changes) = (true, [.. changes, $"worse: {gone.Name} does not compile any more"]);
        Changes = changes;
    }

    /// <summary>The changes for worse or better, a line each.</summary>
    public IReadOnlyList<string> Changes { get; }

    /// <summary>True if any figure got worse by more than its tolerance, is gone, or is not recorded.</summary>
    public bool IsWorse { get; }

    /// <summary>The figures as a table of Markdown, what was recorded in brackets where it differs.</summary>
    public IEnumerable<string> Table()
    {
        if (_measured.Count == 0) yield break;
        List<string> heads = ["service", "layout", .. _measured[0].All.Select(f => f.Name), "MHz"];
        yield return $"| {string.Join(" | ", heads)} |";
        yield return $"|{string.Concat(heads.Select(_ => "---|"))}";
        foreach (var now in _measured)
        {
            var before = _recorded.Of(now)?.All.ToDictionary(f => f.Name, f => f.Value) ?? [];
            var cells = now.All.Select(figure => Cell(figure.Value, before.GetValueOrDefault(figure.Name)))
                .Append(Cell(now.ClockMhz, null));
            yield return $"| {now.Service} {now.Arguments} | {now.Layout} | {string.Join(" | ", cells)} |"
                .Replace("  ", " ", StringComparison.Ordinal);
        }
    }

    private static string Cell(long? now, long? before) =>
        now is null ? "–" : now == before || before is null ? $"{now}" : $"{now} ({before})";

    /// <summary>
    /// The figures that differ by more than their tolerance; those of cells only where the same program counted both,
    /// and came to an end now; and so for the picoseconds alone.
    /// </summary>
    private IEnumerable<(string Name, long? Now, long? Before)> Differences(HardwareFigures now, HardwareFigures before)
    {
        var (current, past) = _comparesCells && now.Cells is not null
            ? (now, before)
            : (now with { Cells = null }, before with { Cells = null });
        var was = past.All.ToDictionary(f => f.Name, f => f.Value);
        return current.All
            .Where(f => f.Name != HardwareFigures.Picoseconds || f.Value is not null)
            .Where(f => was.GetValueOrDefault(f.Name) is { } before
                && (f.Value is not { } value
                    || Math.Abs(value - before) > HardwareFigures.Tolerance(f.Name, before)))
            .Select(f => (f.Name, f.Value, was[f.Name]));
    }
}
