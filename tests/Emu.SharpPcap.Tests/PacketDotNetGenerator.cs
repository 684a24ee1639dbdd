using System.Net;
using System.Net.NetworkInformation;
using Emu.Protocols;
using PacketDotNet;

namespace Emu.SharpPcap.Tests;

/// <summary>Random whole packets made by PacketDotNet. Equal seeds give equal packets.</summary>
internal sealed class PacketDotNetGenerator(int seed)
{
    /// <summary>The dynamic range, where neither side looks for a protocol inside UDP.</summary>
    private const int FirstPort = 49152;

    private readonly Random _random = new(seed);

    public EthernetPacket Next()
    {
        (PacketDotNet.EthernetType Type, Packet Packet) content = _random.Next(9) switch
        {
            0 => (PacketDotNet.EthernetType.Arp, Arp()),
            < 5 => (PacketDotNet.EthernetType.IPv4, IPv4()),
            _ => (PacketDotNet.EthernetType.IPv6, IPv6()),
        };
        var (type, packet) = content;
        var ethernet = new EthernetPacket(Mac(), Mac(), type);
        if (_random.Next(4) == 0)
        {
            ethernet.Type = PacketDotNet.EthernetType.VLanTaggedFrame;
            ethernet.PayloadPacket = Tag(type, packet);
        }
        else ethernet.PayloadPacket = packet;
        return ethernet;
    }

    private Ieee8021QPacket Tag(PacketDotNet.EthernetType type, Packet packet) =>
        new(new PacketDotNet.Utils.ByteArraySegment(new byte[4]))
        {
            PriorityControlPoint = (IeeeP8021PPriority)_random.Next(8),
            CanonicalFormatIndicator = Coin(),
            VlanIdentifier = (ushort)_random.Next(4096),
            // In this order: it parses what the type announces as soon as it is asked for the payload.
            PayloadPacket = packet,
            Type = type,
        };

    private ArpPacket Arp() => new ArpPacket(
        Coin() ? PacketDotNet.ArpOperation.Request : PacketDotNet.ArpOperation.Response, Mac(), Address(4), Mac(),
        Address(4));

    private IPv4Packet IPv4()
    {
        var ip = new IPv4Packet(Address(4), Address(4))
        {
            TypeOfService = _random.Next(256),
            Id = UInt16(),
            FragmentFlags = Coin() ? 2 : 0,
            TimeToLive = _random.Next(1, 256),
            Protocol = Pick(ProtocolType.Udp, ProtocolType.Tcp, ProtocolType.Icmp),
        };
        ip.PayloadPacket = ip.Protocol switch
        {
            ProtocolType.Udp => Udp(),
            ProtocolType.Tcp => Tcp(),
            _ => Icmp(),
        };
        Finish(ip);
        ip.UpdateIPChecksum();
        return ip;
    }

    private IPv6Packet IPv6()
    {
        var ip = new IPv6Packet(Address(16), Address(16))
        {
            TrafficClass = _random.Next(256),
            FlowLabel = _random.Next(1 << 20),
            HopLimit = _random.Next(1, 256),
            Protocol = Pick(ProtocolType.Udp, ProtocolType.Tcp, ProtocolType.IcmpV6),
        };
        ip.PayloadPacket = ip.Protocol switch
        {
            ProtocolType.Udp => Udp(),
            ProtocolType.Tcp => Tcp(),
            _ => Icmpv6(),
        };
        Finish(ip);
        if (ip.Protocol != ProtocolType.IcmpV6) return ip;
        // The sum goes over the pseudo-header only once the packet has been parsed.
        var parsed = new IPv6Packet(new PacketDotNet.Utils.ByteArraySegment(ip.Bytes));
        ((IcmpV6Packet)parsed.PayloadPacket).UpdateIcmpChecksum();
        return parsed;
    }

    /// <summary>Lengths first, then the checksums that go over them.</summary>
    private static void Finish(IPPacket ip)
    {
        ip.UpdateCalculatedValues();
        switch (ip.PayloadPacket)
        {
            case UdpPacket udp:
                udp.UpdateCalculatedValues();
                udp.UpdateUdpChecksum();
                break;
            case TcpPacket tcp:
                tcp.UpdateTcpChecksum();
                break;
            case IcmpV4Packet icmp:
                icmp.UpdateIcmpChecksum();
                break;
        }
    }

    private UdpPacket Udp() => new(Port(), Port()) { PayloadData = Bytes(_random.Next(1, 200)) };

    private TcpPacket Tcp()
    {
        const int headerLength = 20;
        var options = Options();
        var room = new byte[headerLength + options.Length];
        room[12] = (byte)(room.Length / 4 << 4);
        return new TcpPacket(new PacketDotNet.Utils.ByteArraySegment(room))
        {
            SourcePort = Port(),
            DestinationPort = Port(),
            SequenceNumber = (uint)_random.NextInt64(1L << 32),
            AcknowledgmentNumber = (uint)_random.NextInt64(1L << 32),
            // It has nine flags, of which the first is the last of our reserved bits. It writes options before URG.
            Options = options,
            Flags = (ushort)_random.Next(512),
            DataOffset = room.Length / 4,
            WindowSize = UInt16(),
            UrgentPointer = UInt16(),
            PayloadData = Bytes(_random.Next(0, 200)),
        };
    }

    private IcmpV4Packet Icmp() => new(new PacketDotNet.Utils.ByteArraySegment(new byte[8]))
    {
        TypeCode = Coin() ? IcmpV4TypeCode.EchoRequest : IcmpV4TypeCode.EchoReply,
        Id = UInt16(),
        Sequence = UInt16(),
        PayloadData = Bytes(_random.Next(0, 100)),
    };

    private IcmpV6Packet Icmpv6() => new(new PacketDotNet.Utils.ByteArraySegment(new byte[8]))
    {
        Type = Coin() ? IcmpV6Type.EchoRequest : IcmpV6Type.EchoReply,
        Code = 0,
        PayloadData = Bytes(_random.Next(4, 100)),
    };

    /// <summary>Whole options, filled up with the one of no operation.</summary>
    private byte[] Options()
    {
        var options = new List<byte>();
        var length = 4 * _random.Next(0, 11);
        while (options.Count < length)
        {
            byte[] option = _random.Next(5) switch
            {
                0 => [(byte)TcpOptionKind.MaximumSegmentSize, 4, .. Bytes(2)],
                1 => [(byte)TcpOptionKind.WindowScale, 3, .. Bytes(1)],
                2 => [(byte)TcpOptionKind.SackPermitted, 2],
                3 => [(byte)TcpOptionKind.Timestamps, 10, .. Bytes(8)],
                _ => [(byte)TcpOptionKind.NoOperation],
            };
            if (options.Count + option.Length <= length) options.AddRange(option);
        }
        return [.. options];
    }

    private ProtocolType Pick(params ProtocolType[] protocols) => protocols[_random.Next(protocols.Length)];

    private bool Coin() => _random.Next(2) == 0;

    private ushort UInt16() => (ushort)_random.Next(1 << 16);

    private ushort Port() => (ushort)_random.Next(FirstPort, 1 << 16);

    private PhysicalAddress Mac() => new(Bytes(6));

    private IPAddress Address(int octets) => new(Bytes(octets));

    private byte[] Bytes(int count)
    {
        var bytes = new byte[count];
        _random.NextBytes(bytes);
        return bytes;
    }
}
