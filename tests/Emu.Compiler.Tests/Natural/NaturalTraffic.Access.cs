using System.Text;
using Emu.Testing;

namespace Emu.Compiler.Tests;

internal static partial class NaturalTraffic
{
    private static readonly MacAddress s_group = MacAddress.Parse("01:00:5e:01:02:03");

    /// <summary>The network of 6rd to which <see cref="InDomain"/> belongs.</summary>
    public static readonly IPv6Address Domain = IPv6Address.Parse("2001:db8::");

    /// <summary>The address that a customer has by 6rd.</summary>
    public static IPv6Address InDomain(IPv4Address customer) =>
        new(Domain.Bits | (UInt128)customer.Bits << 64 | 1);

    /// <summary>A report of IGMP v2 or v3, a leave, or what is sent to a group or a host.</summary>
    public static byte[] Multicast(int i, Random random)
    {
        var group = new IPv4Address(0xEF010200u + (uint)(i % 6));
        var station = Packet.Ethernet(MacAddress.Of(Host(i % 9)), s_group);
        return (i % 5) switch
        {
            0 => station.IPv4(Host(i), group, ttl: 1, protocol: 2, options: [0x94, 4, 0, 0])
                .Payload(Igmp(i % 15 == 0 ? (byte)0x17 : (byte)0x16, group)).PaddedTo(60),
            1 => station.IPv4(Host(i), new IPv4Address(0xE0000016), ttl: 1, protocol: 2, options: [0x94, 4, 0, 0])
                .Payload(Checked([0x22, 0, 0, 0, 0, 0, 0, 1, 4, 0, 0, 0, .. Of(group)])).PaddedTo(60),
            2 or 3 => station.IPv4(Host(i), group).Udp(1, 2).Payload(Bytes(random, 1000)),
            _ => Packet.Ethernet(MacAddress.Of(Host(i % 9)), MacAddress.Of(Host((i + 1) % 9)))
                .IPv4(Host(i), Host(i + 1)).Udp(1, 2).Payload(Bytes(random, i * 3)).PaddedTo(60),
        };
    }

    /// <summary>Other systems' announcements, some with a long description, some cut off.</summary>
    public static byte[] LinkAnnouncement(int i, Random random)
    {
        byte[] name = Encoding.ASCII.GetBytes($"switch-{i}.example.net"), about = new byte[i % 2 == 0 ? 20 : 150];
        byte[] units =
        [
            2, 7, 4, 2, 0, 0, 0, 0, (byte)(i / 40), 4, 9, 5, .. "Eth 0/12"u8, 6, 2, 0, 120,
            10, (byte)name.Length, .. name, 12, (byte)about.Length, .. about, 14, 4, 0, 4, 0, 4,
            0xFE, 6, 0, 0x80, 0xC2, 1, 0, (byte)random.Next(8), 0, 0,
        ];
        return Packet.Ethernet(MacAddress.Of(Host(i)), MacAddress.Parse("01:80:c2:00:00:0e"), 0x88CC)
            .Payload(i % 9 == 0 ? units[..40] : units).PaddedTo(60);
    }

    /// <summary>Sessions are confirmed first; then packets come and go in them, and questions of the link.</summary>
    public static (int Port, byte[] Bytes) Subscribers(int i, Random random)
    {
        var id = i % 12;
        var subscriber = MacAddress.Of(Host(id));
        if (i < 12)
            return (2, Packet.Ethernet(Own, subscriber, 0x8863)
                .Payload([0x11, 0x65, .. Of((ushort)(id + 1)), 0, 4, .. Of(Host(id))]).PaddedTo(60));
        if (i % 3 == 0)
            return (1, Packet.Ethernet(Gateway, Own).IPv4(Outside, Host(id)).Udp(1, 2).Payload(Bytes(random, i * 5))
                .PaddedTo(60));
        byte[] packet = i % 10 == 1
            ? [0xC0, 0x21, 9, 1, 0, 8, 1, 2, 3, 4]
            : [0, 0x21, .. Packet.Bare.IPv4(Host(id), Outside).Udp(1, 2).Payload(Bytes(random, i * 5)).ToArray()];
        return (0, Packet.Ethernet(subscriber, Own, 0x8864)
            .Payload([0x11, 0, .. Of((ushort)(id + 1)), .. Of((ushort)packet.Length), .. packet]).PaddedTo(60));
    }

