using Emu.Direction.Directing;
using Emu.Direction.Language;

namespace Emu.Direction.Editing;

/// <summary>
/// The breakpoints of the editor and of its console, and the probes that are set by them. An editor names all
/// breakpoints of a group, such as a file, at once.
/// </summary>
/// <param name="director">Carries out the commands.</param>
/// <param name="woven">The names of what is woven.</param>
internal sealed class StopTable(Director director, IReadOnlyList<string> woven)
{
    private const string BreakPrefix = "break ";

    private readonly Dictionary<string, List<SetStop>> _groups = [];
    private readonly Dictionary<string, string> _typed = [];
    private readonly HashSet<string> _unset = [];
    private int _lastId;

    /// <summary>True if the service can be stopped at every woven point.</summary>
    public bool HasPoints => woven.Any(IsBreak);

    /// <summary>The breakpoints whose traces are read.</summary>
    public IEnumerable<SetStop> Traces => All.Where(stop => stop.WhyNot is null && stop.Wanted.IsTrace);

    private IEnumerable<SetStop> All => _groups.Values.SelectMany(stops => stops);

    /// <summary>Sets the breakpoints of a group in the place of those that it had.</summary>
    /// <returns>One for each, in order.</returns>
    public IReadOnlyList<SetStop> Replace(string group, IReadOnlyList<WantedStop> wanted)
    {
        var old = _groups.GetValueOrDefault(group, []);
        foreach (var gone in old.Where(stop => stop.WhyNot is null && !wanted.Contains(stop.Wanted)))
        {
            director.Run(gone.Wanted.UnsetCommand);
            if (gone.Wanted.Probe is { } probe) _unset.Add(probe);
        }
        _groups[group] = [];
        foreach (var one in wanted)
        {
            // One that stays keeps its hits.
            var kept = old.Find(stop => stop.WhyNot is null && stop.Wanted == one);
            if (kept is not null) old.Remove(kept);
            var stop = kept ?? new SetStop(++_lastId, one);
            if (kept is null && one.Probe is not null) Set(stop);
            _groups[group].Add(stop);
        }
        return _groups[group];
    }

    /// <summary>The breakpoint that a probe is set by; null if the editor has set none there.</summary>
    public SetStop? Of(string probe) => All.FirstOrDefault(stop => stop.WhyNot is null && stop.Wanted.Probe == probe);

    /// <summary>
    /// True for a probe that was set, and is not any more: a frame may have come to it before that was taken back.
    /// </summary>
    public bool WasUnset(string probe) =>
        _unset.Contains(probe) && Of(probe) is null && !_typed.ContainsKey(probe);

    /// <summary>Notes a command of the console that has set or unset a probe.</summary>
    /// <returns>The breakpoint of the editor that is not as it was; null if there is none.</returns>
    public SetStop? Typed(string line, DirectionCommand command)
    {
        var (probe, sets) = command switch
        {
            DirectionCommand.Break stop => ($"break {stop.Start.Name}", true),
            DirectionCommand.Watch stop => ($"watch {stop.Start.Name}", true),
            DirectionCommand.Unbreak stop => ($"break {stop.Name}", false),
            DirectionCommand.Unwatch stop => ($"watch {stop.Name}", false),
            _ => ("", false),
        };
        if (probe.Length == 0) return null;
        if (sets) _typed[probe] = line;
        else _typed.Remove(probe);
        if (Of(probe) is not { } changed) return null;
        changed.WhyNot = $"the console has {(sets ? "set" : "unset")} it: {line.Trim()}";
        return changed;
    }

    /// <summary>Has the service stop at every point that is woven.</summary>
    /// <returns>The reason that it cannot; null if it does.</returns>
    public string? SetAll() => woven.Where(IsBreak)
        .Select(point => director.Run(point)!).FirstOrDefault(outcome => !outcome.Done)?.Lines[0];

    /// <summary>Has it stop again only where the editor and the console want.</summary>
    public void Restore()
    {
        foreach (var point in woven.Where(IsBreak))
        {
            director.Run(Of(point)?.Wanted.SetCommand ?? Typed(point));
            _unset.Add(point);
        }
    }

    /// <summary>Unsets all that was set here.</summary>
    public void Clear()
    {
        foreach (var stop in All.Where(stop => stop.WhyNot is null)) director.Run(stop.Wanted.UnsetCommand);
        foreach (var probe in _typed.Keys) director.Run($"un{probe}");
        _groups.Clear();
        _typed.Clear();
    }

    private static bool IsBreak(string name) => name.StartsWith(BreakPrefix, StringComparison.Ordinal);

    private string Typed(string point) => _typed.GetValueOrDefault(point, $"un{point}");

    private void Set(SetStop stop)
    {
        if (Of(stop.Wanted.Probe!) is { } other)
            stop.WhyNot = $"{other.Wanted.Probe} is set already, by breakpoint {other.Id}: it has one condition";
        else if (director.Run(stop.Wanted.SetCommand) is { Done: false } outcome) stop.WhyNot = outcome.Lines[0];
    }
}
