using System.Buffers.Binary;
using System.Text;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>
/// Traffic of services that touch every byte, send copies, act without a frame, move what they forward, or add up.
/// </summary>
internal static class StreamTraffic
{
    public static readonly MacAddress Own = MacAddress.Parse("02:00:00:00:00:01");
    public static readonly MacAddress PeerMac = MacAddress.Parse("02:00:00:00:00:02");
    public static readonly MacAddress CollectorMac = MacAddress.Parse("02:00:00:00:00:0c");
    public static readonly IPv4Address Address = IPv4Address.Parse("10.0.0.1");
    public static readonly IPv4Address Peer = IPv4Address.Parse("10.0.0.2");
    public static readonly IPv4Address Collector = IPv4Address.Parse("10.0.0.12");
    public static readonly ushort[] PortVlans = [201, 202, 0];

    public static MacAddress Mac(int number) => new(0x0200_0000_0000UL | (uint)number);

    private static IPv4Address Host(int number) => new(0x0A00_0000u | (uint)number);

    private static Packet From(int source, int destination) => Packet.Ethernet(Mac(source), Mac(destination));

    private static byte[] Bytes(Random random, int count)
    {
        var bytes = new byte[count];
        random.NextBytes(bytes);
        return bytes;
    }

    private static Packet UdpOf(int source, int destination, int port, byte[] payload) =>
        From(source, destination).IPv4(Host(source), Host(destination)).Udp((ushort)(30000 + source), (ushort)port)
            .Payload(payload).PaddedTo(60);

    private static byte[] Noise(Random random)
    {
        var (a, b) = (random.Next(30, 60), random.Next(30, 60));
        return random.Next(5) switch
        {
            0 => From(a, 0xFF).ArpRequest(Mac(a), Host(a), Host(b)).PaddedTo(60),
            1 => From(a, b).IPv4(Host(a), Host(b)).IcmpEchoRequest(1, 2).Payload(Bytes(random, random.Next(56, 400)))
                .PaddedTo(60),
            2 => From(a, b).IPv6(IPv6Address.Parse($"fd00::{a:x}"), IPv6Address.Parse($"fd00::{b:x}")).Udp(1, 2)
                .Payload(Bytes(random, random.Next(1, 1200))).PaddedTo(60),
            3 => From(a, b).IPv4(Host(a), Host(b)).Tcp(4000, 443, 1, 1, Packet.Ack)
                .Payload(Bytes(random, random.Next(0, 1460))).PaddedTo(60),
            _ => UdpOf(a, b, 5000, Bytes(random, random.Next(1, 1400))),
        };
    }

    private static IEnumerable<(int, byte[])> Mixed(int seed, Func<Random, int, (int, byte[])> own, int count = 100)
    {
        var random = new Random(seed);
        for (var i = 0; i < count; i++)
            yield return random.Next(8) == 0 ? (random.Next(2), Noise(random)) : own(random, i);
    }

    public static IEnumerable<(int, byte[])> DnsQueries()
    {
        string[] names = ["www.Example.ORG", "mail.example.net", "a.very.long.name.Of.Some.Cdn.example.com",
            "API.example.com", "xn--bcher-kva.example", "x", "ftp.Example.org", "tracker.EXAMPLE.net"];
        return Mixed(1, (random, i) =>
        {
            var client = random.Next(40, 60);
            var query = From(client, 20).IPv4(Host(client), Host(20))
                .Udp((ushort)(1024 + i), 53, checksum: i % 9 == 0 ? 0 : null)
                .Dns((ushort)i, names[random.Next(names.Length)], (ushort)(i % 3 == 0 ? 28 : 1)).PaddedTo(60).ToArray();
            if (i % 12 == 5) query[54] = 0xC0; // a pointer where a label begins
            return i % 10 == 9
                ? (1, From(21, client).IPv4(Host(20), Host(client)).Udp(53, 2000)
                    .Dns((ushort)i, names[i % names.Length], flags: 0x8180).PaddedTo(60))
                : (0, query);
        });
    }

