using System.Buffers.Binary;

namespace Emu.Protocols.Tests;

/// <summary>
/// Random whole frames of every kind that the views know, built through their setters. Equal seeds give equal frames.
/// </summary>
internal sealed class PacketGenerator(int seed)
{
    /// <summary>IANA "use for experimentation" (RFC 3692), which no dissector knows.</summary>
    private const byte ExperimentalProtocol = 253;

    /// <summary>An option of RFC 791 that no view names.</summary>
    private const byte StreamIdentifier = 136;

    private readonly Random _random = new(seed);

    /// <summary>Builds one frame; some end in padding that belongs to no packet.</summary>
    public byte[] Next()
    {
        var frame = new byte[_random.Next(200, 400)];
        _random.NextBytes(frame);
        var ethernet = new Ethernet(frame) { Source = Mac(), Destination = Mac() };
        switch (_random.Next(4))
        {
            case 0:
                ethernet.EtherType = EtherType.CTag;
                ethernet.EtherType = Tag(ethernet.Payload, EtherType.CTag);
                break;
            case 1:
                ethernet.EtherType = Tag(ethernet.Payload, EtherType.STag);
                break;
            default:
                ethernet.EtherType = Body(ethernet.Payload);
                break;
        }
        return frame;
    }

    /// <summary>Fills a tag; behind a service tag comes a customer tag.</summary>
    /// <returns>The TPID that announces it.</returns>
    private EtherType Tag(Span<byte> bytes, EtherType tpid)
    {
        Assert.True(Vlan.TryParse(bytes, out var tag));
        tag.Pcp = (byte)_random.Next(8);
        tag.Dei = Coin();
        tag.Vid = (ushort)_random.Next(4096);
        tag.EtherType = tpid == EtherType.STag ? Tag(tag.Payload, EtherType.CTag) : Body(tag.Payload);
        return tpid;
    }

    private EtherType Body(Span<byte> bytes)
    {
        switch (_random.Next(10))
        {
            case 0:
                ArpPacket(bytes);
                return EtherType.Arp;
            case 1:
                return LlcHeader(bytes);
            case < 6:
                IPv4Packet(bytes);
                return EtherType.IPv4;
            default:
                IPv6Packet(bytes);
                return EtherType.IPv6;
        }
    }

    private void ArpPacket(Span<byte> bytes)
    {
        Assert.True(Arp.TryInitialize(bytes, out var arp));
        arp.Operation = Coin() ? ArpOperation.Request : ArpOperation.Reply;
        arp.SenderHardwareAddress = Mac();
        arp.SenderProtocolAddress = IPv4();
        arp.TargetHardwareAddress = Mac();
        arp.TargetProtocolAddress = IPv4();
    }

    private EtherType LlcHeader(Span<byte> bytes)
    {
        // Unnumbered information between service access points that nobody has assigned.
        const byte unnumberedInformation = 3;
        bytes[2] = unnumberedInformation;
        var length = _random.Next(3, bytes.Length + 1);
        Assert.True(Llc.TryParse(bytes, length, out var llc));
        llc.Dsap = 0x58;
        llc.Ssap = 0x5C;
        return (EtherType)length;
    }

    private void IPv4Packet(Span<byte> bytes)
    {
        var headerLength = Coin() ? Protocols.IPv4.MinHeaderLength : _random.Next(5, 16) * 4;
        var (protocol, upperLength) = UpperLayer(bytes.Length - headerLength, IPProtocol.Icmp);
        Assert.True(Protocols.IPv4.TryInitialize(bytes[..(headerLength + upperLength)], out var ip, headerLength));
        ip.Dscp = (byte)_random.Next(64);
        ip.Ecn = (byte)_random.Next(4);
        ip.Identification = UInt16();
        ip.ReservedFlag = _random.Next(8) == 0;
        ip.DontFragment = Coin();
        ip.Ttl = (byte)_random.Next(1, 256);
        ip.Protocol = protocol;
        ip.Source = IPv4();
        ip.Destination = IPv4();
        IPv4OptionList(ip.OptionBytes);
        if ((byte)protocol == ExperimentalProtocol)
        {
            ip.MoreFragments = Coin();
            ip.FragmentOffset = (ushort)_random.Next(0, 8000);
        }
        ip.WriteHeaderChecksum();

        if (protocol == IPProtocol.Icmp) IcmpMessage(ip.Payload);
        if (protocol == IPProtocol.Udp && UdpDatagram(ip.Payload, out var udp) && Coin()) udp.WriteChecksum(ip);
        if (protocol == IPProtocol.Tcp) TcpSegment(ip.Payload).WriteChecksum(ip);
    }

