using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

/// <summary>Traffic of services of which each has its own, a few percent of it odd.</summary>
internal static class OperatorTraffic
{
    public static readonly MacAddress Own = MacAddress.Parse("02:00:00:00:00:01");
    public static readonly MacAddress PeerMac = MacAddress.Parse("02:00:00:00:00:02");
    public static readonly MacAddress CollectorMac = MacAddress.Parse("02:00:00:00:00:0c");
    public static readonly IPv4Address Address = IPv4Address.Parse("10.0.0.1");
    public static readonly IPv4Address Peer = IPv4Address.Parse("10.0.0.2");
    public static readonly IPv4Address Collector = IPv4Address.Parse("10.0.0.12");
    public static readonly string[] BierNeighbors =
        ["2,3,4=1=02:00:00:00:00:11", "5,6=2=02:00:00:00:00:12", "7,8,9,10=2=02:00:00:00:00:13"];
    public static readonly IPv4Address[] PimAddresses = [IP("10.1.0.1"), IP("10.2.0.1"), IP("10.3.0.1")];
    public static readonly string[] DeviceTypes =
    [
        "urn:schemas-upnp-org:device:InternetGatewayDevice:2", "urn:schemas-upnp-org:service:WANIPConnection:2",
    ];

    public const string DeviceName = "uuid:2fac1234-31f8-11b4-a222-08002b34c003";

    public static MacAddress Mac(int number) => new(0x0200_0000_0000UL | (uint)number);

    public static IPv4Address Host(int number) => new(0x0A00_0000u | (uint)number);

    public static byte[] Bytes(Random random, int count)
    {
        var bytes = new byte[count];
        random.NextBytes(bytes);
        return bytes;
    }

    public static Packet From(int source, int destination) =>
        Packet.Ethernet(Mac(source), Mac(destination)).IPv4(Host(source), Host(destination));

    public static byte[] UdpOf(int source, int destination, int port, byte[] payload) =>
        From(source, destination).Udp((ushort)(30000 + source), (ushort)port).Payload(payload).PaddedTo(60);

