using Emu.Hosting;

namespace Emu.Testing;

/// <summary>
/// Runs a service, or what stands for one, on the host's own sequence of events. As with captures,
/// the run begins with the first frame.
/// </summary>
internal sealed unsafe class HostedRun : IFrameOutput, IArrivals
{
    private static readonly FaultKind[] s_kinds = Enum.GetValues<FaultKind>();

    private readonly EventSequence _sequence;
    private readonly IReadOnlyList<IncomingFrame> _frames;
    private readonly byte[] _memory = GC.AllocateArray<byte>(CaptureReader.MaxPacketLength, pinned: true);
    private readonly ulong[] _faults = new ulong[s_kinds.Length];
    private readonly List<EventOutcome> _outcomes = [];
    private List<SentFrame> _sent = [];
    private int _next;

    private HostedRun(Service service, int ports, IReadOnlyList<IncomingFrame> frames)
    {
        _frames = frames;
        _sequence = new EventSequence(service, ports, this, arrivals: this);
        if (frames.Count > 0) _sequence.Start(frames[0].Time);
    }

    /// <summary>Runs it.</summary>
    /// <returns>
    /// What happened from each frame's arrival to that of the next. An event that waits for a frame when there are no
    /// more does not end.
    /// </returns>
    public static List<EventOutcome> Run(Service service, int ports, IReadOnlyList<IncomingFrame> frames)
    {
        var run = new HostedRun(service, ports, frames);
        try
        {
            while (((IArrivals)run).TryTake(out var ingress, out var frame))
                run._sequence.Receive(ingress, frame.Memory, frame.Length, frame.Time);
        }
        catch (RunOverException)
        {
            // What waits is left as it is.
        }
        return run._outcomes;
    }

    void IFrameOutput.Send(ReadOnlySpan<byte> bytes, PortSet ports, ulong time) =>
        _sent.Add(new SentFrame(ports, bytes.ToArray(), time));

    bool IArrivals.TryTake(out PortId ingress, out ReceivedFrame frame)
    {
        if (_next > 0 && _outcomes.Count < _next) EndOutcome();
        (ingress, frame) = (PortId.None, default);
        if (_next == _frames.Count) return false;
        var next = _frames[_next++];
        next.Bytes.CopyTo(_memory.AsSpan());
        fixed (byte* memory = _memory)
            frame = new ReceivedFrame(memory, next.Bytes.Length, _memory.Length, next.Time);
        ingress = new PortId(next.Port);
        return true;
    }

    private void EndOutcome()
    {
        var faults = new List<FaultKind>();
        foreach (var kind in s_kinds)
        {
            var count = _sequence.Faults(kind).Value;
            for (; _faults[(int)kind] < count; _faults[(int)kind]++) faults.Add(kind);
        }
        _outcomes.Add(new EventOutcome(_sent, faults));
        _sent = [];
    }
}