    private void IPv6Packet(Span<byte> bytes)
    {
        var extensions = Coin() ? 0 : 8 * _random.Next(1, 4);
        var (protocol, upperLength) = UpperLayer(
            bytes.Length - Protocols.IPv6.HeaderLength - extensions, IPProtocol.Icmpv6);
        Assert.True(Protocols.IPv6.TryInitialize(
            bytes[..(Protocols.IPv6.HeaderLength + extensions + upperLength)], out var ip));
        ip.Dscp = (byte)_random.Next(64);
        ip.Ecn = (byte)_random.Next(4);
        ip.FlowLabel = (uint)_random.Next(1 << 20);
        ip.HopLimit = (byte)_random.Next(1, 256);
        ip.Source = IPv6();
        ip.Destination = IPv6();
        ip.NextHeader = ExtensionHeaders(ip.Payload[..extensions], protocol);

        var upper = ip.Payload[extensions..];
        if (protocol == IPProtocol.Icmpv6) Icmpv6Message(upper).WriteChecksum(ip);
        if (protocol == IPProtocol.Udp && UdpDatagram(upper, out var udp)) udp.WriteChecksum(ip);
        if (protocol == IPProtocol.Tcp) TcpSegment(upper).WriteChecksum(ip);
    }

    private (IPProtocol Protocol, int Length) UpperLayer(int room, IPProtocol icmp)
    {
        var (protocol, least) = _random.Next(5) switch
        {
            0 => ((IPProtocol)ExperimentalProtocol, 0),
            1 => (icmp, NeighborSolicitation.HeaderLength + NeighborDiscoveryOptions.LinkLayerAddressLength),
            2 => (IPProtocol.Udp, Udp.HeaderLength),
            _ => (IPProtocol.Tcp, Tcp.MinHeaderLength),
        };
        return (protocol, Coin() ? least : _random.Next(least, room + 1));
    }

    /// <summary>
    /// Options of well-formed kinds until the room is used up, then no-operations or the end of the list.
    /// </summary>
    private void IPv4OptionList(Span<byte> room)
    {
        (byte Type, int Length)[] kinds =
        [
            ((byte)IPv4OptionType.NoOperation, 1), ((byte)IPv4OptionType.RecordRoute, 11),
            ((byte)IPv4OptionType.Timestamp, 8), ((byte)IPv4OptionType.Security, 11),
            ((byte)IPv4OptionType.RouterAlert, 4), (StreamIdentifier, 4),
        ];
        OptionList(room, kinds);
    }

    private void OptionList(Span<byte> room, (byte Type, int Length)[] kinds)
    {
        while (room.Length > 0)
        {
            var (type, length) = kinds[_random.Next(kinds.Length)];
            if (length > room.Length)
            {
                // The end of the list: 0 and nothing but 0.
                room.Clear();
                return;
            }
            room[0] = type;
            if (length > 1) room[1] = (byte)length;
            if (length > 2) _random.NextBytes(room[2..length]);
            // Pointers of route and timestamp options (RFC 791 §3.1): at the first free slot;
            // overflow and flag of a timestamp 0.
            if (kinds[1].Type == (byte)IPv4OptionType.RecordRoute && length > 3)
            {
                room[2] = type == (byte)IPv4OptionType.Timestamp ? (byte)5 : (byte)4;
                room[3] = 0;
            }
            room = room[length..];
        }
    }

    /// <summary>
    /// 8 bytes each: options that are one PadN (RFC 8200 §4.2), or the fragment header of a whole datagram (RFC 6946).
    /// </summary>
    private IPProtocol ExtensionHeaders(Span<byte> room, IPProtocol protocol)
    {
        if (room.Length == 0) return protocol;
        var header = room.Length == 8 && Coin() ? IPProtocol.Fragment : IPProtocol.DestinationOptions;
        room[0] = (byte)ExtensionHeaders(room[8..], protocol);
        byte[] rest = header == IPProtocol.Fragment ? [0, 0, 0, 1, 2, 3, 4] : [0, 1, 4, 0, 0, 0, 0];
        rest.CopyTo(room[1..]);
        return header;
    }

