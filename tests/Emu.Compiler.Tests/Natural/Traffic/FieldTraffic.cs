using Emu.Testing;
using static Emu.Compiler.Tests.OperatorTraffic;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

/// <summary>Traffic of services of which each has its own, a few percent of it odd.</summary>
internal static class FieldTraffic
{
    public const ulong Start = 1_700_000_000_000_000_000;
    public const int StampInterval = 10_000;

    public static readonly IPv6Address Prefix = IP6("2001:db8:0:7::");
    public static readonly IPv6Address[] Resolvers = [IP6("2001:db8::53"), IP6("2001:db8:1::53")];

    private static byte[] Mac6(MacAddress mac) => U64(mac.Bits)[2..];

    private static int Size(Random random) => random.Next(3) switch
    {
        0 => random.Next(1, 60),
        1 => random.Next(60, 500),
        _ => random.Next(500, 1400),
    };

    /// <summary>Questions with letters mixed, the answers, and a few broken names.</summary>
    public static (int, byte[]) Questions(int i, Random random)
    {
        if (i % 12 == 11) return (i % 2, Background(i));
        string[] names =
        [
            "www.example.com", "mail.example.org", "a1.b2.cdn.provider.example.net", "time.nist.gov",
            "very-long-label-of-a-service-in-some-cluster.namespace.svc.cluster.local", "x.de", "_sip._udp.example.com",
        ];
        var name = string.Concat(names[random.Next(names.Length)]
            .Select(c => i % 5 != 1 && random.Next(2) == 0 ? char.ToUpperInvariant(c) : c));
        var client = random.Next(40, 60);
        if (i % 3 == 2)
            return (1, From(20, client).Udp(53, (ushort)(20000 + i)).Dns((ushort)i, name, flags: 0x8180, answers: 1)
                .Payload([0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, .. Bytes(random, 4)]).PaddedTo(60));
        ushort? checksum = i % 40 == 10 ? 0x1234 : i % 9 == 0 ? 0 : null;
        if (i % 30 == 7)
            return (0, From(client, 20).Udp(20000, 53).Payload(
                [.. U16(i), 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 65, 66, 67, 0xC0, 12, 0, 1, 0, 1]).PaddedTo(60));
        byte[] option = i % 2 == 0 ? [0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0] : [];
        return (0, i % 6 == 4
            ? Packet.Ethernet(Mac(client), Mac(20)).IPv6(IP6($"fd00::{client}"), IP6("fd00::20"))
                .Udp((ushort)(20000 + i), 53).Dns((ushort)i, name, type: 28).Payload(option)
            : From(client, 20).Udp((ushort)(20000 + i), 53, checksum: checksum).Dns((ushort)i, name).Payload(option)
                .PaddedTo(60));
    }

    /// <summary>Messages of RFC 5424, with structured data or without, and some of the old format.</summary>
    public static (int, byte[]) Logs(int i, Random random)
    {
        if (i % 10 == 9) return (i % 4 == 1 ? 2 : 0, Background(i));
        var data = random.Next(4) switch
        {
            0 => "[exampleSDID@32473 iut=\"3\" eventSource=\"Application\" eventID=\"1011\"]",
            1 => $"[origin ip=\"10.0.0.{random.Next(99)}\" software=\"r\\\"x\"]"
                + $"[meta sequenceId=\"{random.Next(9999)}\"]",
            _ => "-",
        };
        var head = $"<{random.Next(0, 192)}>1 2026-11-28T16:{random.Next(60):00}:{random.Next(60):00}.003Z "
            + $"host{random.Next(40)}.example.org app{random.Next(9)} {random.Next(30000)} ID{random.Next(60)}";
        var message = $"{head} {data} Connection from 192.0.2.{random.Next(250)} port {random.Next(60000)} closed"
            + new string('.', random.Next(4) == 0 ? random.Next(900) : 0);
        var text = (i % 40) switch
        {
            6 => $"<34>Oct 11 22:14:15 mymachine su: 'su root' failed on /dev/pts/{i}",
            13 => $"{head} [bad id@1 x=\"1\"] text",
            22 => $"{head} [x y=\"not ended] text",
            27 => $"{head} -",
            32 => $"<999>1 {head}",
            _ => message,
        };
        return (0, UdpOf(random.Next(40, 60), 20, 514, Text(text)));
    }

