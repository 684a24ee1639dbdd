using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Gives the RTP streams of each sender one synchronization source for good (RFC 3550 §5.1): when an encoder restarts
/// with another SSRC, sequence numbers and timestamps go on where they were, and receivers see no break. Sender reports
/// on the same port (RFC 5761) get the new SSRC, too.
/// </summary>
/// <param name="firstPort">The first UDP port of media.</param>
/// <param name="lastPort">The last one.</param>
/// <param name="firstSsrc">The SSRC of the first sender; each further sender gets the next.</param>
/// <param name="gap">By how much timestamps go on over a restart: 160 are 20 ms of speech.</param>
public sealed class RtpRemapper(
    ushort firstPort = 16384, ushort lastPort = 32767, uint firstSsrc = 0x1000_0000, uint gap = 160) : Service
{
    private const int HeaderLength = 12, IdleSeconds = 60;
    private const byte Version = 2;

    private readonly record struct Sender(IPv4Address Address, ushort Port, ushort DestinationPort) : ITableKey<Sender>
    {
        public static int Width => 64;

        public UInt128 KeyBits => (UInt128)Address.Bits << 32 | (uint)Port << 16 | DestinationPort;
    }

    private struct Stream
    {
        public uint Ssrc, NewSsrc;
        public ushort SequenceOffset, LastSequence;
        public uint TimestampOffset, LastTimestamp;
    }

    private readonly AgeingTable<Sender, Stream> _streams = new(capacity: 256, IdleSeconds, hashSeed: 3);
    private uint _nextSsrc = firstSsrc;

    public Counter Mapped { get; } = new();

    public Counter Senders { get; } = new();

    public Counter Restarts { get; } = new();

    public Counter Reports { get; } = new();

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)
            || udp.DestinationPort < firstPort || udp.DestinationPort > lastPort)
            return;

        var packet = udp.Payload;
        if (packet.Length < HeaderLength || packet[0] >> 6 != Version)
        {
            Malformed.Increment();
            frame.Drop();
            return;
        }

        var sender = new Sender(ip.Source, udp.SourcePort, udp.DestinationPort);
        // RTCP is told apart by its packet types, 192 to 223 (RFC 5761 §4).
        if (packet[1] is >= 192 and <= 223) MapReport(udp, sender, frame.Seconds);
        else if (!HasRoomForExtension(packet))
        {
            Malformed.Increment();
            frame.Drop();
        }
        else MapMedia(udp, sender, frame.Seconds);
    }

    private void MapMedia(Udp udp, Sender sender, ulong now)
    {
        var packet = udp.Payload;
        var sequence = BinaryPrimitives.ReadUInt16BigEndian(packet[2..]);
        var timestamp = BinaryPrimitives.ReadUInt32BigEndian(packet[4..]);
        var ssrc = BinaryPrimitives.ReadUInt32BigEndian(packet[8..]);

        ref var stream = ref _streams.GetOrAdd(sender, now, out var isNew);
        if (isNew)
        {
            stream.Ssrc = ssrc;
            stream.NewSsrc = _nextSsrc++;
            stream.LastSequence = (ushort)(sequence - 1);
            Senders.Increment();
        }
        else if (stream.Ssrc != ssrc)
        {
            stream.Ssrc = ssrc;
            stream.SequenceOffset = (ushort)(stream.LastSequence + 1 - sequence);
            stream.TimestampOffset = stream.LastTimestamp + gap - timestamp;
            Restarts.Increment();
        }

        var newSequence = (ushort)(sequence + stream.SequenceOffset);
        var newTimestamp = timestamp + stream.TimestampOffset;
        // What comes late does not take the stream back.
        if ((short)(newSequence - stream.LastSequence) > 0)
        {
            stream.LastSequence = newSequence;
            stream.LastTimestamp = newTimestamp;
        }

        BinaryPrimitives.WriteUInt16BigEndian(packet[2..], newSequence);
        BinaryPrimitives.WriteUInt32BigEndian(packet[4..], newTimestamp);
        BinaryPrimitives.WriteUInt32BigEndian(packet[8..], stream.NewSsrc);
        udp.UpdateChecksum(
            InternetChecksum.Change(sequence, newSequence) + InternetChecksum.Change(timestamp, newTimestamp)
            + InternetChecksum.Change(ssrc, stream.NewSsrc));
        Mapped.Increment();
    }

    private void MapReport(Udp udp, Sender sender, ulong now)
    {
        if (!_streams.TryGet(sender, now, out var stream)) return;
        var ssrc = BinaryPrimitives.ReadUInt32BigEndian(udp.Payload[4..]);
        if (ssrc != stream.Ssrc) return;
        BinaryPrimitives.WriteUInt32BigEndian(udp.Payload[4..], stream.NewSsrc);
        udp.UpdateChecksum(InternetChecksum.Change(ssrc, stream.NewSsrc));
        Reports.Increment();
    }

    /// <summary>True if the contributing sources and the extension fit into the packet (RFC 3550 §5.3.1).</summary>
    private static bool HasRoomForExtension(ReadOnlySpan<byte> packet)
    {
        var end = HeaderLength + (packet[0] & 0xF) * 4;
        if (end > packet.Length) return false;
        var hasExtension = (packet[0] & 0x10) != 0;
        if (!hasExtension) return true;
        if (end + 4 > packet.Length) return false;
        return end + 4 + BinaryPrimitives.ReadUInt16BigEndian(packet[(end + 2)..]) * 4 <= packet.Length;
    }
}
