using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A policer of three levels: each subscriber, the group of which it is and the port have a rate. A packet that its
/// subscriber's rate allows passes if the others have room for it as well; above its own rate it may borrow what its
/// group has left, marked as such (RFC 2697 in spirit).
/// </summary>
public sealed class ShaperTree : Service
{
    private const int Subscribers = 1024, Groups = 32, Ports = 4;

    private struct Bucket
    {
        public uint Tokens, Updated;
    }

    private readonly Bucket[] _subscribers = new Bucket[Subscribers];
    private readonly Bucket[] _groups = new Bucket[Groups];
    private readonly Bucket[] _ports = new Bucket[Ports];
    private readonly H3Hash _hash = new(32, 10, 9);

    public Counter Passed { get; } = new();

    public Counter Borrowed { get; } = new();

    public Counter Dropped { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        var subscriber = _hash.Index(ip.Source.KeyBits);
        ref var own = ref _subscribers[subscriber];
        ref var group = ref _groups[subscriber % Groups];
        ref var port = ref _ports[frame.Ingress.Index % Ports];
        var now = (uint)(frame.Time >> 10);
        Fill(ref own, now, 1, 3000);
        Fill(ref group, now, 4, 12_000);
        Fill(ref port, now, 16, 60_000);
        var length = (uint)frame.Length;
        if (port.Tokens < length || group.Tokens < length)
        {
            Dropped.Increment();
            return;
        }
        port.Tokens -= length;
        group.Tokens -= length;
        if (own.Tokens >= length)
        {
            own.Tokens -= length;
            Passed.Increment();
        }
        else
        {
            ip.Dscp = 10;
            ip.WriteHeaderChecksum();
            Borrowed.Increment();
        }
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
    }

    /// <summary>Adds what a bucket has earned since it was last looked at, in bytes a microsecond or so.</summary>
    private static void Fill(ref Bucket bucket, uint now, uint rate, uint burst)
    {
        var elapsed = Math.Min(now - bucket.Updated, burst);
        bucket.Tokens = Math.Min(bucket.Tokens + elapsed * rate, burst);
        bucket.Updated = now;
    }
}