    /// <summary>Queries and responses of a hash table's nodes.</summary>
    public static (int, byte[]) HashTable(int i, Random random)
    {
        if (i % 10 == 9) return (i % 2, Background(i));
        string Id() => string.Concat(Enumerable.Range(0, 20).Select(_ => (char)random.Next(33, 127)));
        var nodes = string.Concat(Enumerable.Range(0, 8 * 26).Select(_ => (char)random.Next(33, 127)));
        var text = random.Next(5) switch
        {
            0 => $"d1:ad2:id20:{Id()}e1:q4:ping1:t2:aa1:y1:qe",
            1 => $"d1:ad2:id20:{Id()}6:target20:{Id()}e1:q9:find_node1:t2:ab1:v4:UT011:y1:qe",
            2 => $"d1:ad2:id20:{Id()}9:info_hash20:{Id()}e1:q9:get_peers1:t2:ac1:y1:qe",
            3 => $"d1:rd2:id20:{Id()}5:nodes208:{nodes}e1:t2:aa1:y1:re",
            _ => $"d1:ad2:id20:{Id()}12:implied_porti1e9:info_hash20:{Id()}"
                + $"4:porti{random.Next(65536)}e5:token8:abcdefghe1:q13:announce_peer1:t2:ad1:y1:qe",
        };
        text = (i % 40) switch
        {
            5 => "d1:eli201e23:A Generic Error Ocurrede1:t2:aa1:y1:ee",
            12 => text[..^1],
            23 => $"d1:a{new string('l', 20)}{new string('e', 20)}e",
            28 => "d1:ai042e1:y1:qe",
            36 => "d1:a999:xe",
            _ => text,
        };
        return i % 8 == 3
            ? (1, UdpOf(20, random.Next(40, 60), 6881, Text(text)))
            : (0, From(random.Next(40, 60), 20).Udp(51413, 6881).Payload(Text(text)).PaddedTo(60));
    }

    /// <summary>All that passes at an access, of which a tenth is of the subscribers in question.</summary>
    public static (int, byte[]) Access(int i, Random random)
    {
        if (i % 15 == 14) return (i % 2, Background(i));
        var subscriber = random.Next(10) == 0 ? 7 + random.Next(2) : random.Next(40, 200);
        var server = random.Next(200, 220);
        var payload = Bytes(random, i % 40 == 3 ? 1440 : Size(random));
        var isUp = random.Next(3) == 0;
        var way = isUp ? From(subscriber, server) : From(server, subscriber);
        return (isUp ? 0 : 1, random.Next(3) == 0
            ? way.Udp(443, 50000).Payload(payload).PaddedTo(60)
            : way.Tcp(443, 50000, (uint)i * 1000, 1, Packet.Ack).Payload(payload).PaddedTo(60));
    }

    /// <summary>Magic packets, some with a password or raw, among other broadcasts of a management network.</summary>
    public static (int, byte[]) Wakes(int i, Random random)
    {
        if (i % 4 == 3) return (i % 8 == 3 ? 0 : 1, Background(i));
        var target = Mac6(i % 30 == 8 ? new MacAddress(0x0100_5E00_0001) : Mac(random.Next(0x100, 0x200)));
        byte[] magic = [255, 255, 255, 255, 255, 255, .. Enumerable.Repeat(target, 16).SelectMany(m => m)];
        if (i % 5 == 0) magic = [.. magic, .. Bytes(random, 6)];
        if (i % 25 == 6) magic[50] ^= 1;
        if (i % 20 == 9) magic = [.. Bytes(random, random.Next(1, 30)), .. magic];
        if (i % 40 == 13) magic = Bytes(random, random.Next(20, 300));
        if (i % 6 == 1) return (0, Packet.Ethernet(Mac(30), MacAddress.Broadcast, 0x0842).Payload(magic).PaddedTo(60));
        return (0, Packet.Ethernet(Mac(30), MacAddress.Broadcast).IPv4(Host(30), IP("10.0.0.255"))
            .Udp(40000, (ushort)(i % 10 == 4 ? 7 : 9)).Payload(magic).PaddedTo(60));
    }

