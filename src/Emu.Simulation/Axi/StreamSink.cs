namespace Emu.Simulation;

/// <summary>Collects the frames that come out of a design.</summary>
/// <param name="signals">The stream out of the design.</param>
/// <param name="pattern">The cycles in which it is not ready.</param>
public sealed class StreamSink(StreamSignals signals, StallPattern pattern)
{
    private readonly List<SinkFrame> _frames = [];
    private readonly List<byte> _bytes = [];
    private StreamUser _user;
    private long? _visible;
    private long? _firstBeat;
    private int _held;

    /// <summary>The frames that came to their end, in order.</summary>
    public IReadOnlyList<SinkFrame> Frames => _frames;

    /// <summary>True if a frame has begun, or shows, that has not ended.</summary>
    public bool IsInFrame => _visible is not null;

    /// <summary>Decides the readiness of a cycle.</summary>
    /// <param name="cycle">The number of the cycle.</param>
    public void Drive(long cycle)
    {
        var stalls = pattern.Stalls(cycle, signals.IsValid && signals.IsLast, _held);
        signals.Ready[0] = stalls ? 0UL : 1;
        _held = stalls && signals.IsValid ? _held + 1 : 0;
    }

    /// <summary>Takes note of what the next edge transfers, after all inputs are decided.</summary>
    /// <param name="cycle">The number of that edge.</param>
    /// <param name="isInReset">True in reset; a frame that was begun is forgotten.</param>
    public void Observe(long cycle, bool isInReset)
    {
        if (isInReset) Forget();
        if (isInReset || !signals.IsValid) return;
        _visible ??= cycle;
        if (!signals.IsTransfer) return;
        if (_firstBeat is null) (_firstBeat, _user) = (cycle, StreamUser.Of(signals.User));
        for (var i = 0; i < signals.BusBytes; i++)
            if ((signals.Keep[0] >> i & 1) != 0) _bytes.Add((byte)(signals.Data[i / 8] >> i % 8 * 8));
        if (!signals.IsLast) return;
        _frames.Add(new SinkFrame(_bytes.ToArray(), _user, _visible.Value, _firstBeat.Value, cycle));
        Forget();
    }

    internal void ForgetFrames() => _frames.Clear();

    private void Forget()
    {
        _bytes.Clear();
        (_visible, _firstBeat, _held) = (null, null, 0);
    }
}
