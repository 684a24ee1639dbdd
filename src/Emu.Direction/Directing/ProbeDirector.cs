using Emu.Direction.Language;
using Emu.Direction.Packets;
using Emu.Direction.Probes;

namespace Emu.Direction.Directing;

/// <summary>Carries out commands about events by setting and reading probes.</summary>
/// <param name="session">The session.</param>
/// <param name="link">The way to the service.</param>
internal sealed class ProbeDirector(DirectorSession session, IDirectionLink link)
{
    private const int HalfBits = 64;

    /// <summary>Starts a probe: it is stopped, emptied, given its condition, and set to work.</summary>
    /// <param name="line">The line of the command.</param>
    /// <param name="probe">The name of the probe.</param>
    /// <param name="start">The condition and the most events.</param>
    /// <param name="usualMost">The most events unless it says another number.</param>
    public CommandOutcome Start(string line, string probe, ProbeStart start, uint usualMost)
    {
        var comparisons = start.Condition.Comparisons;
        var settings = new List<(int Setting, UInt128 Bits)>
        {
            ((int)ProbeSetting.Active, 0), ((int)ProbeSetting.Most, start.Most ?? usualMost),
        };
        foreach (var (i, comparison) in comparisons.Index())
        {
            settings.Add(((int)ProbeSetting.Sides + 2 * i, comparison.Sides));
            settings.Add(((int)ProbeSetting.Sides + 2 * i + 1, comparison.Constant));
        }
        settings.Add(((int)ProbeSetting.Table, start.Condition.TableOf(Condition.MostComparisons)));
        settings.Add(((int)ProbeSetting.Active, 1));
        return Write(line, probe, settings, comparisons);
    }

    /// <summary>Stops a probe.</summary>
    public CommandOutcome Stop(string line, string probe) =>
        Write(line, probe, [((int)ProbeSetting.Active, 0)], []);

    /// <summary>Stops a counter or trace, empties it or shows it.</summary>
    /// <param name="line">The line of the command.</param>
    /// <param name="probe">The name of the probe.</param>
    /// <param name="action">The action.</param>
    /// <param name="show">
    /// Makes the lines that show it, of its events and of those that a trace missed or the most that a counter shows.
    /// </param>
    public CommandOutcome Control(
        string line, string probe, ProbeAction action, Func<ulong, ulong, IReadOnlyList<string>> show)
    {
        if (action == ProbeAction.Stop) return Stop(line, probe);
        if (action == ProbeAction.Clear) return Write(line, probe, [((int)ProbeSetting.Clear, 0)], []);
        var reply = Read(probe);
        // Over captures every request is made, whatever the answers will be.
        var lines = show((ulong)(reply?.Value ?? 0), (ulong)((reply?.Value ?? 0) >> HalfBits));
        return reply is { Status: DirectionStatus.Done }
            ? new CommandOutcome(line, true, lines)
            : new CommandOutcome(line, false, [WhyNot(probe, (int)ProbeSetting.Most, reply, [])]);
    }

    /// <summary>The values that a trace has kept.</summary>
    public IReadOnlyList<string> Values(string name, ulong kept) =>
        [.. ValuesFrom(name, 0, (uint)kept).Select(value => $"[{value.Index}] = {value.Text}")];

    /// <summary>Reads a trace, with the values from one on; null if it is not there.</summary>
    public TraceReading? ReadTrace(string probe, string name, uint first)
    {
        if (Read(probe) is not { Status: DirectionStatus.Done } reply) return null;
        var kept = (uint)reply.Value;
        return new TraceReading(
            [.. ValuesFrom(name, first, kept).Select(value => value.Text)], kept, (uint)(reply.Value >> HalfBits));
    }

    /// <summary>Reads what a probe has counted.</summary>
    private DirectionReply? Read(string probe) =>
        link.Exchange(session, session.Read(DirectedVariable.HashOf(probe), (uint)ProbeSetting.Active));

    private List<(uint Index, string Text)> ValuesFrom(string name, uint first, uint kept)
    {
        var texts = new List<(uint Index, string Text)>();
        var values = DirectedVariable.HashOf(TraceProbe.ValuesPrefix + name);
        for (var i = first; i < (link.IsDeferred ? TraceProbe.Depth : kept); i++)
        {
            var reply = link.Exchange(session, session.Read(values, i));
            if (i < kept && reply is { Status: DirectionStatus.Done })
                texts.Add((i, DirectionValue.Show(reply.Value, reply.Shown, reply.Width)));
        }
        return texts;
    }

    private CommandOutcome Write(
        string line, string probe, IReadOnlyList<(int Setting, UInt128 Bits)> settings,
        IReadOnlyList<ConditionComparison> comparisons)
    {
        string? why = null;
        foreach (var (setting, bits) in settings)
        {
            var reply = link.Exchange(
                session, session.Write(DirectedVariable.HashOf(probe), (uint)setting, bits));
            if (reply is { Status: DirectionStatus.Done }) continue;
            why ??= WhyNot(probe, setting, reply, comparisons);
            if (!link.IsDeferred) break;
        }
        return new CommandOutcome(line, why is null, why is null ? [] : [why]);
    }

    private static string WhyNot(
        string probe, int setting, DirectionReply? reply, IReadOnlyList<ConditionComparison> comparisons) =>
        reply?.Status switch
        {
            null => $"no answer: it is not known whether the service has seen all requests for {probe}",
            DirectionStatus.UnknownName => $"{probe} is not woven; list shows what is",
            DirectionStatus.IndexOutOfRange =>
                $"the condition has {comparisons.Count} comparisons: {RoomIn(reply)} "
                + $"at most are woven for {probe} (--direct-terms)",
            DirectionStatus.NotTaken when setting == (int)ProbeSetting.Most => $"max: {probe} has less room",
            DirectionStatus.NotTaken => NotCompared(
                probe, comparisons[(setting - (int)ProbeSetting.Sides) / 2]),
            var status => $"the service refuses: {status}",
        };

    /// <summary>The comparisons that a probe has room for.</summary>
    private static int RoomIn(DirectionReply reply) => ((int)reply.Elements - (int)ProbeSetting.Sides) / 2;

    private static string NotCompared(string probe, ConditionComparison comparison) =>
        $"{probe} does not compare {comparison.Left}{(comparison.Right is { } right ? $" with {right}" : "")}: "
        + $"name what it compares where it is woven, {Feature(probe)}+{comparison.Left}";

    /// <summary>The feature that weaves a probe: <c>count:writes Forwarded</c>.</summary>
    private static string Feature(string probe) =>
        probe.Split(' ', 2) is [var command, var name] ? $"{command}:{name}" : probe;
}
