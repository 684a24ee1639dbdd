using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Watches RoCEv2 (RDMA over UDP): for each queue pair the next packet sequence number is known; duplicates are
/// dropped, gaps counted, and congestion notifications go first, by their DSCP.
/// </summary>
public sealed class QueuePairGuard(int capacity = 1024) : Service
{
    private const ushort Port = 4791;
    private const int BaseHeader = 12;
    private const byte CongestionNotification = 0x81;
    private const uint Sequences = 1 << 24;

    private readonly AgeingTable<QueuePair, uint> _expected = new(capacity, 30, 0x1234567);

    public Counter InOrder { get; } = new();

    public Counter Duplicates { get; } = new();

    public Counter Gaps { get; } = new();

    public Counter Notifications { get; } = new();

    private readonly record struct QueuePair(IPv4Address Destination, uint Number) : ITableKey<QueuePair>
    {
        public static int Width => 56;

        public UInt128 KeyBits => (UInt128)Destination.Bits << 24 | Number;
    }

    public override void Process(ref Frame frame)
    {
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp) || udp.DestinationPort != Port)
            return;
        var header = udp.Payload;
        if (header.Length < BaseHeader) return;
        if (header[0] == CongestionNotification)
        {
            ip.Dscp = 48;
            ip.WriteHeaderChecksum();
            Notifications.Increment();
            return;
        }
        var pair = (uint)(header[5] << 16 | header[6] << 8 | header[7]);
        var sequence = (uint)(header[9] << 16 | header[10] << 8 | header[11]);
        ref var expected = ref _expected.GetOrAdd(new QueuePair(ip.Destination, pair), frame.Seconds, out var isNew);
        var ahead = (sequence - expected) % Sequences;
        if (isNew || ahead == 0)
        {
            InOrder.Increment();
        }
        else if (ahead >= Sequences / 2)
        {
            Duplicates.Increment();
            frame.Drop();
            return;
        }
        else
        {
            Gaps.Increment();
        }
        expected = (sequence + 1) % Sequences;
    }
}
