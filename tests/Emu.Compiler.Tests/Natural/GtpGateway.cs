using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A user plane function between a radio network and the internet: packets of a telephone come in a tunnel with its
/// TEID, and those for it go into one; an echo request is answered.
/// </summary>
public sealed class GtpGateway(IPv4Address address, MacAddress mac, MacAddress radio, MacAddress gateway) : Service
{
    private const ushort Port = 2152;
    private const byte EchoRequest = 1, EchoResponse = 2, GPdu = 255;

    private struct Bearer
    {
        public IPv4Address Telephone;
        public IPv4Address Station;
        public uint Teid;
    }

    private readonly AgeingTable<IPv4Address, Bearer> _down = new(1024, 3600, 61);
    private readonly Bearer[] _up = new Bearer[1024];

    public GtpGateway(
        IPv4Address address, MacAddress mac, MacAddress radio, MacAddress gateway, IPv4Address firstTelephone,
        IPv4Address station, int telephones) : this(address, mac, radio, gateway)
    {
        for (var i = 0; i < telephones; i++)
        {
            var bearer = new Bearer
            {
                Telephone = new IPv4Address(firstTelephone.Bits + (uint)i),
                Station = station,
                Teid = 0x5000 + (uint)i,
            };
            _up[i] = bearer;
            _down.SetPermanent(bearer.Telephone, bearer);
        }
    }

    public Counter Up { get; } = new();

    public Counter Down { get; } = new();

    public Counter Echoes { get; } = new();

    public Counter Dropped { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment)
        {
            Dropped.Increment();
            return;
        }
        if (ip.Destination == address && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp)
            && udp.DestinationPort == Port && udp.Payload.Length >= 8)
        {
            if (udp.Payload[1] == EchoRequest) Answer(ref frame, ip, udp);
            else if (udp.Payload[1] == GPdu) Decapsulate(ref frame, udp.Payload);
            else Dropped.Increment();
            return;
        }
        if (!_down.TryGet(ip.Destination, frame.Seconds, out var bearer) || ip.Ttl <= 1)
        {
            Dropped.Increment();
            return;
        }
        ip.DecrementTtl();
        Encapsulate(ref frame, bearer, ip.TotalLength);
    }

    private void Answer(ref Frame frame, IPv4 ip, Udp udp)
    {
        var ethernet = new Ethernet(frame);
        udp.Payload[1] = EchoResponse;
        (udp.SourcePort, udp.DestinationPort) = (udp.DestinationPort, udp.SourcePort);
        (ip.Source, ip.Destination) = (ip.Destination, ip.Source);
        udp.Checksum = 0;
        (ethernet.Source, ethernet.Destination) = (mac, ethernet.Source);
        Echoes.Increment();
        frame.Reply();
    }

    private void Decapsulate(ref Frame frame, Span<byte> gtp)
    {
        var hasOptional = (gtp[0] & 7) != 0;
        var teid = BinaryPrimitives.ReadUInt32BigEndian(gtp[4..]);
        var header = 8;
        if (hasOptional)
        {
            header = 12;
            // Extension headers: their lengths are in words.
            while (header <= gtp.Length && gtp[header - 1] != 0)
            {
                if (header >= gtp.Length || gtp[header] == 0)
                {
                    Dropped.Increment();
                    return;
                }
                header += 4 * gtp[header];
            }
        }
        if (header > gtp.Length || !IPv4.TryParse(gtp[header..], out var inner))
        {
            Dropped.Increment();
            return;
        }
        var bearer = _up[teid & 1023];
        if (bearer.Teid == 0 || inner.Source != bearer.Telephone)
        {
            Dropped.Increment();
            return;
        }
        var length = inner.TotalLength;
        frame.Remove(14, 28 + header);
        frame.Resize(14 + length);
        _ = new Ethernet(frame) { Source = mac, Destination = gateway, EtherType = EtherType.IPv4 };
        Up.Increment();
        frame.ForwardTo(new PortId(1));
    }

    private void Encapsulate(ref Frame frame, Bearer bearer, int length)
    {
        frame.Resize(14 + length);
        frame.Insert(14, 36);
        var ethernet = new Ethernet(frame) { Source = mac, Destination = radio, EtherType = EtherType.IPv4 };
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        ip.Ttl = 64;
        ip.Protocol = IPProtocol.Udp;
        ip.Source = address;
        ip.Destination = bearer.Station;
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        udp.SourcePort = Port;
        udp.DestinationPort = Port;
        var gtp = udp.Payload;
        gtp[0] = 0x30;
        gtp[1] = GPdu;
        BinaryPrimitives.WriteUInt16BigEndian(gtp[2..], (ushort)length);
        BinaryPrimitives.WriteUInt32BigEndian(gtp[4..], bearer.Teid);
        Down.Increment();
        frame.ForwardTo(new PortId(0));
    }
}
