namespace Emu.Simulation;

/// <summary>
/// The frames that went into a circuit and may still cause one to come out; measures how many cycles that takes.
/// </summary>
internal sealed class FramesInside
{
    /// <summary>More than any circuit holds: older ones were dropped there.</summary>
    private const int Most = 4096;

    private readonly LinkedList<SourceFrame> _frames = [];
    private long? _firstBeat;

    public CycleCounts Intervals { get; } = new();

    public CycleCounts Latencies { get; } = new();

    /// <summary>Frames whose first beat went in, in order.</summary>
    public void Add(IEnumerable<SourceFrame> frames)
    {
        foreach (var frame in frames.Where(f => f.Bytes.Length > 0))
        {
            if (_firstBeat is { } before) Intervals.Add(frame.FirstBeat!.Value - before);
            _firstBeat = frame.FirstBeat;
            _frames.AddLast(frame);
            if (_frames.Count > Most) _frames.RemoveFirst();
        }
    }

    /// <summary>A frame came out: those that went in before its cause were dropped.</summary>
    public void Left(SinkFrame frame)
    {
        if (!_frames.Any(f => IsCause(f, frame))) return; // a second frame of the same event
        while (!IsCause(_frames.First!.Value, frame)) _frames.RemoveFirst();
        Latencies.Add(frame.Visible - _frames.First.Value.FirstBeat!.Value);
        _frames.RemoveFirst();
    }

    private static bool IsCause(SourceFrame cause, SinkFrame effect) =>
        cause.Time == effect.Time && StreamUser.Bit(cause.Ingress) == effect.User.Source
        && cause.FirstBeat < effect.Visible;
}