    /// <summary>Devices that ask for a value, register for it, and now and then a new value.</summary>
    public static (int, byte[]) Coap(int i, Random random)
    {
        if (i % 10 == 9) return (i % 4, Background(i));
        var client = 40 + random.Next(6);
        byte[] token = Bytes(random, i % 3 == 0 ? 4 : random.Next(9));
        byte first = (byte)((i % 4 == 0 ? 0x50 : 0x40) | token.Length);
        byte[] path = [0xB1, (byte)'t'];
        byte[] Options(int observe) => observe == 0 ? [0x60, 0x51, (byte)'t'] : [0x61, 1, 0x51, (byte)'t'];
        byte[] message = (i % 20) switch
        {
            1 or 11 => [first, 3, .. U16(i), .. token, .. path, 0x10, 0xFF, .. Bytes(random, 8)],
            4 or 8 or 15 => [first, 1, .. U16(i), .. token, .. Options(0)],
            17 => [first, 1, .. U16(i), .. token, .. Options(1)],
            6 => [first, 1, .. U16(i), .. token, 0xB5, .. Text("other"), 0x04, .. Text("deep"), 0x41, (byte)'x'],
            13 when i % 40 == 13 => [first, 1, .. U16(i), .. token, 0x9F, 1],
            13 => [0x20, 1, 2],
            _ => [first, 1, .. U16(i), .. token, 0x3D, 3, .. Text("sensor.example.o"), 0x81, (byte)'t', 0x61, 50],
        };
        return (client % 3, Packet.Ethernet(Mac(client), Own).IPv4(Host(client), Address)
            .Udp((ushort)(5683 + client), 5683).Payload(message).PaddedTo(60));
    }

    private static byte[] Oam(int port, int flags, int code, byte[] rest) =>
        Packet.Ethernet(Mac(0x10 + port), MacAddress.Parse("01:80:c2:00:00:02"), 0x8809)
            .Payload([3, .. U16(flags), (byte)code, .. rest]).PaddedTo(60);

    /// <summary>Traffic of links on which OAM is spoken, too.</summary>
    public static (int, byte[]) OamLinks(int i, Random random)
    {
        if (i % 9 == 0)
        {
            var port = i / 9 % 3;
            byte[] local = [1, 16, 1, 0, 2, 0, 1, .. U16(1514), 0, 0x1B, 0x19, 0, 0, 0, (byte)port];
            byte[] remote = [2, 16, 1, 0, 2, 0, 1, .. U16(1514), 0, 0x1B, 0x19, 0, 0, 0, 9];
            return (port, (i / 9 % 12) switch
            {
                5 => Oam(port, 0x50, 1, [0, 1, 1, 26, .. Bytes(random, 24)]),
                8 => Oam(port, 0x52, 0, [.. local, .. remote]),
                10 => Oam(port, 0x50, 0, [1, 99, 1]),
                _ => Oam(port, 0x50, 0, [.. local, .. remote]),
            });
        }
        if (i % 12 == 11) return (i % 4, Background(i));
        return (i % 4, UdpOf(random.Next(40, 60), random.Next(60, 80), 5000, Bytes(random, Size(random))));
    }

