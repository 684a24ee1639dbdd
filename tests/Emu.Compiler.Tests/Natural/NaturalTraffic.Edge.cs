using System.Text;
using Emu.Testing;

namespace Emu.Compiler.Tests;

internal static partial class NaturalTraffic
{
    private static readonly MacAddress s_bridges = MacAddress.Parse("01:80:c2:00:00:00");

    /// <summary>A binding request of STUN, with attributes or without.</summary>
    public static byte[] Binding(int i, Random random)
    {
        byte[] attributes = i % 3 == 0 ? [0x80, 0x22, 0, 4, .. "emu1"u8] : [];
        return
        [
            0, (byte)(i % 10 == 9 ? 0x11 : 1), .. Of((ushort)attributes.Length), 0x21, 0x12, 0xA4, 0x42,
            .. Bytes(random, 12), .. attributes,
        ];
    }

    /// <summary>Frames of stations, and those of the root bridge at the uplink.</summary>
    public static (int Port, byte[] Bytes) Bridged(int i, Random random)
    {
        if (i % 10 == 9)
            return (i == 59 ? 1 : 3, Packet.Ethernet(MacAddress.Of(Host(200)), s_bridges, 38).Payload(
            [
                0x42, 0x42, 3, 0, 0, 2, 2, 0x3C, 0x10, 0, .. Bytes(random, 2), 0, 0, 0, (byte)(i / 50), 0, 0, 0, 4,
                0x80, 0, .. Bytes(random, 6), 0x80, 1, 0, 0, 20, 0, 2, 0, 15, 0, 0,
            ]).PaddedTo(60));
        return (i % 3, Packet.Ethernet(MacAddress.Of(Host(i % 12)), MacAddress.Of(Host((i * 5 + 1) % 12)))
            .IPv4(Host(i % 12), Host((i * 5 + 1) % 12)).Udp(1, 2).Payload(Bytes(random, i * 4)).PaddedTo(60));
    }

    /// <summary>An advertisement of a virtual router, from its master mostly; or a datagram.</summary>
    public static byte[] VirtualRouter(int i, Random random)
    {
        var router = Packet.Ethernet(MacAddress.Of(Host(i)), MacAddress.Parse("01:00:5e:00:00:12"));
        if (i % 3 == 2) return router.IPv4(Host(i), Outside).Udp(1, 2).Payload(Bytes(random, i * 2)).PaddedTo(60);
        var (from, to) = (Host(i % 7 == 6 ? 2 : 1), new IPv4Address(0xE0000012));
        byte[] message = [0x31, (byte)(i % 4), (byte)(i % 7 == 6 ? 90 : 100), 1, 0, 100, 0, 0, .. Of(Vip)];
        var checksum = InternetChecksum.Compute(
            [.. Of(from), .. Of(to), 0, 112, .. Of((ushort)message.Length), .. message]);
        (message[6], message[7]) = ((byte)(checksum >> 8), (byte)checksum);
        return router.IPv4(from, to, ttl: 255, protocol: 112).Payload(message).PaddedTo(60);
    }

    /// <summary>Echoes, errors about packets of the network or of others, and datagrams.</summary>
    public static byte[] IcmpMessage(int i, Random random) => (i % 4) switch
    {
        0 => FromHost(i % 9, Outside).Icmp(8, rest: (uint)i).Payload(Bytes(random, i)).PaddedTo(60),
        1 => FromHost(i % 9, Address).Icmp(3, 3).Payload(
            Packet.Bare.IPv4(i % 8 == 1 ? Outside : Host(i), Vip).Udp(1, 2).Payload(Bytes(random, 8))).PaddedTo(60),
        2 => FromHost(i % 9, Address).Icmp(11).Payload(
            Packet.Bare.IPv4(Host(i), Vip, options: i % 8 == 2 ? [0x94, 4, 0, 0] : []).Udp(1, 2)
                .Payload(Bytes(random, 8))).PaddedTo(60),
        _ => FromHost(i, Outside).Udp(1, 2).Payload(Bytes(random, i * 4)).PaddedTo(60),
    };

    /// <summary>Voice of some sources, in order mostly.</summary>
    public static byte[] Voice(int i, Random random) => FromHost(i % 5, Outside).Udp(4000, (ushort)(10_000 + i % 5 * 2))
        .Payload(
        [
            0x80, 0, .. Of((ushort)(i / 5 + (i % 11 == 10 ? 3 : 0))), 0, 0, .. Of((ushort)(i / 5 * 160)),
            0, 0, 0, (byte)(i % 5), .. Bytes(random, 160),
        ]);

