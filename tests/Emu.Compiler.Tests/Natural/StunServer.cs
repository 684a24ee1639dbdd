using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>Tells hosts behind a NAT how they are seen from outside: binding requests of STUN (RFC 8489).</summary>
public sealed class StunServer(IPv4Address address, MacAddress mac) : Service
{
    private const ushort Port = 3478, BindingRequest = 0x0001, BindingResponse = 0x0101, XorMappedAddress = 0x0020;
    private const uint Cookie = 0x2112A442;
    private const int HeaderLength = 20, AttributeLength = 12;

    public Counter Requests { get; } = new();

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Destination != address || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)
            || udp.DestinationPort != Port)
            return;
        var message = udp.Payload;
        if (message.Length < HeaderLength || BinaryPrimitives.ReadUInt16BigEndian(message) != BindingRequest
            || BinaryPrimitives.ReadUInt32BigEndian(message[4..]) != Cookie
            || BinaryPrimitives.ReadUInt16BigEndian(message[2..]) != message.Length - HeaderLength)
        {
            Malformed.Increment();
            return;
        }
        var (source, sourcePort, sourceMac) = (ip.Source, udp.SourcePort, ethernet.Source);

        frame.Resize(Ethernet.HeaderLength + ip.HeaderLength + Udp.HeaderLength + HeaderLength + AttributeLength);
        ethernet = new Ethernet(frame) { Destination = sourceMac, Source = mac };
        if (!IPv4.TryInitialize(ethernet.Payload, out ip)) return;
        ip.Ttl = IPv4.DefaultTtl;
        ip.Protocol = IPProtocol.Udp;
        ip.Source = address;
        ip.Destination = source;
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out udp)) return;
        udp.SourcePort = Port;
        udp.DestinationPort = sourcePort;
        message = udp.Payload;
        BinaryPrimitives.WriteUInt16BigEndian(message, BindingResponse);
        BinaryPrimitives.WriteUInt16BigEndian(message[2..], AttributeLength);
        var attribute = message[HeaderLength..];
        BinaryPrimitives.WriteUInt16BigEndian(attribute, XorMappedAddress);
        BinaryPrimitives.WriteUInt16BigEndian(attribute[2..], 8);
        attribute[4] = 0;
        attribute[5] = 1;
        BinaryPrimitives.WriteUInt16BigEndian(attribute[6..], (ushort)(sourcePort ^ Cookie >> 16));
        BinaryPrimitives.WriteUInt32BigEndian(attribute[8..], source.Bits ^ Cookie);
        udp.WriteChecksum(ip);
        Requests.Increment();
        frame.Reply();
    }
}
