namespace Emu.Testing;

/// <summary>A difference between two outcomes.</summary>
/// <param name="Frame">The frame that it is about, from 0; null when it shows in the state alone.</param>
/// <param name="What">The difference, on one line.</param>
/// <param name="Packets">The packets that it is about, by field; empty for none.</param>
internal sealed record Difference(int? Frame, string What, string Packets = "")
{
    /// <summary>The first difference; null when there is none.</summary>
    /// <param name="expected">The expected outcome, frame by frame.</param>
    /// <param name="actual">The outcome that is compared with it.</param>
    /// <param name="isInAll">True if the actual outcome has all events as one.</param>
    /// <param name="frames">The frames that were received.</param>
    public static Difference? Between(
        Outcome expected, Outcome actual, bool isInAll, IReadOnlyList<IncomingFrame> frames) =>
        (isInAll ? InAll(expected.Events, actual.Events.Single(), frames) : ByEvent(expected.Events, actual.Events))
        ?? InState(expected.State, actual.State);

    /// <summary>The difference, the frame that it is about, and the packets.</summary>
    public string Text(IReadOnlyList<IncomingFrame> frames) => Frame is { } index
        ? $"at frame {index} of {frames.Count}: {What}\nframe {index}, {frames[index]}{Packets}".TrimEnd('\n')
        : $"after {frames.Count} frames: {What}";

    private static Difference? ByEvent(IReadOnlyList<EventOutcome> expected, IReadOnlyList<EventOutcome> actual) =>
        expected.Zip(actual)
            .Select((pair, i) => InSent([.. pair.First.Sent.Select(sent => (i, sent))], pair.Second.Sent, _ => i)
                ?? InFaults(i, pair.First.Faults, pair.Second.Faults))
            .FirstOrDefault(d => d is not null);

    private static Difference? InAll(
        IReadOnlyList<EventOutcome> expected, EventOutcome actual, IReadOnlyList<IncomingFrame> frames) =>
        InSent(
            [.. expected.SelectMany((e, i) => e.Sent.Select(sent => (i, sent)))],
            actual.Sent,
            time => LastAt(time, frames))
        ?? InFaults(null, [.. expected.SelectMany(e => e.Faults).Order()], actual.Faults);

    private static Difference? InSent(
        IReadOnlyList<(int Frame, SentFrame Sent)> expected, IReadOnlyList<SentFrame> actual, Func<ulong, int?> frameAt)
    {
        for (var i = 0; i < Math.Max(expected.Count, actual.Count); i++)
        {
            // A frame carries the time of the event that caused it: so one too many or too few is found where it is.
            if (i == actual.Count || i < expected.Count && actual[i].Time > expected[i].Sent.Time)
                return new Difference(expected[i].Frame, "a frame is missing", $"it should leave {expected[i].Sent}");
            if (i == expected.Count || actual[i].Time < expected[i].Sent.Time)
                return new Difference(frameAt(actual[i].Time), "a frame left that should not", $"it left {actual[i]}");
            var (frame, sent) = expected[i];
            if (sent.Ports != actual[i].Ports)
                return new Difference(
                    frame, $"a frame left by port {actual[i].Ports}, should by {sent.Ports}", $"it left {actual[i]}");
            if (!sent.Bytes.AsSpan().SequenceEqual(actual[i].Bytes))
                return new Difference(
                    frame, "a frame left with other bytes", PacketAssert.Compare(sent.Bytes, actual[i].Bytes));
        }
        return null;
    }

    private static Difference? InFaults(
        int? frame, IReadOnlyList<FaultKind> expected, IReadOnlyList<FaultKind> actual) =>
        expected.SequenceEqual(actual)
            ? null
            : new Difference(
                frame, $"faults are [{string.Join(", ", actual)}], should be [{string.Join(", ", expected)}]");

    private static Difference? InState(
        IReadOnlyList<(string Name, UInt128[] Elements)> expected,
        IReadOnlyList<(string Name, UInt128[] Elements)> actual)
    {
        foreach (var ((name, before), (_, after)) in expected.Zip(actual))
        {
            var index = before.AsSpan().CommonPrefixLength(after);
            if (index < before.Length)
                return new Difference(null, $"{name}[{index}] is {after[index]:x}, should be {before[index]:x}");
        }
        return null;
    }

    /// <summary>The last frame that had arrived at a time; null when none had.</summary>
    private static int? LastAt(ulong time, IReadOnlyList<IncomingFrame> frames)
    {
        int? last = null;
        for (var i = 0; i < frames.Count && frames[i].Time <= time; i++) last = i;
        return last;
    }
}