    /// <summary>A packet below one to four labels of MPLS.</summary>
    public static byte[] Labelled(int i, Random random)
    {
        byte[] stack =
        [
            .. Enumerable.Range(0, i % 4).SelectMany(label => (byte[])[0, 1, (byte)(label << 4), 64]),
            0, 2, (byte)((i + 1) % 4 << 4 | 1), (byte)(i % 16 == 15 ? 1 : 64),
        ];
        byte[] packet = i % 3 == 0
            ? Packet.Bare.IPv6(Mapped(Host(i)), Mapped(Outside)).Udp(1, 2).Payload(Bytes(random, i * 4))
            : Packet.Bare.IPv4(Host(i), Outside).Udp(1, 2).Payload(Bytes(random, i * 4));
        return Packet.Ethernet(Peer, Own, 0x8847).Payload([.. stack, .. packet]).PaddedTo(60);
    }

    /// <summary>A line of a log, in which some bytes are no text.</summary>
    public static byte[] LogLine(int i, Random random) => Encoding.Latin1.GetBytes(
        $"<34>1 2026-11-{i % 30:00} host{i} app {random.Next(100000)} - "
        + string.Concat(Enumerable.Repeat("Connection closed. ", i / 4)) + new string('\x01', i % 7 * i / 10) + "\n");

    /// <summary>Requests of hosts to their gateway: for its address, a port of UDP, or one of TCP.</summary>
    public static byte[] MappingRequest(int i, Random random) => (i % 4) switch
    {
        0 => [0, 0],
        3 when i % 12 == 3 => [(byte)(i % 24 == 3 ? 2 : 0), 3, .. Bytes(random, 10)],
        _ =>
        [
            0, (byte)(i % 4 == 1 ? 1 : 2), 0, 0, .. Of((ushort)(5000 + i)),
            .. Of((ushort)(i % 8 == 1 ? 0 : 6000 + i % 20)), 0, 0, 14, 16,
        ],
    };

    /// <summary>Handshakes of WireGuard, then data of the sessions agreed, and of others.</summary>
    public static (int Port, byte[] Bytes) Tunnel(int i, Random random)
    {
        byte[] index = [(byte)(i / 4 % 8), 0, 0, 7];
        var client = FromHost(i % 9, Address);
        var server = Packet.Ethernet(Own, Peer).IPv4(Address, Host(i % 9));
        return (i % 4) switch
        {
            0 => (0, client.Udp(50000, 51820).Payload([1, 0, 0, 0, .. Bytes(random, 144)])),
            1 => (1, server.Udp(51820, 50000).Payload([2, 0, 0, 0, .. index, .. Bytes(random, 84)])),
            2 => (0, client.Udp(50000, 51820).Payload(
                [4, 0, 0, 0, .. i % 20 == 18 ? Bytes(random, 4) : index, .. Bytes(random, 24 + i / 4 * 16)])),
            _ => (1, server.Udp(51820, 50000).Payload([4, 0, 0, 0, .. Bytes(random, 28 + i / 4 * 16)])),
        };
    }

    /// <summary>Questions for names, most with EDNS, some as no resolver asks them.</summary>
    public static byte[] Question(int i, Random random)
    {
        var labels = i % 10 == 3 ? "a.b.c.d.e.f.g.h.i.j.k" : $"www.example.host{i % 90 + 10}.org";
        byte[] name = i % 10 == 7
            ? [0xC0, 12]
            :
            [
                .. labels.Split('.').SelectMany(label =>
                    (byte[])[(byte)label.Length, .. Encoding.ASCII.GetBytes(label)]), 0,
            ];
        byte[] options = i % 3 == 0 ? [] : [0, 0, 41, .. Of((ushort)(i % 8 == 5 ? 65535 : 1232)), 0, 0, 0, 0, 0, 0];
        return
        [
            .. Bytes(random, 2), 1, 0, 0, 1, 0, 0, 0, 0, 0, (byte)(options.Length == 0 ? 0 : 1), .. name,
            .. Of((ushort)(i % 9 == 8 ? 255 : 1)), 0, 1, .. options,
        ];
    }

    /// <summary>Datagrams, every fifth with options.</summary>
    public static byte[] WithOptions(int i, Random random) => Packet.Ethernet(Peer, Own)
        .IPv4(Host(i), Outside, options: (i % 20) switch
        {
            0 => [131, 7, 4, .. Bytes(random, 4)],
            5 => [1, 7, 7, 4, .. Bytes(random, 4)],
            10 or 15 => [0x94, 4, 0, 0],
            _ => [],
        }).Udp(1, 2).Payload(Bytes(random, i * 4)).PaddedTo(60);

    /// <summary>Requests for keys, and what is something else.</summary>
    public static byte[] KeyRequest(int i, Random random) => Encoding.ASCII.GetBytes((i % 8) switch
    {
        7 => "stats\r\n",
        < 5 => $"get user:{random.Next(1000000)}:profile\r\n",
        _ => $"set session:{random.Next(1000000)} 0 60 {i}\r\n{new string('v', i)}\r\n",
    });
}
