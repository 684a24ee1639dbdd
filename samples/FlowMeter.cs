using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Counts packets and bytes of each flow of TCP or UDP that passes. A flow ends when it was idle for a time, or with
/// its FIN or RST (RFC 5470 §5.1.1).
/// </summary>
/// <remarks>
/// Frames come in at one port of a pair, 0 and 1, 2 and 3, and leave by the other. Not done: packets with IPv6
/// extension headers, and fragments, are passed and not counted; flows that ended are forgotten, not exported; an IPv6
/// address below 2³² is taken for an IPv4 address.
/// </remarks>
/// <example>--capacity 1024 --idle-milliseconds 500</example>
/// <param name="capacity">Flows that there is room for: a power of two, 4 to 1048576.</param>
/// <param name="idleMilliseconds">Milliseconds without packets after which a flow has ended.</param>
/// <param name="hashSeed">Seed of the table's hash; choose your own where hosts are not trusted.</param>
public sealed class FlowMeter(int capacity = 256, int idleMilliseconds = 15_000, ulong hashSeed = 1) : Service
{
    private const int TicksPerSecond = 1000;
    private const ulong NanosecondsPerTick = 1_000_000;

    /// <summary>The flows that have not ended.</summary>
    [Control]
    public AgeingTable<FlowKey, FlowCounts> Flows { get; } = new(capacity, idleMilliseconds, hashSeed, TicksPerSecond);

    /// <summary>Flows that were seen.</summary>
    public Counter Begun { get; } = new();

    /// <summary>Flows that a FIN or a RST ended.</summary>
    public Counter Ended { get; } = new();

    /// <summary>Frames that belong to no flow.</summary>
    public Counter Others { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip) && !ip.IsFragment)
            Count(frame, ip.Source.Bits, ip.Destination.Bits, ip.Protocol, ip.Payload);
        else if (ethernet.EtherType == EtherType.IPv6 && IPv6.TryParse(ethernet.Payload, out var ip6))
            Count(frame, ip6.Source.Bits, ip6.Destination.Bits, ip6.NextHeader, ip6.Payload);
        else Others.Increment();
    }

    private void Count(in Frame frame, UInt128 source, UInt128 destination, IPProtocol protocol, Span<byte> payload)
    {
        if (protocol == IPProtocol.Udp && Udp.TryParse(payload, out var udp))
            Add(frame, new FlowKey(source, destination, udp.SourcePort, udp.DestinationPort, (byte)protocol), false);
        else if (protocol == IPProtocol.Tcp && Tcp.TryParse(payload, out var tcp))
            Add(
                frame, new FlowKey(source, destination, tcp.SourcePort, tcp.DestinationPort, (byte)protocol),
                (tcp.Flags & (TcpFlags.Fin | TcpFlags.Rst)) != 0);
        else Others.Increment();
    }

    private void Add(in Frame frame, FlowKey key, bool isLast)
    {
        var now = frame.Time / NanosecondsPerTick;
        if (isLast)
        {
            if (Flows.Remove(key, now)) Ended.Increment();
            return;
        }
        ref var counts = ref Flows.GetOrAdd(key, now, out var isNew);
        if (isNew) Begun.Increment();
        counts.Packets++;
        counts.Bytes += (ulong)frame.Length;
    }
}
