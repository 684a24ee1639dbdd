namespace Emu.Simulation;

/// <summary>
/// The cycles that equal frames take, one behind the other, where state may make one wait longer than another.
/// </summary>
internal static class Pace
{
    /// <summary>The number of times that a run of intervals has to come until it is taken to come for ever.</summary>
    private const int Repeats = 3;

    /// <summary>Intervals that are enough to see a run of several.</summary>
    public const int Enough = 128;

    /// <summary>Frames after which a circuit is full where queues fill slowly.</summary>
    public const int LongFilling = 512;

    /// <summary>
    /// Cycles a frame, rounded up, over a run of intervals that comes again and again; null when none does.
    /// </summary>
    /// <param name="intervals">The intervals, at least one, of a circuit that is as full as it gets.</param>
    public static long? Of(IReadOnlyList<long> intervals)
    {
        for (var period = 1; Repeats * period <= intervals.Count; period++)
        {
            if (Enumerable.Range(0, intervals.Count - period).All(i => intervals[i] == intervals[i + period]))
                return (intervals.Take(period).Sum() + period - 1) / period;
        }
        return null;
    }
}
