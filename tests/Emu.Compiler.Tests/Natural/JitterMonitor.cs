using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Measures voice that passes: packets lost and the interarrival jitter of each source of RTP (RFC 3550 §6.4.1).
/// </summary>
public sealed class JitterMonitor(ushort firstPort = 10_000, ushort lastPort = 20_000) : Service
{
    private const int HeaderLength = 12;

    private struct Source
    {
        public ushort Next;
        public uint Transit;
        public uint Jitter;
    }

    private readonly AgeingTable<IPv4Address, Source> _sources = new(512, 30, 23);

    public Counter Packets { get; } = new();

    public Counter Lost { get; } = new();

    public Counter Reordered { get; } = new();

    public Counter Jittery { get; } = new();

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)
            || udp.DestinationPort < firstPort || udp.DestinationPort > lastPort)
            return;
        var rtp = udp.Payload;
        if (rtp.Length < HeaderLength || rtp[0] >> 6 != 2) return;
        var sequence = BinaryPrimitives.ReadUInt16BigEndian(rtp[2..]);
        var timestamp = BinaryPrimitives.ReadUInt32BigEndian(rtp[4..]);
        // Units of 8 kHz.
        var transit = (uint)(frame.Time / 125_000) - timestamp;
        Packets.Increment();

        ref var source = ref _sources.GetOrAdd(
            new IPv4Address(BinaryPrimitives.ReadUInt32BigEndian(rtp[8..])), frame.Seconds, out var isNew);
        if (isNew)
        {
            source.Jitter = 0;
        }
        else
        {
            var gap = (short)(sequence - source.Next);
            if (gap < 0)
            {
                Reordered.Increment();
                return;
            }
            Lost.Add((uint)gap);
            var difference = Math.Abs((int)(transit - source.Transit));
            source.Jitter += (uint)difference - (source.Jitter + 8 >> 4);
            if (source.Jitter >> 4 > 160) Jittery.Increment();
        }
        source.Next = (ushort)(sequence + 1);
        source.Transit = transit;
    }
}