    public static IEnumerable<(int, byte[])> WebRequests()
    {
        string[] paths = ["/", "/index.html?q=1", "/search?q=%75nion%20SELECT%20*", "/static/%2e%2e/%2E%2E/etc/passwd",
            "/img/logo.png", "/a?b=<ScRiPt>", "/login%", "/scripts/cmd.ex", "/100%25/%zz",
            "/api/v1/items?unionselect=1"];
        return Mixed(2, (random, i) =>
        {
            var text = $"{(i % 4 == 0 ? "POST" : "GET")} {paths[random.Next(paths.Length)]} HTTP/1.1\r\n"
                + $"Host: www.example.org\r\nUser-Agent: Probe/{i}\r\n"
                + $"Cookie: {new string('c', random.Next(900))}\r\n\r\n";
            var client = random.Next(40, 60);
            byte[] options = i % 2 == 0 ? [1, 1, 8, 10, 0, 0, 0, 1, 0, 0, 0, 2] : [];
            return i % 10 == 9
                ? (1, From(20, client).IPv4(Host(20), Host(client)).Tcp(80, 4000, 1, 1, Packet.Ack, options: options)
                    .Payload(Bytes(random, random.Next(1400))).PaddedTo(60))
                : (0, From(client, 20).IPv4(Host(client), Host(20))
                    .Tcp((ushort)(4000 + i), 80, 1, 1, Packet.Psh | Packet.Ack, options: options)
                    .Payload(text).PaddedTo(60));
        });
    }

    private static string Sentence(string fields, int error = 0) =>
        $"${fields}*{fields.Aggregate(error, (sum, letter) => sum ^ letter):X2}\r\n";

    public static IEnumerable<(int, byte[])> Nmea() => Mixed(3, (random, i) =>
    {
        var text = new StringBuilder();
        for (var k = random.Next(1, 9); k > 0; k--)
        {
            text.Append(k % 2 == 0
                ? Sentence($"GPGGA,1235{k:00},4807.038,N,01131.000,E,1,08,0.9,{random.Next(1000)}.4,M,46.9,M,,")
                : Sentence($"GPRMC,1235{k:00},A,4807.038,N,01131.000,E,{random.Next(30)}.4,084.4,230394,003.1,W"));
        }
        if (i % 11 == 0) text.Append(Sentence("GPGLL,4916.45,N,12311.12,W,225444,A", error: 1));
        if (i % 13 == 0) text.Append("$GPGSV,3,1,11");
        if (i % 17 == 0) text.Append(Sentence("GPTXT," + new string('x', 90)));
        return (i & 1, UdpOf(random.Next(40, 60), 20, 10110, Encoding.ASCII.GetBytes(text.ToString())));
    });

    public static IEnumerable<(int, byte[])> TwoPorts()
    {
        var random = new Random(4);
        for (var i = 0; i < 100; i++)
        {
            yield return (random.Next(3) % 2, i % 5 == 0
                ? From(40, 41).Vlan((ushort)(i + 1), 3).IPv4(Host(40), Host(41)).Udp(1, 2)
                    .Payload(Bytes(random, random.Next(18, 1400))).PaddedTo(60)
                : i % 7 == 0
                    ? From(42, 43).IPv4(Host(42), Host(43)).Udp(1, 2).Payload(Bytes(random, 1472))
                    : Noise(random));
        }
    }

    public static IEnumerable<(int, byte[])> Television() => Mixed(5, (random, i) =>
    {
        var group = new IPv4Address(0xEF01_0100u | (uint)random.Next(1, 5));
        var stations = new MacAddress(0x0100_5E01_0100UL | group.Bits & 0xFF);
        if (i % 8 == 3)
        {
            var port = random.Next(1, 4);
            var report = Packet.Ethernet(Mac(40 + port), stations);
            if (PortVlans[port - 1] != 0) report = report.Vlan(PortVlans[port - 1]);
            byte[] igmp = [0x16, 0, 0, 0, .. BitConverter.GetBytes(BinaryPrimitives.ReverseEndianness(group.Bits))];
            BinaryPrimitives.WriteUInt16BigEndian(igmp.AsSpan(2), InternetChecksum.Compute(igmp));
            return (port, report.IPv4(Host(40 + port), group, ttl: 1, protocol: 2, options: [0x94, 4, 0, 0])
                .Payload(igmp)
                .PaddedTo(60));
        }
        return (0, Packet.Ethernet(Mac(20), stations).Vlan((ushort)(i % 15 == 0 ? 99 : 100), 4)
            .IPv4(Host(20), group, ttl: 8)
            .Udp(5004, 5004).Payload(Bytes(random, i % 3 == 0 ? 10 : random.Next(188, 1329))).PaddedTo(64));
    });