    /// <summary>Frames of stations of which some move, tagged or not.</summary>
    public static (int, byte[]) Stations(int i, Random random)
    {
        if (i % 15 == 14) return (i % 3, Background(i));
        var station = random.Next(40, 90);
        var port = i % 20 == 7 ? random.Next(3) : station % 3;
        var link = Packet.Ethernet(Mac(station), Mac(random.Next(40, 90)));
        if (station % 4 == 0) link = link.Vlan((ushort)(i % 33 == 4 ? 11 : 10));
        return (port, link.IPv4(Host(station), Host(20)).Tcp(4000, 443, 1, 1, Packet.Ack)
            .Payload(Bytes(random, Size(random))).PaddedTo(60));
    }

    /// <summary>Nanoseconds since 1970 as NTP has them.</summary>
    public static ulong NtpOf(ulong time) =>
        (time / 1_000_000_000 + 2_208_988_800) << 32 | (time % 1_000_000_000 << 32) / 1_000_000_000;

    /// <summary>Traffic both ways, and reflections of test packets.</summary>
    public static (int, byte[]) Reflections(int i, Random random)
    {
        var sequence = i * 500 / StampInterval - 1 - (i % 60 == 5 ? 1 : 0);
        if (i % 20 is 5 or 11 && sequence >= 0)
        {
            var sent = Start + (ulong)(sequence + 1) * StampInterval;
            var there = sent + (ulong)random.Next(900, 1100);
            byte[] reflection =
            [
                .. U32((uint)sequence), .. U64(NtpOf(there + 300)), 0x80, 1, 0, 0, .. U64(NtpOf(there)),
                .. U32((uint)sequence), .. U64(NtpOf(sent) + (i % 80 == 31 ? 7u : 0)), 0x80, 1, 0, 0, 255, 0, 0, 0,
            ];
            return (1, Packet.Ethernet(PeerMac, Own).IPv4(Peer, Address)
                .Udp(862, 49862, checksum: i % 70 == 25 ? 0x1234 : null).Payload(reflection).PaddedTo(60));
        }
        if (i % 15 == 14) return (i % 2, Background(i));
        return (i % 2, UdpOf(random.Next(40, 60), random.Next(60, 80), 5000, Bytes(random, Size(random))));
    }

    private static byte[] Minimal(Random random, bool hasSource, int error)
    {
        byte[] source = hasSource ? [10, 9, 0, 7] : [];
        byte[] header = [17, hasSource ? (byte)0x80 : (byte)0, 0, 0, 10, 0, 0, 30, .. source];
        var sum = InternetChecksum.Compute(header) + error;
        (header[2], header[3]) = ((byte)(sum >> 8), (byte)sum);
        return [.. header, .. U16(5000), .. U16(6000), .. U16(108), 0, 0, .. Bytes(random, 100 + random.Next(900))];
    }

    /// <summary>Packets to mobile nodes and to others, some from the agent itself, and what comes back.</summary>
    public static (int, byte[]) Mobile(int i, Random random)
    {
        if (i % 15 == 14) return (i % 2, Background(i));
        if (i % 4 == 3)
            return (1, Packet.Ethernet(PeerMac, Own).IPv4(IP("192.0.2.9"), Address, protocol: 55)
                .Payload(Minimal(random, i % 3 != 0, i % 40 == 7 ? 1 : 0)).PaddedTo(60));
        if (i % 4 == 2)
            return (1, UdpOf(random.Next(60, 80), random.Next(40, 60), 5000, Bytes(random, Size(random))));
        var to = i % 5 == 0 ? random.Next(60, 80) : 7 + random.Next(2);
        var payload = Bytes(random, i % 45 == 12 ? 1460 : Size(random));
        var way = i % 12 == 4 ? Packet.Ethernet(Mac(3), Own).IPv4(Address, Host(to))
            : i % 35 == 8 ? Packet.Ethernet(Mac(3), Own).IPv4(Host(50), Host(to), ttl: 1)
            : From(random.Next(40, 60), to);
        return (0, way.Udp(5000, 6000).Payload(payload).PaddedTo(60));
    }