    private void IcmpMessage(Span<byte> bytes)
    {
        Assert.True(Icmp.TryParse(bytes, out var icmp));
        icmp.Type = Coin() ? IcmpType.EchoRequest : IcmpType.EchoReply;
        icmp.Code = 0;
        icmp.Identifier = UInt16();
        icmp.SequenceNumber = UInt16();
        icmp.WriteChecksum();
    }

    private Icmpv6 Icmpv6Message(Span<byte> bytes)
    {
        Assert.True(Icmpv6.TryParse(bytes, out var icmp));
        icmp.Code = 0;
        // Options of neighbour discovery come in units of 8 bytes.
        switch (bytes.Length % 8 == 0 ? _random.Next(3) : 2)
        {
            case 0:
                icmp.Type = Icmpv6Type.NeighborSolicitation;
                icmp.RestOfHeader = 0;
                Assert.True(NeighborSolicitation.TryParse(icmp, out var solicitation));
                solicitation.Target = IPv6();
                NeighborOptionList(solicitation.OptionBytes, NeighborDiscoveryOptionType.SourceLinkLayerAddress);
                break;
            case 1:
                icmp.Type = Icmpv6Type.NeighborAdvertisement;
                icmp.RestOfHeader = 0;
                Assert.True(NeighborAdvertisement.TryParse(icmp, out var advertisement));
                advertisement.IsRouter = Coin();
                advertisement.Solicited = Coin();
                advertisement.Override = Coin();
                advertisement.Target = IPv6();
                NeighborOptionList(advertisement.OptionBytes, NeighborDiscoveryOptionType.TargetLinkLayerAddress);
                break;
            default:
                icmp.Type = Coin() ? Icmpv6Type.EchoRequest : Icmpv6Type.EchoReply;
                icmp.Identifier = UInt16();
                icmp.SequenceNumber = UInt16();
                break;
        }
        return icmp;
    }

    private void NeighborOptionList(Span<byte> room, NeighborDiscoveryOptionType type)
    {
        while (room.Length > 0)
        {
            Assert.True(NeighborDiscoveryOptions.TryWriteLinkLayerAddress(room, type, Mac()));
            room = room[NeighborDiscoveryOptions.LinkLayerAddressLength..];
        }
    }

    private bool UdpDatagram(Span<byte> bytes, out Udp udp)
    {
        Assert.True(Udp.TryInitialize(bytes, out udp));
        udp.SourcePort = Port();
        udp.DestinationPort = Port();
        return true;
    }

    private Tcp TcpSegment(Span<byte> bytes)
    {
        var headerLength = _random.Next(5, Math.Min(bytes.Length / 4, 15) + 1) * 4;
        Assert.True(Tcp.TryInitialize(bytes, out var tcp, headerLength));
        tcp.SourcePort = Port();
        tcp.DestinationPort = Port();
        tcp.SequenceNumber = (uint)_random.NextInt64(1L << 32);
        tcp.AcknowledgmentNumber = (uint)_random.NextInt64(1L << 32);
        tcp.Reserved = (byte)_random.Next(16);
        tcp.Flags = (TcpFlags)_random.Next(256);
        // Outside parsers take data on a reset for a message in text (RFC 9293 §3.5.3).
        if (tcp.Payload.Length > 0) tcp.Flags &= ~TcpFlags.Rst;
        tcp.Window = UInt16();
        tcp.UrgentPointer = UInt16();
        OptionList(tcp.OptionBytes,
        [
            ((byte)TcpOptionKind.NoOperation, 1), ((byte)TcpOptionKind.MaximumSegmentSize, 4),
            ((byte)TcpOptionKind.WindowScale, 3), ((byte)TcpOptionKind.SackPermitted, 2),
            ((byte)TcpOptionKind.Sack, 18), ((byte)TcpOptionKind.Timestamps, 10),
        ]);
        return tcp;
    }

    private bool Coin() => _random.Next(2) == 0;

    private ushort UInt16() => (ushort)_random.Next(1 << 16);

    /// <summary>Of the dynamic range, where outside parsers expect no protocol of their own.</summary>
    private ushort Port() => (ushort)_random.Next(49152, 65536);

    private MacAddress Mac() => new((ulong)_random.NextInt64(1L << 48));

    private IPv4Address IPv4() => new((uint)_random.NextInt64(1L << 32));

    private IPv6Address IPv6()
    {
        Span<byte> octets = stackalloc byte[IPv6Address.Length];
        _random.NextBytes(octets);
        return new IPv6Address(BinaryPrimitives.ReadUInt128BigEndian(octets));
    }
}