    public static IEnumerable<(int, byte[])> FourPorts()
    {
        var random = new Random(7);
        for (var i = 0; i < 120; i++) yield return (random.Next(4), Noise(random));
    }

    public static IEnumerable<(int, byte[])> Bfd()
    {
        var random = new Random(8);
        byte[] Control(int state, uint ours, int flags = 0, byte ttl = 255)
        {
            var control = new byte[24];
            (control[0], control[1], control[2], control[3]) = (0x20, (byte)(state << 6 | flags), 3, 24);
            BinaryPrimitives.WriteUInt32BigEndian(control.AsSpan(4), 0xCAFE_0001);
            BinaryPrimitives.WriteUInt32BigEndian(control.AsSpan(8), ours);
            BinaryPrimitives.WriteUInt32BigEndian(control.AsSpan(12), 50_000);
            BinaryPrimitives.WriteUInt32BigEndian(control.AsSpan(16), 50_000);
            return Packet.Ethernet(PeerMac, Own).IPv4(Peer, Address, ttl).Udp(49200, 3784).Payload(control)
                .PaddedTo(60);
        }
        for (var round = 0; round < 3; round++)
        {
            for (var i = 0; i < 36; i++)
            {
                if (i % 3 == 1) yield return (0, UdpOf(40, 41, 5000, Bytes(random, random.Next(1, 1400))));
                else if (i % 3 == 2)
                    yield return (random.Next(1, 3), UdpOf(41, 40, 5000, Bytes(random, random.Next(1, 500))));
                else if (i == 0) yield return (1, Control(1, 0));
                else if (i == 3) yield return (1, Control(2, 0x0B1D_0005));
                else if (i == 6) yield return (1, Control(3, 0x0B1D_0005, 0x20));
                else if (i == 9) yield return (1, Control(3, 0x0B1D_0005, 0x10));
                else if (i == 12) yield return (1, Control(1, 0x0B1D_0005, ttl: 254)); // not from this link
                else if (i < 27) yield return (1, Control(3, 0x0B1D_0005));
                else yield return (0, UdpOf(40, 42, 5001, Bytes(random, random.Next(1, 100))));
            }
        }
    }

    public static IEnumerable<(int, byte[])> Stations()
    {
        var random = new Random(9);
        for (var i = 0; i < 120; i++)
        {
            // The first stations fall silent, and others come.
            var station = 40 + i / 15 + random.Next(4);
            yield return ((station + (i % 40 == 39 ? 1 : 0)) % 4, i % 6 == 0
                ? From(station, 0xFF).ArpRequest(Mac(station), Host(station), Host(20)).PaddedTo(60)
                : UdpOf(station, random.Next(40, 60), 5000, Bytes(random, random.Next(1, 1400))));
        }
    }

    public static IEnumerable<(int, byte[])> Geneve()
    {
        byte[][] options = [[], [0xFF, 5, 1, 2, 0, 0, 0, 0, 0, 0, 0, 9], [1, 2, 3, 0], [1, 2, 0x81, 0],
            [1, 2, 3, 1, 9, 9, 9, 9, 1, 2, 4, 0], [1, 2, 3, 31]];
        return Mixed(10, (random, i) =>
        {
            var inner = From(50, 51).IPv4(Host(50), Host(51), trafficClass: (byte)random.Next(4)).Udp(1, 2)
                .Payload(Bytes(random, random.Next(1, i % 6 == 0 ? 1470 : 700))).ToArray();
            if (i % 2 == 0) return (0, inner.Length < 60 ? [.. inner, .. new byte[60 - inner.Length]] : inner);
            var option = options[random.Next(options.Length)];
            if (inner.Length > 1400) inner = inner[..1400];
            byte[] geneve =
            [
                (byte)(option.Length / 4), (byte)(option.Length > 2 && option[2] > 0x7F ? 0x40 : 0), 0x65, 0x58,
                0, 0x12, (byte)(i % 15 == 1 ? 0x68 : 0x67), 0, .. option, .. inner,
            ];
            return (1, Packet.Ethernet(PeerMac, Own).IPv4(Peer, Address, trafficClass: (byte)(i % 4 == 1 ? 3 : 2))
                .Udp(50000, 6081, checksum: i % 3 == 0 ? null : 0).Payload(geneve).PaddedTo(60));
        });
    }