    /// <summary>Hosts of a link that come up: solicitations among neighbour discovery and other traffic.</summary>
    public static (int, byte[]) Solicitations(int i, Random random)
    {
        if (i % 5 == 4) return (i % 4, Background(i));
        var host = random.Next(40, 90);
        var link = Packet.Ethernet(Mac(host), MacAddress.Parse("33:33:00:00:00:02"));
        var (from, to) = (IPv6Address.LinkLocal(Mac(host)), IP6("ff02::2"));
        byte[] source = [1, 1, .. Mac6(Mac(host))];
        if (i % 5 == 2)
            return (i % 4, Packet.Ethernet(Mac(host), MacAddress.Parse("33:33:ff:00:00:01"))
                .IPv6(from, IP6("ff02::1:ff00:1"), hopLimit: 255).NeighborSolicitation(IP6("fe80::1"), Mac(host)));
        if (i % 7 == 3)
            return (i % 4, Packet.Ethernet(Mac(host), Mac(host + 1)).IPv6(from, IPv6Address.LinkLocal(Mac(host + 1)))
                .Udp(5000, 5000).Payload(Bytes(random, Size(random))));
        return (i % 4, (i % 30) switch
        {
            5 => link.IPv6(from, to, hopLimit: 64).Icmpv6(133).Payload(source),
            11 => link.IPv6(default, to, hopLimit: 255).Icmpv6(133).Payload(source),
            16 => link.IPv6(from, to, hopLimit: 255).Icmpv6(133).Payload(1, 0, 0, 0, 0, 0, 0, 0),
            21 => link.IPv6(from, to, hopLimit: 255).Icmpv6(133, checksum: 1).Payload(source),
            26 => link.IPv6(from, to, hopLimit: 255).Icmpv6(133).Payload([14, 1, 1, 2, 3, 4, 5, 6, .. source]),
            _ when i % 3 == 0 => link.IPv6(default, to, hopLimit: 255).Icmpv6(133),
            _ => link.IPv6(from, to, hopLimit: 255).Icmpv6(133).Payload(source),
        });
    }

    /// <summary>The frames that taps of a provider see: plain, tagged, labelled, and in tunnels.</summary>
    public static (int, byte[]) Taps(int i, Random random)
    {
        if (i % 20 == 19) return (i % 3, Background(i));
        var (a, b) = (random.Next(40, 60), random.Next(60, 80));
        var payload = Bytes(random, Math.Min(Size(random), 1300));
        byte[] inner = Packet.Bare.IPv4(Host(a), Host(b)).Tcp(4000, 443, 1, 1, Packet.Ack).Payload(payload);
        byte[] innerFrame = From(a, b).Udp(4000, 5000).Payload(payload);
        var link = Packet.Ethernet(Mac(a), Mac(b));
        return (i % 2, (i % 10) switch
        {
            0 or 5 => UdpOf(a, b, 5000, payload),
            1 => link.Vlan(100).IPv4(Host(a), Host(b)).Udp(1, 2).Payload(payload).PaddedTo(64),
            2 => link.Vlan(7, tagType: 0x88A8).Vlan(100).IPv4(Host(a), Host(b)).Udp(1, 2).Payload(payload).PaddedTo(68),
            3 => Packet.Ethernet(Mac(a), Mac(b), 0x8847).Payload(
                [.. U32(500u << 12 | 64), .. U32(600u << 12 | (i % 40 == 3 ? 0 : 0x100u) | 64), .. inner]).PaddedTo(60),
            4 => Packet.Ethernet(Mac(a), Mac(b), 0x8847).Payload([.. U32(700u << 12 | 0x140), .. inner]).PaddedTo(60),
            6 => Packet.Ethernet(Mac(a), Mac(b)).IPv4(Host(3), Host(4)).Udp(50000, 4789, checksum: 0).Vxlan(77)
                .Payload(innerFrame),
            7 => Packet.Ethernet(Mac(a), Mac(b)).IPv4(Host(3), Host(4), protocol: 47)
                .Payload([0x20, 0, 0x65, 0x58, .. U32(0x1234), .. innerFrame]),
            8 when i % 40 == 8 => Packet.Ethernet(Mac(a), Mac(b), 0x8100).Payload(
                [0, 1, 0x81, 0, 0, 2, 0x81, 0, 0, 3, 0x81, 0, 0, 4, 8, 0, .. inner]).PaddedTo(60),
            8 => Packet.Ethernet(Mac(a), Mac(b), 0x893F).Payload(
                [0, 1, 0, 2, 0, 0, 0x81, 0, 0, 5, 8, 0, .. inner]).PaddedTo(72),
            _ => Packet.Ethernet(Mac(a), Mac(b)).Vlan(9).IPv4(Host(3), Host(4)).Udp(50000, 4789, checksum: 0)
                .Vxlan(78).Payload(innerFrame),
        });
    }

