using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Measures, for each direction of TCP connections, how much is sent again and how much was lost before it came here:
/// segments behind what was expected, and in front of it.
/// </summary>
/// <remarks>Ports 0 and 1 are the line. Fragments and IPv6 are not measured. Keep-alives count as such.</remarks>
/// <param name="capacity">Flows that there is room for: a power of two.</param>
/// <param name="idleSeconds">Seconds after which a flow is forgotten.</param>
internal sealed class RetransmitMeter(int capacity = 1024, int idleSeconds = 120) : Service
{
    /// <summary>One direction of a connection.</summary>
    public readonly record struct Flow(IPv4Address Source, IPv4Address Destination, ushort SourcePort,
        ushort DestinationPort)
        : ITableKey<Flow>
    {
        /// <inheritdoc/>
        public static int Width => 96;

        /// <inheritdoc/>
        public UInt128 KeyBits =>
            (UInt128)Source.Bits << 64 | (UInt128)Destination.Bits << 32 | (uint)SourcePort << 16 | DestinationPort;
    }

    /// <summary>The figures measured of it.</summary>
    public struct Measures
    {
        /// <summary>The number that the next segment should have.</summary>
        public uint Next;

        /// <summary>The highest number that was sent.</summary>
        public uint Highest;

        /// <summary>Bytes of payload, and those that were sent again.</summary>
        public ulong Bytes, RepeatedBytes;

        /// <summary>Segments with payload, those sent again, and gaps.</summary>
        public uint Segments, Repeated, Gaps;

        /// <summary>The longest silence between segments, in nanoseconds.</summary>
        public ulong LongestPause, Last;
    }

    /// <summary>The flows.</summary>
    [Control]
    public AgeingTable<Flow, Measures> Flows { get; } = new(capacity, idleSeconds, hashSeed: 8);

    /// <summary>Segments sent again.</summary>
    public Counter Retransmissions { get; } = new();

    /// <summary>Segments in front of what was expected.</summary>
    public Counter Gaps { get; } = new();

    /// <summary>Probes of a byte behind what was acknowledged.</summary>
    public Counter KeepAlives { get; } = new();

    /// <summary>Flows that were seen.</summary>
    public Counter Begun { get; } = new();

    /// <summary>Flows that ended by RST.</summary>
    public Counter Reset { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Tcp || !Tcp.TryParse(ip.Payload, out var tcp))
            return;

        var flow = new Flow(ip.Source, ip.Destination, tcp.SourcePort, tcp.DestinationPort);
        if (tcp.IsRst)
        {
            if (Flows.Remove(flow, frame.Seconds)) Reset.Increment();
            return;
        }
        ref var measures = ref Flows.GetOrAdd(flow, frame.Seconds, out var isNew);
        Measure(ref measures, tcp, isNew || tcp.IsSyn, frame.Time);
        if (isNew) Begun.Increment();
    }

    private void Measure(ref Measures measures, Tcp tcp, bool isFirst, ulong time)
    {
        var (sequence, length) = (tcp.SequenceNumber, (uint)tcp.SegmentLength);
        var end = sequence + length;
        if (isFirst)
        {
            measures = new Measures { Next = end, Highest = end, Last = time };
        }
        else if (length <= 1 && sequence + 1 == measures.Next && !tcp.IsFin)
        {
            KeepAlives.Increment();
        }
        else if (length > 0)
        {
            measures.Segments++;
            measures.Bytes += length;
            var ahead = (int)(sequence - measures.Next);
            if (ahead > 0)
            {
                measures.Gaps++;
                Gaps.Increment();
            }
            else if (ahead < 0)
            {
                measures.Repeated++;
                measures.RepeatedBytes += Math.Min(length, (uint)-ahead);
                Retransmissions.Increment();
            }
            if ((int)(end - measures.Next) > 0) measures.Next = end;
            if ((int)(end - measures.Highest) > 0) measures.Highest = end;
        }
        measures.LongestPause = Math.Max(measures.LongestPause, time - measures.Last);
        measures.Last = time;
    }
}