    public static IEnumerable<(int, byte[])> Tags() => Mixed(11, (random, i) =>
    {
        var payload = Bytes(random, random.Next(1, 1400));
        var (a, b) = (random.Next(40, 50), random.Next(50, 60));
        Packet Rest(Packet packet) => packet.IPv4(Host(a), Host(b)).Udp(1, 2).Payload(payload).PaddedTo(60);
        return (i % 4) switch
        {
            0 => (random.Next(1, 4), Rest(From(a, b))),
            1 => (random.Next(1, 4), Rest(From(a, b).Vlan((ushort)random.Next(0, 20), (byte)random.Next(8)))),
            2 => (0, Rest(From(a, b).Vlan((ushort)random.Next(101, 105), 2, tagType: 0x88A8)
                .Vlan((ushort)random.Next(1, 4), 2))),
            _ => (0, Rest(From(a, b).Vlan((ushort)random.Next(101, 104), tagType: 0x88A8))),
        };
    });

    public static IEnumerable<(int, byte[])> Opens()
    {
        byte[][] options = [[], [2, 4, 5, 0xB4], [2, 4, 5, 0xB4, 4, 2, 8, 10, 0, 0, 0, 1, 0, 0, 0, 0, 1, 3, 3, 7],
            [254, 8, 0, 80, 1, 2, 3, 4, 2, 4, 5, 0xB4], [2, 4, 5, 0xB4, 8, 40],
            [5, 34, .. new byte[32], 2, 4, 5, 0xB4]];
        return Mixed(12, (random, i) =>
        {
            var client = random.Next(40, 60);
            var to = From(client, 20).IPv4(Host(client), Host(20), options: i % 9 == 0 ? [1, 1, 1, 1] : null);
            return (i % 4) switch
            {
                0 => (0, to.Tcp((ushort)(4000 + i), 443, (uint)i, 1, Packet.Ack)
                    .Payload(Bytes(random, random.Next(1400)))
                    .PaddedTo(60)),
                1 when i % 8 == 1 => (1, From(20, client).IPv4(Host(20), Host(client))
                    .Tcp(443, (ushort)(4000 + i), 9, 1, Packet.Syn | Packet.Ack, options: options[2]).PaddedTo(60)),
                _ => (0, to.Tcp(
                    (ushort)(4000 + i), 443, (uint)i, 0, Packet.Syn, options: options[random.Next(options.Length)],
                    checksum: i % 14 == 3 ? (ushort)1 : null).PaddedTo(60)),
            };
        });
    }

    public static IEnumerable<(int, byte[])> Rates() => Mixed(13, (random, i) =>
        (i & 1, UdpOf(random.Next(4) == 0 ? 41 : 40, 50, 5000, Bytes(random, random.Next(20, 1400)))), 150);

    public static IEnumerable<(int, byte[])> Talk() => Mixed(14, (random, i) =>
    {
        var source = 40 + (int)(random.NextDouble() * random.NextDouble() * 16);
        var payload = Bytes(random, random.Next(1, 1400));
        return (random.Next(4), i % 5 == 0
            ? From(source, 50).Vlan(10).IPv4(Host(source), Host(50)).Udp(1, 2).Payload(payload).PaddedTo(60)
            : UdpOf(source, 50, 5000, payload));
    }, 150);

    public static IEnumerable<(int, byte[])> Vectors()
    {
        var random = new Random(15);
        for (var round = 0; round < 7; round++)
        {
            for (var slot = 0; slot < 4; slot++)
            {
                for (var worker = 0; worker < 4; worker++)
                {
                    byte[] payload = [0, (byte)slot, (byte)(round & 1), (byte)worker, .. new byte[64]];
                    for (var i = 0; i < 16; i++)
                        BinaryPrimitives.WriteInt32BigEndian(payload.AsSpan(4 + 4 * i), random.Next(-100, 100));
                    byte[] frame = Packet.Ethernet(Mac(40 + worker), Own).IPv4(Host(40 + worker), Address)
                        .Udp(48879, 48879).Payload(payload);
                    yield return (worker, frame);
                    if (random.Next(8) == 0) yield return (worker, frame); // sent again
                    if (random.Next(12) == 0) yield return (worker, Noise(random));
                }
            }
        }
    }
}
