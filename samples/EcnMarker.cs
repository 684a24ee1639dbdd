using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Tells senders of congestion before a queue behind it is full: marks packets that can be marked (RFC 3168) and drops
/// others while the average of a queue is above a threshold (RFC 2309 §3, without chance).
/// </summary>
/// <remarks>
/// There is no queue here: its length is reckoned from the lengths and times of the frames that passed. The average
/// takes in a sixteenth of the length with each frame. The mark of an IPv4 packet changes its header's checksum.
/// </remarks>
/// <example>--megabits-per-second 100 --threshold 3000</example>
/// <param name="megabitsPerSecond">The rate at which the queue would drain, 1 to 100000.</param>
/// <param name="threshold">The bytes above which the average tells of congestion.</param>
/// <param name="limit">The bytes that the queue would hold; what comes then is dropped.</param>
public sealed class EcnMarker(uint megabitsPerSecond = 100, uint threshold = 3000, uint limit = 30_000) : Service
{
    /// <summary>ECN field of a packet that has met congestion (RFC 3168 §5).</summary>
    private const byte CongestionExperienced = 3;

    private const uint Weight = 16, NanosecondsPerUnit = 8000;

    private ulong _backlog;
    private ulong _average;
    private ulong _last;

    /// <summary>Frames that passed as they came.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Packets that were marked.</summary>
    public Counter Marked { get; } = new();

    /// <summary>Frames dropped: there was congestion, and they cannot be marked, or the queue was full.</summary>
    public Counter Dropped { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var drained = (frame.Time - _last) * megabitsPerSecond / NanosecondsPerUnit;
        _last = frame.Time;
        _backlog = _backlog > drained ? _backlog - drained : 0;
        if (_backlog + (uint)frame.Length > limit)
        {
            Dropped.Increment();
            return;
        }
        _backlog += (uint)frame.Length;
        _average = _average - _average / Weight + _backlog;
        if (_average / Weight <= threshold) Passed.Increment();
        else if (TryMark(new Ethernet(frame))) Marked.Increment();
        else
        {
            Dropped.Increment();
            return;
        }
        frame.Flood();
    }

    private static bool TryMark(Ethernet ethernet)
    {
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip) && ip.Ecn != 0)
        {
            ip.Ecn = CongestionExperienced;
            ip.WriteHeaderChecksum();
            return true;
        }
        if (ethernet.EtherType == EtherType.IPv6 && IPv6.TryParse(ethernet.Payload, out var ip6) && ip6.Ecn != 0)
        {
            ip6.Ecn = CongestionExperienced;
            return true;
        }
        return false;
    }
}
