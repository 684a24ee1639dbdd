using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>Reflects TWAMP test packets (RFC 5357 §4.2, unauthenticated mode).</summary>
public sealed class TwampReflector(IPv4Address address, MacAddress mac) : Service
{
    private uint _sequence;

    public Counter Reflected { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.Destination != mac || ethernet.EtherType != EtherType.IPv4) return;
        if (!IPv4.TryParse(ethernet.Payload, out var ip) || ip.Destination != address || ip.IsFragment) return;
        if (!ip.HasValidHeaderChecksum || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp))
            return;
        if (udp.DestinationPort != 862 || udp.Payload.Length < 41) return;
        var payload = udp.Payload;
        var senderSequence = BinaryPrimitives.ReadUInt32BigEndian(payload);
        var senderTime = BinaryPrimitives.ReadUInt64BigEndian(payload[4..]);
        var senderError = BinaryPrimitives.ReadUInt16BigEndian(payload[12..]);
        var senderTtl = ip.Ttl;
        var now = Timestamp(frame.Time);
        BinaryPrimitives.WriteUInt32BigEndian(payload, _sequence++);
        BinaryPrimitives.WriteUInt64BigEndian(payload[4..], now);
        BinaryPrimitives.WriteUInt16BigEndian(payload[12..], 1);
        BinaryPrimitives.WriteUInt16BigEndian(payload[14..], 0);
        BinaryPrimitives.WriteUInt64BigEndian(payload[16..], now);
        BinaryPrimitives.WriteUInt32BigEndian(payload[24..], senderSequence);
        BinaryPrimitives.WriteUInt64BigEndian(payload[28..], senderTime);
        BinaryPrimitives.WriteUInt16BigEndian(payload[36..], senderError);
        BinaryPrimitives.WriteUInt16BigEndian(payload[38..], 0);
        payload[40] = senderTtl;
        (ethernet.Source, ethernet.Destination) = (ethernet.Destination, ethernet.Source);
        (ip.Source, ip.Destination) = (ip.Destination, ip.Source);
        (udp.SourcePort, udp.DestinationPort) = (udp.DestinationPort, udp.SourcePort);
        ip.Ttl = 255;
        ip.WriteHeaderChecksum();
        udp.WriteChecksum(ip);
        frame.Reply();
        Reflected.Increment();
    }

    private static ulong Timestamp(ulong time)
    {
        var seconds = time / 1_000_000_000 + 2_208_988_800;
        var fraction = (time % 1_000_000_000 << 32) / 1_000_000_000;
        return seconds << 32 | fraction;
    }
}
