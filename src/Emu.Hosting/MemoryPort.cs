namespace Emu.Hosting;

/// <summary>A port for unit tests: frames arrive from a list, and those sent are kept.</summary>
public sealed class MemoryPort : Port
{
    private readonly Queue<TimedFrame> _incoming;
    private readonly List<TimedFrame> _sent = [];
    private readonly FrameArena _arena;

    /// <summary>Makes a port at which these frames arrive, in this order.</summary>
    /// <param name="frames">The frames, their times never going back.</param>
    /// <param name="name">The name of the port.</param>
    /// <param name="mtu">The MTU that frames may grow to: 14 bytes of header and a VLAN tag come on top.</param>
    public MemoryPort(IEnumerable<TimedFrame> frames, string name = "memory", int mtu = FrameLength.DefaultMtu)
    {
        _incoming = new Queue<TimedFrame>(frames);
        _arena = new FrameArena(mtu);
        Name = name;
    }

    /// <inheritdoc/>
    public override string Name { get; }

    /// <inheritdoc/>
    public override bool IsLive => false;

    /// <summary>The frames sent so far, in order.</summary>
    public IReadOnlyList<TimedFrame> Sent => _sent;

    /// <summary>Lets a further frame arrive, after those that have not been received yet.</summary>
    public void Add(TimedFrame frame) => _incoming.Enqueue(frame);

    /// <inheritdoc/>
    public override int Receive(Span<ReceivedFrame> batch)
    {
        _arena.Reset();
        var count = 0;
        while (count < batch.Length && _arena.HasRoom && _incoming.TryDequeue(out var frame))
            batch[count++] = _arena.Keep(frame.Bytes, frame.Time);
        return count;
    }

    /// <inheritdoc/>
    public override void Send(ReadOnlySpan<byte> frame, ulong time) => _sent.Add(new TimedFrame(frame.ToArray(), time));
}
