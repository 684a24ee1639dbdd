using Emu.Compiler.IR;

namespace Emu.Simulation;

/// <summary>Cycles that a circuit takes for frames of one kind.</summary>
/// <param name="Kind">The frames.</param>
/// <param name="Deferred">The reason why they take the slow path; null when they do not.</param>
/// <param name="Path"><c>pipeline</c>, <c>slow path</c> or <c>engine</c>.</param>
public sealed record MeasuredKind(FrameKind Kind, SideExit? Deferred, string Path)
{
    /// <summary>
    /// From the edge that took the first beat of a frame alone to the first that could sample what leaves, another
    /// frame having gone before it in the same second; null when nothing leaves.
    /// </summary>
    public long? Latency { get; init; }

    /// <summary>The same of the first frame after reset.</summary>
    public long? FirstLatency { get; init; }

    /// <summary>The same of a frame that arrives a second after the one before.</summary>
    public long? NextSecondLatency { get; init; }

    /// <summary>Frames in a row, by their bytes, from the kind's own length up.</summary>
    public required IReadOnlyDictionary<int, MeasuredRow> Rows { get; init; }

    /// <summary>
    /// Cycles from one frame to the next, rounded up, by their bytes, from the kind's own length up; the source always
    /// has a beat, the sink is always ready.
    /// </summary>
    public IReadOnlyDictionary<int, long> Intervals => Rows.ToDictionary(row => row.Key, row => row.Value.Interval);

    /// <summary>The lengths at which as many frames left as came.</summary>
    public IReadOnlyList<int> Answered => [.. Rows.Where(row => row.Value.AllLeft).Select(row => row.Key)];

    /// <summary>Bytes of the frame that leaves for one of the kind's own length; 0 when none does.</summary>
    public int SentBytes { get; init; }

    /// <summary>Cycles from one frame to the next at the kind's own length.</summary>
    public long Interval => Rows[Kind.Bytes].Interval;
}

/// <summary>Equal frames, one behind the other.</summary>
/// <param name="Before">
/// The frames that go in before any is counted: with them the circuit is as full as it gets.
/// </param>
/// <param name="Counted">The frames that are counted.</param>
/// <param name="Interval">Cycles from one of these to the next, rounded up.</param>
/// <param name="AllLeft">True if as many frames left as came.</param>
public sealed record MeasuredRow(int Before, int Counted, long Interval, bool AllLeft);