    /// <summary>More than a line carries, of which some can be marked.</summary>
    public static (int, byte[]) Congested(int i, Random random)
    {
        if (i % 15 == 14) return (i % 2, Background(i));
        if (i % 6 == 5) return (1, UdpOf(70, 50, 5000, Bytes(random, random.Next(1, 60))));
        var (a, b) = (random.Next(40, 60), random.Next(60, 80));
        var payload = Bytes(random, random.Next(4) == 0 ? random.Next(1, 100) : random.Next(900, 1400));
        var ecn = (byte)(random.Next(3) == 0 ? 2 : 0);
        return (0, i % 5 == 1
            ? Packet.Ethernet(Mac(a), Mac(b)).IPv6(IP6($"fd00::{a}"), IP6($"fd00::{b}"), trafficClass: ecn)
                .Udp(5000, 443).Payload(payload)
            : Packet.Ethernet(Mac(a), Mac(b)).IPv4(Host(a), Host(b), trafficClass: ecn)
                .Tcp(4000, 443, 1, 1, Packet.Ack).Payload(payload).PaddedTo(60));
    }

    /// <summary>Calls and downloads over two lines.</summary>
    public static (int, byte[]) Lines(int i, Random random)
    {
        if (i % 15 == 14) return (i % 4, Background(i));
        return (i % 4, UdpOf(random.Next(40, 60), random.Next(60, 80), 5000,
            Bytes(random, random.Next(2) == 0 ? 172 : Size(random))));
    }

    /// <summary>Questions to time servers and their answers, of which one server's go wrong; a few kisses.</summary>
    public static (int, byte[]) Clocks(int i, Random random)
    {
        if (i % 10 == 9) return (i % 2, Background(i));
        var (host, server) = (random.Next(40, 60), 20 + random.Next(4));
        var now = Start + (ulong)i * 500;
        if (i % 3 == 0)
            return (0, From(host, server).Udp(123, 123).Payload(
                [0x23, .. new byte[39], .. U64(NtpOf(now))]).PaddedTo(60));
        var delay = (ulong)random.Next(2_000_000, 30_000_000);
        var wrong = server == 22 && i > 40 ? 400_000_000ul : 0;
        var sent = now - delay;
        var received = sent + delay / 2 + (ulong)random.Next(100_000) + wrong;
        byte[] answer =
        [
            0x24, (byte)(i % 40 == 13 ? 0 : 2), 6, 0xEC, .. U32(0x100), .. U32(0x200), .. Text("GPS\0"),
            .. U64(NtpOf(now - 60_000_000_000)), .. U64(NtpOf(sent)), .. U64(NtpOf(received)),
            .. U64(NtpOf(received + 20_000)),
        ];
        if (i % 50 == 26) answer = answer[..40];
        if (i % 8 == 4) answer = [.. answer, .. Bytes(random, 20)];
        return (1, From(server, host).Udp(123, 123).Payload(answer).PaddedTo(60));
    }
}