    /// <summary>Requests of clients, and answers of a server with the relay's option behind them.</summary>
    public static (int Port, byte[] Bytes) DhcpMessage(int i, Random random)
    {
        byte[] fixedPart =
        [
            (byte)(i % 2 == 0 ? 1 : 2), 1, 6, 0, .. Bytes(random, 4), .. new byte[16], .. new byte[4],
            2, 0, 0, 0, 0, (byte)i, .. new byte[10], .. new byte[192], 0x63, 0x82, 0x53, 0x63,
        ];
        return i % 2 == 0
            ? (i % 3, Packet.Ethernet(MacAddress.Of(Host(i)), MacAddress.Broadcast)
                .IPv4(new IPv4Address(0), new IPv4Address(uint.MaxValue)).Udp(68, 67).Payload(
                [
                    .. fixedPart, 53, 1, 1, 61, 7, 1, 2, 0, 0, 0, 0, (byte)i, 12, 6, .. "laptop"u8, 55, 7, 1, 3, 6, 15,
                    31, 33, 43, 255, .. new byte[26],
                ]))
            : (3, Packet.Ethernet(Gateway, Own).IPv4(Outside, Address).Udp(67, 67).Payload(
                [
                    .. fixedPart, 53, 1, 2, 54, 4, 8, 8, 8, 8, 51, 4, 0, 0, 14, 16, 1, 4, 255, 255, 255, 0,
                    3, 4, 10, 0, 0, 1, 6, 8, 8, 8, 8, 8, 8, 8, 4, 4, 82, 3, 1, 1, (byte)(i % 3), 255,
                ]));
    }

    /// <summary>Calls, voice and the rest, of both families, with tags and without.</summary>
    public static byte[] Classified(int i, Random random)
    {
        var ethernet = Packet.Ethernet(Peer, Own);
        if (i % 3 == 0) ethernet = ethernet.Vlan(10, priority: 1);
        var ip = i % 4 == 1
            ? ethernet.IPv6(Mapped(Host(i)), Mapped(Outside), trafficClass: 0xB8)
            : ethernet.IPv4(Host(i), Outside, trafficClass: (byte)(i % 5 == 0 ? 0xB8 : 0));
        return (i % 5) switch
        {
            0 => ip.Udp(4000, (ushort)(10_000 + i)).Payload(Bytes(random, 172)),
            1 => ip.Udp(5060, 5060).Payload(Bytes(random, i * 4)).PaddedTo(60),
            2 => ip.Tcp(1000, 22, flags: Packet.Ack, options: s_timestamps).Payload(Bytes(random, i)).PaddedTo(60),
            3 => ip.Tcp(1000, 443, flags: Packet.Ack, options: s_timestamps).Payload(Bytes(random, i * 8)).PaddedTo(60),
            _ => ip.Udp(1, 2).Payload(Bytes(random, i)).PaddedTo(60),
        };
    }

    /// <summary>Packets of telephones in tunnels, those for telephones, and questions of the other end.</summary>
    public static (int Port, byte[] Bytes) Mobile(int i, Random random)
    {
        if (i % 20 == 0)
            return (0, FromHost(1, Address).Udp(2152, 2152).Payload(0x32, 1, 0, 4, 0, 0, 0, 0, 0, (byte)i, 0, 0)
                .PaddedTo(60));
        if (i % 2 == 0)
            return (1, Packet.Ethernet(Gateway, Own).IPv4(Outside, Host(i)).Udp(1, 2).Payload(Bytes(random, i * 5))
                .PaddedTo(60));
        byte[] packet = Packet.Bare.IPv4(Host(i), Outside).Udp(1, 2).Payload(Bytes(random, i * 4));
        // Half of them have the extension header of 5G, the PDU session container.
        byte[] optional = i % 4 == 1 ? [0, 0, 0, 0x85, 1, 0x10, 9, 0] : [];
        return (0, FromHost(1, Address).Udp(2152, 2152).Payload(
        [
            (byte)(i % 4 == 1 ? 0x34 : 0x30), 255, .. Of((ushort)(packet.Length + optional.Length)), 0, 0,
            .. Of((ushort)(0x5000 + i)), .. optional, .. packet,
        ]));
    }

    private static byte[] Igmp(byte type, IPv4Address group) => Checked([type, 0, 0, 0, .. Of(group)]);

    private static byte[] Of(IPv4Address address) =>
        [.. Of((ushort)(address.Bits >> 16)), .. Of((ushort)address.Bits)];

    /// <summary>With the Internet checksum in its third and fourth byte.</summary>
    private static byte[] Checked(byte[] message)
    {
        var checksum = InternetChecksum.Compute(message);
        (message[2], message[3]) = ((byte)(checksum >> 8), (byte)checksum);
        return message;
    }
}