    /// <summary>Log messages in JSON, as applications send them; a few compressed, broken or much too deep.</summary>
    public static (int, byte[]) Json(int i, Random random)
    {
        if (i % 10 == 9) return (i % 2, Background(i));
        var fields = string.Concat(Enumerable.Range(0, random.Next(1, 8)).Select(
            k => $",\"_field{k}\":{random.Next(3) switch
            {
                0 => $"{random.Next(100000)}.{k}e-3",
                1 => $"\"value \\\"{k}\\\" \\u00e9 [{random.Next(1000)}]\"",
                _ => $"{{\"user\": {{\"id\": {random.Next(1000)}, \"tags\": [\"a\", \"b{k}\", null, true]}}}}",
            }}"));
        var text = $"{{\"version\":\"1.1\",\"host\":\"web{random.Next(40)}.example.org\",\"short_message\":\""
            + $"GET /item/{random.Next(100000)} took {random.Next(900)} ms\",\"level\":{random.Next(8)}{fields}}}";
        byte[] message = (i % 40) switch
        {
            7 => [0x1F, 0x8B, .. Bytes(random, random.Next(80, 400))],
            14 => [0x1E, 0x0F, .. Bytes(random, random.Next(200, 1300))],
            21 => Text(text[..^1]),
            28 => Text(text[..^1] + ",\"deep\":" + new string('[', 30) + new string(']', 30) + "}"),
            35 => Text(text.Replace("]}", "}]", StringComparison.Ordinal)),
            _ => Text(text),
        };
        return (i % 2, UdpOf(random.Next(40, 60), 20, 12201, message));
    }

    /// <summary>Log messages of a shop, of which some have the number of a card, and most only other numbers.</summary>
    public static (int, byte[]) Cards(int i, Random random)
    {
        if (i % 10 == 9) return (i % 2, Background(i));
        string[] cards =
            ["4111111111111111", "5500 0000 0000 0004", "3400-000000-00009", "6011000990139424", "4222222222222"];
        var details = random.Next(8) switch
        {
            0 => $"order {random.Next(1_000_000_000)} paid, card {cards[random.Next(cards.Length)]}, amount 19.90",
            1 => $"card {cards[random.Next(cards.Length)]} refused, {cards[random.Next(cards.Length)]} accepted",
            2 or 3 or 4 => $"tracking 00340434{random.NextInt64(1_000_000_000_000):000000000000} sent, "
                + "phone +49 351 463 38304",
            _ => $"session {random.NextInt64():x16} item {random.Next(10000)} qty {random.Next(10)}",
        };
        var text = $"<134>1 2026-11-28T16:{random.Next(60):00}:{random.Next(60):00}.{random.Next(1000):000}Z "
            + $"shop{random.Next(9)} checkout {random.Next(30000)} ID{random.Next(100)} - {details}"
            + new string('.', random.Next(4) == 0 ? random.Next(600) : 0);
        var source = random.Next(40, 60);
        return (i % 2, From(source, 20)
            .Udp((ushort)(30000 + source), 514, checksum: i % 50 == 17 ? (ushort)0x1234 : i % 9 == 0 ? 0 : null)
            .Payload(text).PaddedTo(60));
    }

    private static byte[] WithFletcher(byte[] state, int error)
    {
        // RFC 905 annex B: the two bytes that bring both sums to 0.
        var (c0, c1, length, place) = (0, 0, state.Length - 12, 24 - 12);
        for (var i = 12; i < state.Length; i++)
        {
            c0 = (c0 + state[i]) % 255;
            c1 = (c1 + c0) % 255;
        }
        var x = ((length - place - 1) * c0 - c1) % 255;
        if (x <= 0) x += 255;
        var y = 510 - c0 - x;
        if (y > 255) y -= 255;
        (state[24], state[25]) = ((byte)x, (byte)(y + error));
        return state;
    }

    private static byte[] Isis(int i, Random random)
    {
        byte[] authentication = i % 30 == 11 ? [] : [10, 17, 54, .. Bytes(random, 16)];
        byte[] id = [0, 0, 0, 0, 0, (byte)random.Next(1, 9)];
        byte[] fields = [.. authentication, 1, 4, 3, 0x49, 0, 1, 129, 2, 0xCC, 0x8E, 132, 4, 10, 0, 0, id[5]];
        if (i % 3 == 0)
        {
            byte[] hello = [.. fields, 6, 6, 2, 0, 0, 0, 0, 9];
            for (var padding = 0; padding < 5; padding++) hello = [.. hello, 8, 250, .. new byte[250]];
            return
            [
                0x83, 27, 1, 0, 15, 1, 0, 0, 1, .. id, 0, 30, .. U16(27 + hello.Length), 64, .. id, 1, .. hello,
            ];
        }
        if (i % 3 == 1)
        {
            var entries = random.Next(1, 15);
            byte[] list = [9, (byte)(16 * entries), .. Bytes(random, 16 * entries)];
            return
            [
                0x83, 33, 1, 0, 24, 1, 0, 0, .. U16(33 + authentication.Length + list.Length), .. id, 0,
                0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255, .. authentication, .. list,
            ];
        }
        byte[] reach = [];
        for (var k = random.Next(1, 5); k > 0; k--)
        {
            var length = random.Next(1, 20) * 11;
            reach = [.. reach, 22, (byte)length, .. Bytes(random, length)];
        }
        if (i % 40 == 5) reach = [.. reach, 22, 99, 1];
        return WithFletcher(
            [
                0x83, 27, 1, 0, 18, 1, 0, 0, .. U16(27 + fields.Length + reach.Length), 0x04, 0xB0, .. id, 0, 0,
                .. U32((uint)i + 1), 0, 0, 1, .. fields, .. reach,
            ], i % 40 == 2 ? 1 : 0);
    }

    /// <summary>Hellos, lists and link states of IS-IS among other traffic; some at a port of a customer.</summary>
    public static (int, byte[]) Isis10589(int i, Random random)
    {
        if (i % 5 == 4) return (i % 4, Background(i));
        byte[] message = [0xFE, 0xFE, 3, .. Isis(i, random)];
        return (i % 20 == 6 ? 3 : i % 2, Packet.Ethernet(
            Mac(20 + i % 4), MacAddress.Parse("01:80:c2:00:00:14"), (ushort)message.Length).Payload(message)
            .PaddedTo(60));
    }

    /// <summary>Multicast in BIER for a few routers, mostly; some for this one, some with errors.</summary>
    public static (int, byte[]) Bier(int i, Random random)
    {
        if (i % 20 == 19) return (0, Background(i));
        var bits = 0ul;
        for (var k = random.Next(1, 5); k > 0; k--) bits |= 1ul << random.Next(i % 4 == 0 ? 0 : 1, 10);
        if (i % 25 == 3) bits |= 1ul << 40;
        byte[] inner = i % 3 == 0
            ? Packet.Bare.IPv6(IP6("2001:db8::1"), IP6("ff3e::1234")).Udp(5000, 5000)
                .Payload(Bytes(random, random.Next(100, 1200)))
            : Packet.Bare.IPv4(Host(30), IP("232.1.1.7")).Udp(5000, 5000)
                .Payload(Bytes(random, random.Next(10, 1316)));
        var protocol = i % 30 == 8 ? 5 : i % 3 == 0 ? 6 : 4;
        byte[] header =
        [
            .. U32((i % 33 == 10 ? 9u : 7u) << 12 | 0x100 | (i % 40 == 12 ? 1u : 63u)), 0x50,
            (byte)(i % 50 == 21 ? 0x20 : 0x10), .. U16(random.Next(65536)), 0, (byte)protocol, 0, 11, .. U64(bits),
        ];
        return (0, Packet.Ethernet(Mac(0x10), Own, 0xAB37).Payload([.. header, .. inner]).PaddedTo(60));
    }

    /// <summary>All that passes between two networks, tagged or not.</summary>
    public static (int, byte[]) Passing(int i, Random random)
    {
        var (a, b) = (random.Next(40, 60), random.Next(60, 80));
        var payload = Bytes(random, random.Next(3) == 0 ? random.Next(1, 40) : random.Next(200, 1400));
        var link = Packet.Ethernet(Mac(a), Mac(b));
        if (i % 4 == 1) link = link.Vlan(100, 3);
        if (i % 12 == 1) link = Packet.Ethernet(Mac(a), Mac(b)).Vlan(7, tagType: 0x88A8).Vlan(100);
        return (i % 2, (i % 6) switch
        {
            0 or 1 => link.IPv4(Host(a), Host(b), identification: (ushort)i, dontFragment: true)
                .Tcp((ushort)(4000 + a), 443, (uint)i * 1400, 1, Packet.Ack).Payload(payload).PaddedTo(64),
            2 => link.IPv4(Host(a), Host(b), identification: (ushort)i).Udp((ushort)(5000 + a), 53)
                .Payload(payload[..Math.Min(40, payload.Length)]).PaddedTo(64),
            3 => link.IPv6(IP6($"fd00::{a:x}"), IP6($"fd00::{b:x}"), flowLabel: (uint)random.Next(1 << 20))
                .Tcp((ushort)(4000 + a), 443, (uint)i * 1400, 1, Packet.Ack).Payload(payload).PaddedTo(64),
            4 when i % 24 == 4 => link.IPv4(Host(a), Host(b), protocol: 50).Payload(1, 2, 3).PaddedTo(64),
            4 => link.IPv4(Host(a), Host(b), identification: (ushort)i).IcmpEchoRequest(1, (ushort)i)
                .Payload(payload[..Math.Min(56, payload.Length)]).PaddedTo(64),
            _ => i % 18 == 5 ? Background(0) : link.IPv4(Host(a), Host(b), ttl: 17).Udp(9000, 9000).Payload(payload)
                .PaddedTo(64),
        });
    }

    /// <summary>Searches and announcements of a home's devices.</summary>
    public static (int, byte[]) Ssdp(int i, Random random)
    {
        if (i % 10 == 9) return (i % 4, Background(i));
        var client = random.Next(40, 60);
        var link = Packet.Ethernet(Mac(client), MacAddress.Parse("01:00:5e:7f:ff:fa"))
            .IPv4(Host(client), IP("239.255.255.250"), ttl: 2);
        if (i % 5 == 2)
            return (i % 4, link.Udp(1900, 1900).Payload(
                "NOTIFY * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nCACHE-CONTROL: max-age=1800\r\n"
                + $"LOCATION: http://10.0.0.{client}/d.xml\r\nNT: upnp:rootdevice\r\nNTS: ssdp:alive\r\n"
                + $"SERVER: Printer/2.0 UPnP/1.0\r\nUSN: uuid:{client}::upnp:rootdevice\r\n\r\n"));
        var target = (i % 8) switch
        {
            0 => "ssdp:all",
            1 or 4 => "upnp:rootdevice",
            3 => DeviceTypes[0],
            5 => "urn:dial-multiscreen-org:service:dial:1",
            6 => DeviceName,
            _ => "urn:schemas-upnp-org:device:MediaRenderer:1",
        };
        var text = "M-SEARCH * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\n"
            + $"Man: \"ssdp:{(i % 30 == 3 ? "x" : "discover")}\"\r\nMX: {1 + i % 4}\r\nST: {target}\r\n"
            + $"USER-AGENT: Linux/6.1 UPnP/2.0 probe/{i}\r\n"
            + (i % 40 == 6 ? "" : "\r\n");
        return (i % 4, i % 15 == 1
            ? Packet.Ethernet(Mac(client), Own).IPv4(Host(client), Address).Udp((ushort)(50000 + i), 1900).Payload(text)
            : link.Udp((ushort)(50000 + i), 1900).Payload(text));
    }

    private static byte[] Pim(int router, int holdTime, uint generation, int error = 0)
    {
        byte[] message =
        [
            0x20, 0, 0, 0, .. (byte[])[0, 1, 0, 2], .. U16(holdTime), 0, 2, 0, 4, 1, 0xF4, 9, 0xC4, 0, 19, 0, 4, 0, 0,
            0, 1, 0, 20, 0, 4, .. U32(generation),
        ];
        var sum = InternetChecksum.Compute(message) + error;
        (message[2], message[3]) = ((byte)(sum >> 8), (byte)sum);
        return Packet.Ethernet(Mac(router), MacAddress.Parse("01:00:5e:00:00:0d"))
            .IPv4(IP($"10.{router / 10}.0.{router}"), IP("224.0.0.13"), ttl: 1, protocol: 103).Payload(message)
            .PaddedTo(60);
    }

    /// <summary>Streams to groups, unicasts, and every now and then a Hello.</summary>
    public static (int, byte[]) Groups(int i, Random random)
    {
        if (i % 8 == 0)
        {
            var port = i / 8 % 3;
            return (port, Pim(10 * (port + 1) + random.Next(2, 5), i % 64 == 40 ? 0 : 105,
                i % 72 == 48 ? 77u : 5u, i % 96 == 56 ? 1 : 0));
        }
        return (i % 4, (i % 5) switch
        {
            0 => Background(i),
            1 => UdpOf(random.Next(40, 60), random.Next(60, 80), 5000, Bytes(random, random.Next(1, 1400))),
            _ => Packet.Ethernet(Mac(30), MacAddress.Parse("01:00:5e:01:01:07"))
                .IPv4(Host(30), IP($"239.1.1.{random.Next(9)}"), ttl: 16).Udp(5004, 5004)
                .Payload(Bytes(random, random.Next(188, 1317))),
        });
    }

    /// <summary>ESP in UDP of some hosts, both ways, with IKE and keep-alives in between.</summary>
    public static (int, byte[]) Ipsec(int i, Random random)
    {
        if (i % 10 == 9) return (i % 2, Background(i));
        var host = random.Next(40, 52);
        byte[] payload = (i % 25) switch
        {
            3 => [0xFF],
            7 => [0, 0, 0, 0, .. Bytes(random, random.Next(80, 400))],
            12 => [1, 2],
            _ => [.. U32((uint)host * 1000), .. U32((uint)i), .. Bytes(random, random.Next(5, 85) * 16)],
        };
        return i % 3 == 0
            ? (1, Packet.Ethernet(PeerMac, Mac(host)).IPv4(IP("198.51.100.9"), Host(host)).Udp(4500, 4500)
                .Payload(payload).PaddedTo(60))
            : (0, Packet.Ethernet(Mac(host), PeerMac).IPv4(Host(host), IP("198.51.100.9")).Udp(4500, 4500, checksum: 0)
                .Payload(payload).PaddedTo(60));
    }

    /// <summary>Frames as hubs see them: some of all.</summary>
    public static (int, byte[]) Hub(int i, Random random) => (i % 4, (i % 20) switch
    {
        3 => Packet.Ethernet(Mac(40), MacAddress.Parse("01:80:c2:00:00:00"), 38).Payload(0x42, 0x42, 3).PaddedTo(60),
        13 when i % 40 == 13 => Packet.Ethernet(new MacAddress(0x0300_0000_0001), Mac(41)).Payload(1, 2).PaddedTo(60),
        7 or 17 => Background(i),
        8 => Packet.Ethernet(Mac(30), MacAddress.Parse("01:00:5e:01:01:07")).IPv4(Host(30), IP("239.1.1.7"))
            .Udp(5004, 5004).Payload(Bytes(random, 1316)),
        _ => UdpOf(random.Next(40, 60), random.Next(60, 80), 5000, Bytes(random, random.Next(1, 1400))),
    });

    private static byte[] Stack(int i, Random random)
    {
        byte[] labels = [];
        for (var k = random.Next(3); k > 0; k--)
            labels = [.. labels, .. U32((uint)random.Next(16, 1000) << 12 | 64)];
        return [.. labels, .. U32((uint)random.Next(16, 1000) << 12 | (i % 40 == 14 ? 0u : 0x100) | 64)];
    }

    /// <summary>Labelled and plain packets from the inside, and packets in UDP from the outside.</summary>
    public static (int, byte[]) Labels(int i, Random random)
    {
        if (i % 25 == 24) return (i % 2, Background(i));
        byte[] inner = Packet.Bare.IPv4(IP($"10.9.0.{random.Next(1, 200)}"),
                i % 31 == 4 ? IP("172.16.0.1") : IP($"10.{random.Next(1, 3)}.7.{random.Next(1, 200)}"),
                ttl: (byte)(i % 37 == 6 ? 1 : 60), trafficClass: (byte)random.Next(3))
            .Tcp(4000, 443, 1, 1, Packet.Ack)
            .Payload(Bytes(random, i % 32 == 5 ? 1440 : random.Next(3) == 0 ? 0 : random.Next(1380)));
        return (i % 4) switch
        {
            0 => (0, Packet.Ethernet(PeerMac, Own, 0x800).Payload(inner).PaddedTo(60)),
            1 => (0, Packet.Ethernet(PeerMac, Own, 0x8847).Payload([.. Stack(i, random), .. inner]).PaddedTo(60)),
            _ => (1, Packet.Ethernet(Mac(9), Own)
                .IPv4(i % 30 == 2 ? Host(77) : Peer, Address, trafficClass: (byte)(i % 10 == 3 ? 3 : 0))
                .Udp((ushort)(50000 + random.Next(9000)), 6635, checksum: i % 3 == 0 ? null : 0)
                .Payload([.. i % 4 == 2 ? Stack(i, random) : U32(0x140), .. inner]).PaddedTo(60)),
        };
    }

    private static byte[] InAir(int station, byte[] packet, int control, bool isQos) =>
    [
        (byte)(isQos ? 0x88 : 0x08), (byte)control, 0x2C, 0, .. Mac6(Mac(0x70)), .. Mac6(Mac(station)),
        .. Mac6(Mac(90)), 0x10, 0x20, .. isQos ? (byte[])[5, 0] : [], 0xAA, 0xAA, 3, 0, 0, 0, 8, 0, .. packet,
    ];

    private static byte[] Mac6(MacAddress mac) => U64(mac.Bits)[2..];

    /// <summary>Frames of stations in CAPWAP, and frames to them.</summary>
    public static (int, byte[]) Capwap(int i, Random random)
    {
        if (i % 25 == 24) return (i % 2, Background(i));
        var station = 40 + random.Next(12);
        byte[] packet = Packet.Bare.IPv4(Host(station), Host(90)).Udp(5000, 6000)
            .Payload(Bytes(random, random.Next(3) == 0 ? random.Next(40) : random.Next(1300)));
        if (i > 12 && i % 2 == 0)
            return (0, From(90, i % 30 == 26 ? 99 : station).Udp(6000, 5000).Payload(Bytes(random, random.Next(1380)))
                .PaddedTo(60));
        var isNative = i % 4 != 1;
        var isQos = random.Next(2) == 0;
        var keepAlive = i % 20 == 15 ? 8u : 0;
        byte[] wireless = i % 6 == 5 ? [4, 0xC0, 0, 0, 0, 0, 0, 0] : [];
        var flags = (isNative ? 0x100u : 0) | keepAlive | (i % 50 == 29 ? 0x80u : 0)
            | (wireless.Length > 0 ? 0x20u : 0);
        byte[] capwap =
        [
            .. U32((2u + (uint)wireless.Length / 4) << 19 | 1u << 14 | 1u << 9 | flags), 0, 0, 0, 0, .. wireless,
            .. keepAlive != 0 ? [0, 22, 0, 35, 0, 16, .. Bytes(random, 16)]
                : isNative ? InAir(station, packet, i % 33 == 10 ? 0x41 : 1, isQos)
                : Packet.Ethernet(Mac(station), Mac(90), 0x800).Payload(packet).ToArray(),
        ];
        if (i % 45 == 21) capwap = capwap[..30];
        return (1, Packet.Ethernet(Mac(0x70), Own).IPv4(Host(0x70), Address).Udp(40000, 5247, checksum: 0)
            .Payload(capwap).PaddedTo(60));
    }

    /// <summary>Hosts that come, ask for an address and keep it.</summary>
    public static (int, byte[]) Dhcp(int i, Random random)
    {
        if (i % 10 == 9) return (i % 4, Background(i));
        i -= i / 10;
        var host = i / 3 % 12;
        var lent = 100 + host; // the pool is lent in order
        byte[] options = (i % 3) switch
        {
            0 => [53, 1, (byte)(i is 60 ? 9 : 1), 12, 5, .. Text("host1"), 55, 6, 1, 3, 6, 15, 26, 51, 255],
            1 => [53, 1, 3, 50, 4, 10, 0, 0, (byte)lent, 54, 4, 10, 0, 0, (byte)(i % 30 == 10 ? 7 : 1), 255],
            _ => [53, 1, (byte)(i % 24 == 23 && i > 36 ? 7 : 3), 0, 0, 61, 7, 1, .. Mac6(Mac(0x200 + host)), 255],
        };
        if (i % 81 == 75) options = [53, 1, 1, 12, 200, 65];
        var isRenewal = i % 3 == 2;
        var mac = Mac(0x200 + host);
        byte[] message =
        [
            1, 1, 6, 0, .. U32((uint)random.Next()), 0, 0, 0, 0, .. isRenewal ? U32(0x0A000000u + (uint)lent) : U32(0),
            .. new byte[12], .. Mac6(mac), .. new byte[10 + 64 + 128], 0x63, 0x82, 0x53, 0x63, .. options,
        ];
        if (message.Length < 300) message = [.. message, .. new byte[300 - message.Length]];
        return (i % 4, isRenewal
            ? Packet.Ethernet(mac, Own).IPv4(IP($"10.0.0.{lent}"), Address).Udp(68, 67).Payload(message)
            : Packet.Ethernet(mac, MacAddress.Broadcast).IPv4(IP("0.0.0.0"), IP("255.255.255.255")).Udp(68, 67)
                .Payload(message));
    }

    /// <summary>Flows of which one is much faster than its share.</summary>
    public static (int, byte[]) Flows(int i, Random random)
    {
        if (i % 20 == 19) return (i % 2, Background(i));
        var source = random.Next(2) == 0 ? 40 : random.Next(41, 60);
        return (0, UdpOf(source, 90, 5000, Bytes(random, source == 40 ? 1400 : random.Next(20, 1200))));
    }

    /// <summary>Questions and, soon after, their answers.</summary>
    public static (int, byte[]) Names(int i, Random random)
    {
        if (i % 12 == 11) return (i % 2, Background(i));
        var number = i % 2 == 0 ? i : i - 1 - 2 * (i % 3); // answers come out of order
        var (client, server) = (40 + number % 12, 20 + number % 3);
        var name = $"host{number % 17}.{(number % 3 == 0 ? "cdn.example.com" : "example.net")}";
        if (i % 2 == 0)
            return (0, From(client, server).Udp((ushort)(20000 + number), 53)
                .Dns((ushort)number, name, flags: (ushort)(i % 60 == 22 ? 0x8100 : 0x100)).PaddedTo(60));
        return (1, From(server, client).Udp(53, (ushort)(20000 + (i % 50 == 17 ? 5 : number)))
            .Dns((ushort)number, name, flags: 0x8180, answers: 1)
            .Payload([0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, .. Bytes(random, 4), .. Bytes(random, i % 7 * 16)])
            .PaddedTo(60));
    }

    /// <summary>Connections to some servers, and a few segments that are none.</summary>
    public static (int, byte[]) Connections(int i, Random random)
    {
        if (i % 20 == 19) return (i % 2, Background(i));
        var (client, server) = (random.Next(100, 200), random.Next(20, 26));
        byte[] options = [2, 4, 5, 0xB4, 4, 2, 8, 10, 0, 0, 1, 2, 0, 0, 0, 0, 1, 3, 3, 7];
        byte[] timestamps = [1, 1, 8, 10, 0, 0, 1, 2, 0, 0, 3, 4];
        var (isIn, port) = (i % 10 < 6, (ushort)(4000 + i));
        var way = isIn ? From(client, server) : From(server, client);
        Packet Tcp(byte flags, byte[] list) =>
            isIn ? way.Tcp(port, 443, 1, 1, flags, options: list) : way.Tcp(443, port, 1, 1, flags, options: list);
        return (isIn ? 0 : 1, (i % 10) switch
        {
            0 => Tcp(Packet.Syn, options).PaddedTo(60),
            1 when i % 40 == 21 => Tcp(Packet.Syn | Packet.Fin, []).PaddedTo(60),
            6 => Tcp(Packet.Syn | Packet.Ack, options).PaddedTo(60),
            4 or 8 => Tcp(Packet.Fin | Packet.Ack, timestamps).PaddedTo(60),
            _ => Tcp(Packet.Ack, timestamps).Payload(Bytes(random, random.Next(3) == 0 ? 0 : random.Next(1400)))
                .PaddedTo(60),
        });
    }
}
