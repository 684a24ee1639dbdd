using Emu.Simulation;

namespace Emu.Fuzz;

/// <summary>Every way to run a service. All must do with the same frames what .NET does, and be left in the same state.</summary>
internal static class Ladder
{
    /// <summary>The rungs; the first is what the others are held against. A new one is added here, and every test then has it.</summary>
    public static IReadOnlyList<Rung> Rungs { get; } =
    [
        new DotNetRung(),
        new InterpreterRung(),
        new OptimisedRung(),
        new HardwareRung("the engine", Compiler.Layout.Engine),
        new HardwareRung("the fastest layout, with stalls", null, source: StallPattern.Random(3, 0.3), sink: StallPattern.Random(5, 0.4)),
    ];

    /// <summary>Runs a service on every rung.</summary>
    /// <returns>The first difference, with what was expected; null when there is none.</returns>
    public static string? Difference(Func<Service> construct, IReadOnlyList<ReceivedFrame> frames) => Difference(new Subject(construct), frames, Rungs);

    /// <summary>Runs a service on some rungs.</summary>
    /// <returns>The first difference from the first of them, with what was expected; null when there is none.</returns>
    public static string? Difference(Subject subject, IReadOnlyList<ReceivedFrame> frames, IReadOnlyList<Rung> rungs)
    {
        var expected = rungs[0].Run(subject, frames);
        foreach (var rung in rungs.Skip(1).Where(r => r.Takes(subject)))
        {
            if (Difference(rung.IsInAll ? InAll(expected) : expected, rung.Run(subject, frames), frames) is { } difference)
                return $"{rung.Name} differs from {rungs[0].Name}: {difference}";
        }
        return null;
    }

    private static string? Difference(Outcome expected, Outcome actual, IReadOnlyList<ReceivedFrame> frames)
    {
        for (var i = 0; i < expected.Events.Count; i++)
        {
            if (Difference(expected.Events[i], actual.Events[i]) is { } difference)
                return $"{difference}\nframe {i} of {frames.Count}, received at port {frames[i].Port}:\n{Convert.ToHexString(frames[i].Bytes)}";
        }
        foreach (var ((name, before), (_, after)) in expected.State.Zip(actual.State))
        {
            for (var i = 0; i < before.Length; i++)
            {
                if (before[i] != after[i]) return $"{name}[{i}] is {after[i]:x}, should be {before[i]:x}, after {frames.Count} frames";
            }
        }
        return null;
    }

    /// <summary>All events as one.</summary>
    private static Outcome InAll(Outcome outcome) =>
        outcome with { Events = [new EventOutcome([.. outcome.Events.SelectMany(e => e.Sent)], [.. outcome.Events.SelectMany(e => e.Faults).Order()])] };

    private static string? Difference(EventOutcome expected, EventOutcome actual)
    {
        if (!expected.Faults.SequenceEqual(actual.Faults)) return $"faults are [{string.Join(", ", actual.Faults)}], should be [{string.Join(", ", expected.Faults)}]";
        if (expected.Sent.Count != actual.Sent.Count) return $"{actual.Sent.Count} frames left, should be {expected.Sent.Count}";
        foreach (var (e, a) in expected.Sent.Zip(actual.Sent))
        {
            if (e.Ports != a.Ports) return $"a frame left by {a.Ports}, should by {e.Ports}";
            if (!e.Bytes.AsSpan().SequenceEqual(a.Bytes)) return $"a frame left\n{Convert.ToHexString(a.Bytes)}, should\n{Convert.ToHexString(e.Bytes)}";
        }
        return null;
    }
}
