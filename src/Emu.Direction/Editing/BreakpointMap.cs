using Emu.Direction.Editing.Messages;
using Emu.Direction.Weaving;

namespace Emu.Direction.Editing;

/// <summary>Finds the woven probes for the breakpoints that an editor asks for.</summary>
/// <param name="source">The places in the source of the service.</param>
/// <param name="woven">The names of what is woven.</param>
internal sealed class BreakpointMap(SourceMap source, IReadOnlyList<string> woven)
{
    private const string Break = "break ", Watch = "watch ", Trace = "trace ";

    /// <summary>The probe for a breakpoint at a line.</summary>
    /// <param name="file">The file.</param>
    /// <param name="wanted">The breakpoint, its line counted from 1.</param>
    public WantedStop At(Source file, SourceBreakpoint wanted) => Checked(wanted.HitCondition, hits =>
    {
        var name = Path.GetFileName(file.Path ?? file.Name ?? "");
        var line = $"{name}:{wanted.Line}";
        var log = string.IsNullOrWhiteSpace(wanted.LogMessage) ? null : new LogMessage(wanted.LogMessage);
        var trace = log is { Names: [var only] } && hits is null
            ? woven.FirstOrDefault(w => w == Trace + only && IsAt(w, line))
            : null;
        var stop = woven.Contains(Break + line)
            ? Break + line
            : woven.FirstOrDefault(w => w.StartsWith(Break, StringComparison.Ordinal) && IsAt(w, line));
        var remark = log is null || trace is not null ? null
            : "the service is stopped for a moment at each hit: no trace of one variable is woven for this line";
        return new WantedStop(
            trace ?? stop, (trace ?? stop) is null ? WhyNot(name, wanted.Line) : null, wanted.Condition, hits, log,
            remark, file, wanted.Line);
    });

    /// <summary>The probe for a breakpoint at a method.</summary>
    public WantedStop At(FunctionBreakpoint wanted) => Checked(wanted.HitCondition, hits =>
    {
        var own = source.Service + ".";
        var name = wanted.Name.Trim().TrimEnd('(', ')');
        var probe = new[] { name, name.StartsWith(own, StringComparison.Ordinal) ? name[own.Length..] : name }
            .Select(known => Break + known).FirstOrDefault(woven.Contains);
        var place = probe is null ? null : OnlyPlaceOf(probe);
        return new WantedStop(
            probe, probe is null ? $"{Break}{name} is not woven: {Listed(Break)}; {HowTo(Break, name)}" : null,
            wanted.Condition, hits, Source: place is null ? null : WantedStop.SourceOf(place), Line: place?.Line);
    });

    /// <summary>The probe for a stop where a variable has been written.</summary>
    public WantedStop At(DataBreakpoint wanted) => Checked(wanted.HitCondition, hits => new WantedStop(
        woven.Contains(Watch + wanted.DataId) ? Watch + wanted.DataId : null,
        woven.Contains(Watch + wanted.DataId) ? WhyNoAccess(wanted.AccessType) : WhyNotWatched(wanted.DataId),
        wanted.Condition, hits));

    /// <summary>The name by which a variable is watched, or the reason that it cannot be.</summary>
    public DataBreakpointInfoBody Info(string variable) => woven.Contains(Watch + variable)
        ? new DataBreakpointInfoBody(variable, $"{variable} is written", ["write"])
        : new DataBreakpointInfoBody(null, WhyNotWatched(variable), null);

    /// <summary>The place of a probe; null if it has several, or it is not known.</summary>
    public SourcePlace? OnlyPlaceOf(string probe) => source.PlacesOf(probe) is [var place] ? place : null;

    private static WantedStop Checked(string? hitCondition, Func<HitCondition?, WantedStop> make)
    {
        try
        {
            return make(string.IsNullOrWhiteSpace(hitCondition) ? null : HitCondition.Parse(hitCondition));
        }
        catch (FormatException exception)
        {
            return make(null) with { Probe = null, WhyNot = exception.Message };
        }
    }

    private static string? WhyNoAccess(string? access) =>
        access is null or "write" ? null : $"a {access} stops nothing: a service is stopped where it has written";

    private static string HowTo(string command, string name) =>
        $"weave it when the service is started, --direct {command.Trim()}:{name}";

    private bool IsAt(string probe, string line) =>
        source.PlacesOf(probe) is { Count: > 0 } places && places.All(place => place.Name == line);

    private string WhyNotWatched(string variable) =>
        $"{Watch}{variable} is not woven: {Listed(Watch)}; {HowTo(Watch, variable)}";

    private string Listed(string command) =>
        woven.Where(name => name.StartsWith(command, StringComparison.Ordinal)).ToList() is { Count: > 0 } names
            ? $"there are {string.Join(", ", names)}"
            : $"there is no {command.Trim()}";

    private string WhyNot(string file, int line)
    {
        if (!source.HasFile(file)) return $"{file} has no code of {source.Service}, the service that is directed";
        var stops = woven.Where(name => name.StartsWith(Break, StringComparison.Ordinal))
            .SelectMany(source.PlacesOf).Where(place => place.Name == $"{file}:{place.Line}")
            .Select(place => place.Line).Distinct().Order().ToList();
        var lines = stops switch
        {
            [] => $"no line of {file} is",
            [var only] => $"woven is line {only} of {file}",
            _ => $"woven are lines {string.Join(", ", stops)} of {file}",
        };
        var known = source.Lines(file);
        if (known.Contains(line)) return $"line {line} is not woven: {lines}; {HowTo(Break, $"{file}:{line}")}";
        var near = known.Where(other => other < line).TakeLast(1).Concat(known.Where(other => other > line).Take(1));
        return $"no code begins on line {line} of {file}, but on {string.Join(" and ", near)}; {lines}";
    }
}
