using Emu.Testing;
using static Emu.Compiler.Tests.OperatorTraffic;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

/// <summary>The traffic of each service: mostly what it is for, a few frames odd, broken or foreign.</summary>
internal static class CampusTraffic
{
    public static readonly IPv4Address VirtualAddress = IP("10.0.0.254");
    public static readonly byte[] TelnetOptions = [1, 3, 24, 31];
    public static readonly string[] Receivers =
    [
        "10.0.0.20=2055=1=02:00:00:00:00:14", "10.0.0.21=9995=1=02:00:00:00:00:15",
        "10.0.0.22=2055=4=02:00:00:00:00:16",
    ];
    public static readonly string[] Links =
        ["100=0=1,2=64=300", "101=0=1=128=200", "102=1=0,3=32=1200", "200=2=3=128=120", "201=3=0,1,2=4=1514"];

    private static T One<T>(Random random, params T[] items) => items[random.Next(items.Length)];

    public static (int Port, byte[] Bytes) Telnet(int i, Random random)
    {
        if (i % 10 == 9) return (i % 2, Background(i));
        var (client, isServer) = (random.Next(40, 50), i % 2 == 1);
        byte[] text = (i % 9) switch
        {
            0 => [255, 253, 24, 255, 253, 32, 255, 253, 35, 255, 253, 39],
            1 => [255, 251, 3, 255, 253, 1, 255, 253, 31, .. Text("\r\nlogin: ")],
            2 => [255, 251, 24, 255, 252, 32, 255, 252, 35, 255, 250, 31, 0, 80, 0, 24, 255, 240],
            3 => [255, 250, 24, 0, .. Text("xterm-256color"), 255, 240, .. Text("root\r\0")],
            4 => [255, 250, 39, 0, 0, .. Text("USER"), 1, .. Text("-froot"), 255, 240],
            5 => [.. Text("total 48\r\ndrwxr-xr-x  2 "), 255, 255, 255, 241, 255, 254, 37,
                .. Bytes(random, i * 9 % 700)],
            6 => [.. Text("Password: "), 255, 251],
            7 => [],
            _ => [.. Text(string.Concat(Enumerable.Range(0, random.Next(1, 30))
                .Select(k => $"eth{k}  10.0.{k}.1  up  {random.Next(100000)} packets\r\n")))],
        };
        var link = isServer ? From(20, client) : From(client, 20);
        return (i % 2, (isServer ? link.Tcp(23, (ushort)(4000 + client), (uint)i, 1, Packet.Ack | Packet.Psh)
            : link.Tcp((ushort)(4000 + client), 23, (uint)i, 1, Packet.Ack | Packet.Psh,
                options: i % 4 == 0 ? [1, 1, 8, 10, 0, 0, 1, 2, 0, 0, 3, 4] : [])).Payload(text).PaddedTo(60));
    }

    public static (int Port, byte[] Bytes) Web(int i, Random random)
    {
        if (i % 12 == 11) return (i % 4, Background(i));
        var client = random.Next(40, 60);
        if (i % 4 == 3)
            return (1, From(20, client).Tcp(80, (ushort)(40000 + client), 1, (uint)i, Packet.Ack)
                .Payload([.. Text("HTTP/1.1 200 OK\r\nSet-Cookie: SESSIONID=abc\r\n\r\n"),
                    .. Bytes(random, random.Next(1200))])
                .PaddedTo(60));
        if (i % 15 == 8)
            return (0, From(client, 20).Tcp((ushort)(40000 + client), 80, 1, 1, Packet.Ack).PaddedTo(60));
        var session = new Random(client).NextInt64().ToString("x16");
        var cookie = (i % 20) switch
        {
            4 => "",
            6 => "Cookie: XSESSIONID=zzz\r\n",
            12 => $"Cookie: SESSIONID={session}",
            14 => $"Cookie: theme=dark; lang=de; _ga=GA1.2.{random.Next()}\r\n",
            _ when i % 3 == 0 => $"Cookie: SESSIONID={session}\r\n",
            _ => $"Cookie: theme=dark; SESSIONID={session}; _ga=GA1.2.{random.Next()}\r\n",
        };
        var text = $"{One(random, "GET", "GET", "POST", "HEAD")} /item/{random.Next(10000)}?q={i} HTTP/1.1\r\n"
            + "Host: shop.example.org\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101\r\n"
            + $"Accept: text/html\r\n{cookie}" + (i % 20 == 12 ? "" : "Connection: keep-alive\r\n\r\n");
        return (0, From(client, 20).Tcp((ushort)(40000 + client), 80, (uint)i, 1, Packet.Ack | Packet.Psh,
            options: i % 2 == 0 ? [1, 1, 8, 10, 0, 0, 1, 2, 0, 0, 3, 4] : []).Payload(text).PaddedTo(60));
    }

    public static (int Port, byte[] Bytes) Queries(int i, Random random)
    {
        if (i % 12 == 11) return (i % 4, Background(i));
        const string Alphabet = "abcdefghijklmnopqrstuvwxyz234567";
        string Code(int length) =>
            string.Concat(Enumerable.Range(0, length).Select(_ => Alphabet[random.Next(Alphabet.Length)]));
        var client = i % 5 == 2 ? 66 : random.Next(40, 60);
        if (i % 8 == 5)
            return (1, From(53, client).Udp(53, (ushort)(20000 + i)).Dns((ushort)i, "www.example.org", flags: 0x8180)
                .PaddedTo(60));
        var name = i % 5 == 2 ? $"{Code(50)}.{Code(random.Next(20, 60))}.t.example.net"
            : i % 25 == 8 ? $"{Code(32)}.cdn.example.com"
            : $"{One(random, "www", "mail", "api", "static-assets", "a1b2")}."
                + One(random, "example", "wikipedia", "debian")
                + $".{One(random, "org", "com", "co.uk")}";
        if (i % 30 == 16)
            return (0, From(client, 53).Udp((ushort)(20000 + i), 53)
                .Payload([.. U16(i), 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, .. Text("www"), 0xC0, 12, 0, 1, 0, 1])
                    .PaddedTo(60));
        if (i % 30 == 24)
            return (0, From(client, 53).Udp((ushort)(20000 + i), 53)
                .Payload([.. U16(i), 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 40, .. Text("short")]).PaddedTo(60));
        return (0, From(client, 53).Udp((ushort)(20000 + i), 53)
            .Dns((ushort)i, name, type: One<ushort>(random, 1, 28, 16))
            .PaddedTo(60));
    }

    public static (int Port, byte[] Bytes) Amt(int i, Random random)
    {
        if (i % 16 == 15) return (i % 4, Background(i));
        var gateway = 40 + i / 4 % 5;
        var port = (ushort)(30000 + gateway);
        var nonce = (uint)gateway * 77777;
        var toRelay = Packet.Ethernet(PeerMac, Own).IPv4(Host(gateway), Address).Udp(port, 2268);
        var group = IP($"232.1.1.{gateway % 2 + 7}");
        switch (i < 24 ? i % 4 : i % 8)
        {
            case 0:
                return (1, toRelay.Payload([1, 0, 0, 0, .. U32(nonce)]).PaddedTo(60));
            case 1:
                return (1, toRelay.Payload([3, 0, 0, 0, .. U32(nonce)]).PaddedTo(60));
            case 2:
                var mac = new MacAddress(SipHash.Of(1, (ulong)Host(gateway).Bits << 16 | port, nonce)).Bits;
                if (i % 32 == 10) mac ^= 1;
                byte[] report =
                [
                    0x22, 0, 0, 0, 0, 0, 0, 1, (byte)(i % 48 == 34 ? 3 : 4), 0, 0, 0, .. U32(group.Bits),
                ];
                var sum = InternetChecksum.Compute(report);
                (report[2], report[3]) = ((byte)(sum >> 8), (byte)sum);
                byte[] packet = Packet.Bare.IPv4(IP("0.0.0.0"), IP("224.0.0.22"), ttl: 1, protocol: 2,
                    options: [0x94, 4, 0, 0]).Payload(report);
                return (1, toRelay.Payload([5, 0, .. U64(mac)[2..], .. U32(nonce), .. packet]).PaddedTo(60));
            default:
                var length = i % 37 == 7 ? 1470 : random.Next(3) == 0 ? random.Next(10, 100) : 1316;
                return (0, Packet.Ethernet(Mac(30), MacAddress.Parse("01:00:5e:01:01:07"))
                    .IPv4(Host(30), IP($"232.1.1.{random.Next(7, 10)}"), ttl: 16).Udp(5004, 5004)
                    .Payload(Bytes(random, length)).PaddedTo(60));
        }
    }

    public static (int Port, byte[] Bytes) Wire(int i, Random random)
    {
        if (i % 10 == 9) return (i % 4, Background(i));
        var (a, b) = (random.Next(40, 60), random.Next(60, 80));
        var payload = Bytes(random, random.Next(3) == 0 ? random.Next(0, 40) : random.Next(100, 1440));
        var link = i % 5 == 1 ? Packet.Ethernet(Mac(a), Mac(b)).Vlan(100) : Packet.Ethernet(Mac(a), Mac(b));
        return (i % 2, i % 3 == 0
            ? link.IPv6(IP6($"fd00::{a:x}"), IP6($"fd00::{b:x}")).Udp(5000, 443).Payload(payload).PaddedTo(60)
            : link.IPv4(Host(a), Host(b), identification: (ushort)i)
                .Tcp((ushort)(4000 + a), 443, (uint)i, 1, Packet.Ack)
                .Payload(payload).PaddedTo(60));
    }

    public static (int Port, byte[] Bytes) NetFlow(int i, Random random)
    {
        if (i % 14 == 13) return (i % 3, Background(i));
        var exporter = random.Next(40, 46);
        if (i % 25 == 3)
            return (i % 3, Packet.Ethernet(Mac(exporter), MacAddress.Broadcast)
                .ArpRequest(Mac(exporter), Host(exporter), Address).PaddedTo(60));
        var records = random.Next(1, 31);
        byte[] export =
        [
            0, 5, .. U16(records), .. U32((uint)i * 1000), .. U32(1_700_000_000), .. U32(0), .. U32((uint)i), 0, 0,
                0, 0,
            .. Bytes(random, records * 48),
        ];
        if (i % 20 == 7) export = export[..10];
        return (i % 3, Packet.Ethernet(Mac(exporter), Own)
            .IPv4(Host(exporter), i % 30 == 11 ? Peer : Address, ttl: (byte)(i % 40 == 12 ? 1 : 60),
                checksum: i % 33 == 14 ? 0x1234 : null)
            .Udp(50000, (ushort)(i % 18 == 5 ? 6343 : 2055), checksum: i % 3 == 0 ? 0 : null).Payload(export)
                .PaddedTo(60));
    }

    private static byte[] Tlv(int type, params byte[] value) => [.. U16(type), .. U16(4 + value.Length), .. value];

    public static (int Port, byte[] Bytes) Udld(int i, Random random)
    {
        var port = i % 4;
        if (i % 3 != 0 || (port == 3 && i > 20))
            return (port, i % 7 == 1 ? Background(i)
                : From(random.Next(40, 60), random.Next(60, 80)).Udp(5000, 6000)
                    .Payload(Bytes(random, random.Next(1300)))
                    .PaddedTo(60));
        var device = Text($"FOC1234X{port:000}");
        var name = Text($"GigabitEthernet0/{port + 1}");
        byte[] Pair(byte[] id, byte[] portName) => [.. U16(id.Length), .. id, .. U16(portName.Length), .. portName];
        byte[] echo = port == 2 && i is > 20 and < 60 ? [.. U32(1), .. Pair(Text("FOC9999Z999"), Text("Gi0/9"))]
            : i % 24 == 9 ? [.. U32(0)]
            : [.. U32(1), .. Pair(Text("EMU00000001"), [(byte)('0' + port)])];
        var hasBadLength = i % 45 == 30;
        byte[] pdu =
        [
            (byte)(0x20 | (i % 60 == 51 ? 3 : i % 6 == 0 ? 1 : 2)), 1, 0, 0, .. Tlv(1, device), .. Tlv(2, name),
            .. Tlv(3, echo), .. Tlv(4, 1), .. Tlv(5, 5), .. Tlv(6, Text($"switch{port}")), .. Tlv(7, U32((uint)i)),
        ];
        if (hasBadLength) pdu[6] = 9;
        var sum = InternetChecksum.Compute(pdu) + (i % 50 == 27 ? 1 : 0);
        (pdu[2], pdu[3]) = ((byte)(sum >> 8), (byte)sum);
        return (port, Packet.Ethernet(Mac(0x100 + port), MacAddress.Parse("01:00:0c:cc:cc:cc"),
            (ushort)(8 + pdu.Length))
            .Payload([0xAA, 0xAA, 3, 0, 0, 0x0C, 1, 0x11, .. pdu]).PaddedTo(60));
    }

    public static (int Port, byte[] Bytes) Hub(int i, Random random) => (i < 30 ? i % 2 : i % 4, (i % 6) switch
    {
        5 => Background(i),
        4 => Packet.Ethernet(Mac(30), MacAddress.Parse("01:00:5e:01:01:07")).IPv4(Host(30), IP("239.1.1.7"))
            .Udp(5004, 5004).Payload(Bytes(random, 1316)),
        _ => From(random.Next(40, 60), random.Next(60, 80)).Udp(5000, 6000)
            .Payload(Bytes(random, random.Next(2) == 0 ? random.Next(1400) : 20)).PaddedTo(60),
    });

    public static (int Port, byte[] Bytes) Hsrp(int i, Random random)
    {
        if (i % 10 == 9) return (i % 2, Background(i));
        if (i % 4 == 3)
            return (0, Packet.Ethernet(Mac(50), MacAddress.Broadcast)
                .ArpRequest(Mac(50), Host(50), i % 8 == 3 ? VirtualAddress : Peer).PaddedTo(60));
        if (i % 4 == 1)
            return (0, Packet.Ethernet(Mac(50), MacAddress.Parse("00:00:0c:07:ac:05"))
                .IPv4(Host(50), IP("198.51.100.7"), ttl: (byte)(i % 20 == 1 ? 1 : 64))
                    .Tcp(5000, 443, (uint)i, 1, Packet.Ack)
                .Payload(Bytes(random, random.Next(1400))).PaddedTo(60));
        if (i % 8 == 2)
            return (1, Packet.Ethernet(PeerMac, Mac(50)).IPv4(IP("198.51.100.7"), Host(50))
                .Tcp(443, 5000, (uint)i, 1, Packet.Ack).Payload(Bytes(random, random.Next(1400))).PaddedTo(60));
        // The other router is active, is silent for a while, comes back as standby, and in the end takes over.
        if (i is > 24 and < 60)
            return (0, From(random.Next(40, 60), random.Next(60, 80)).Udp(5000, 6000).Payload(Bytes(random, 60)));
        byte operation = (byte)(i == 84 ? 1 : 0);
        byte state = (byte)(i < 25 ? 16 : i < 80 ? 8 : 16);
        byte[] message =
        [
            0, operation, state, 1, 1, (byte)(i < 80 ? 90 : 120), (byte)(i % 40 == 24 ? 9 : 5), 0,
            .. Text(i % 40 == 30 ? "secret" : "cisco"), .. new byte[i % 40 == 30 ? 2 : 3], .. U32(VirtualAddress.Bits),
        ];
        return (0, Packet.Ethernet(MacAddress.Parse("00:00:0c:07:ac:05"), MacAddress.Parse("01:00:5e:00:00:02"))
            .IPv4(Host(3), IP("224.0.0.2"), ttl: 1, trafficClass: 0xC0).Udp(1985, 1985).Payload(message).PaddedTo(60));
    }

    public static (int Port, byte[] Bytes) Nvgre(int i, Random random)
    {
        if (i % 14 == 13) return (i % 2, Background(i));
        var (local, remote) = (random.Next(40, 46), random.Next(60, 66));
        var payload = Bytes(random, random.Next(3) == 0 ? random.Next(0, 40) : random.Next(100, 1380));
        if (i % 2 == 0)
        {
            var vlan = (ushort)(i % 30 == 8 ? 0 : random.Next(10, 13));
            if (i % 32 == 6) payload = Bytes(random, 1460);
            var link = Packet.Ethernet(Mac(local), i % 12 == 4 ? MacAddress.Broadcast : Mac(remote))
                .Vlan(vlan, (byte)(i % 8));
            return (0, (i % 3) switch
            {
                0 when i % 12 == 0 => link.ArpRequest(Mac(local), Host(local), Host(remote)).PaddedTo(60),
                0 => link.IPv4(Host(local), Host(remote)).Udp((ushort)(5000 + local), 53).Payload(payload).PaddedTo(60),
                1 => link.IPv4(Host(local), Host(remote)).Tcp((ushort)(5000 + local), 443, (uint)i, 1, Packet.Ack)
                    .Payload(payload[..Math.Min(payload.Length, 1440)]).PaddedTo(60),
                _ => link.IPv6(IP6($"fd00::{local:x}"), IP6($"fd00::{remote:x}")).Udp(5000, 443)
                    .Payload(payload[..Math.Min(payload.Length, 1440)]).PaddedTo(60),
            });
        }
        byte[] inner = Packet.Ethernet(Mac(remote), Mac(local)).IPv4(Host(remote), Host(local))
            .Tcp(443, (ushort)(5000 + local), (uint)i, 1, Packet.Ack).Payload(payload).PaddedTo(60);
        if (i % 35 == 17) inner = inner[..8];
        var subnet = (uint)(i % 40 == 21 ? 5 : 0x10000 + random.Next(10, 13));
        return (1, Packet.Ethernet(PeerMac, Own)
            .IPv4(IP($"192.0.2.{random.Next(2, 5)}"), i % 45 == 33 ? Peer : Address, trafficClass: (byte)(i % 8 << 5))
            .Gre(key: i % 25 == 5 ? null : subnet << 8 | (uint)random.Next(256), hasChecksum: i % 31 == 3, type: 0x6558)
            .Payload(inner).PaddedTo(60));
    }

    public static (int Port, byte[] Bytes) Cipso(int i, Random random)
    {
        if (i % 14 == 13) return (i % 2, Background(i));
        var payload = Bytes(random, random.Next(3) == 0 ? random.Next(0, 40) : random.Next(100, 1400));
        byte[] options = (i % 20) switch
        {
            2 => [148, 4, 0, 0],
            4 => [7, 39, 4, .. new byte[36]],
            6 => [134, 10, .. U32(16), 1, 4, 0, 1],
            _ => [],
        };
        if (i % 2 == 0)
        {
            if (i % 32 == 12) payload = Bytes(random, 1470);
            var link = Packet.Ethernet(Mac(40), Mac(60))
                .IPv4(Host(40), Host(60), identification: (ushort)i, options: options);
            return (0, i % 3 == 0 ? link.Udp(5000, 6000).Payload(payload).PaddedTo(60)
                : link.Tcp(5000, 22, (uint)i, 1, Packet.Ack).Payload(payload[..Math.Min(1400, payload.Length)])
                    .PaddedTo(60));
        }
        byte[] label = (i % 18) switch
        {
            1 => [134, 12, .. U32(16), 1, 6, 0, 2, 0x80, 0],
            3 => [148, 4, 0, 0, 134, 12, .. U32(16), 1, 6, 0, 1, 0xC0, 0],
            5 => [134, 10, .. U32(16), 1, 4, 0, 0],
            7 => [134, 12, .. U32(16), 1, 6, 0, 3, 0x80, 0],
            9 => [134, 12, .. U32(16), 1, 6, 0, 1, 0x20, 0],
            11 => [134, 12, .. U32(99), 1, 6, 0, 1, 0x80, 0],
            13 => [],
            15 => [1, 134, 11, .. U32(16), 1, 5, 0, 2, 0x40],
            _ => [134, 12, .. U32(16), 1, 6, 0, 2, 0xC0, 0],
        };
        return (1, Packet.Ethernet(Mac(60), Mac(40)).IPv4(Host(60), Host(40), options: label)
            .Tcp(22, 5000, (uint)i, 1, Packet.Ack).Payload(payload).PaddedTo(60));
    }

    public static (int Port, byte[] Bytes) Whoami(int i, Random random)
    {
        if (i % 14 == 13) return (i % 4, Background(i));
        var client = random.Next(2) == 0 ? random.Next(40, 60) : random.Next(1 << 16, 1 << 20);
        if (i % 25 == 3)
            return (i % 4, Packet.Ethernet(Mac(client), MacAddress.Broadcast)
                .ArpRequest(Mac(client), Host(client), Address).PaddedTo(60));
        var name = (i % 7) switch
        {
            4 => "www.example.net",
            5 => "WhoAmI.Example.NET",
            6 when i % 3 == 0 => "whoami.example.net.evil.org",
            _ => "whoami.example.net",
        };
        var link = Packet.Ethernet(Mac(client), Own).IPv4(Host(client), Address)
            .Udp((ushort)(i % 5 == 0 ? random.Next(1, 1024) : random.Next(1024, 65536)), 53,
                checksum: i % 31 == 8 ? 0x1111 : i % 6 == 0 ? 0 : null);
        if (i % 40 == 17)
            return (i % 4, link.Payload([.. U16(i), 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 30, .. Text("whoami")]).PaddedTo(60));
        var type = One<ushort>(random, 1, 16, 16, 28, 255);
        byte[] additional = i % 3 == 0 ? [0, 0, 41, 4, 0xD0, 0, 0, 0, 0, 0, 0] : [];
        byte[] question = Packet.Bare.Dns((ushort)random.Next(65536), name, type, flags:
            (ushort)(i % 29 == 12 ? 0x8180 : 0x100))
            .Payload(additional);
        if (additional.Length > 0) question[11] = 1;
        return (i % 4, link.Payload(question).PaddedTo(60));
    }

    public static (int Port, byte[] Bytes) Requests(int i, Random random)
    {
        if (i % 16 == 15) return (i % 4, Background(i));
        // Every request has an answer some frames later; which server was drawn is not known here, so all of them
        // answer.
        var number = i / 6;
        var client = 40 + number % 7;
        var clientPort = (ushort)(20000 + number);
        if (i % 6 == 0 || (i % 6 == 1 && number % 5 == 2))
            return (0, Packet.Ethernet(PeerMac, Own).IPv4(Host(client), i % 48 == 24 ? Peer : Address)
                .Udp(clientPort, 9000)
                .Payload(Bytes(random, random.Next(20, 400))).PaddedTo(60));
        if (i % 6 == 1)
            return (0, Packet.Ethernet(PeerMac, Own).IPv4(Host(client), Address)
                .Udp((ushort)(30000 + number), 9000, checksum: 0)
                .Payload(Bytes(random, random.Next(20, 400))).PaddedTo(60));
        var server = i % 6 - 2;
        return (1, Packet.Ethernet(Mac(0x20 + server), Own).IPv4(Host(0x20 + server), Host(client))
            .Udp((ushort)(i % 44 == 20 ? 9001 : 9000), clientPort).Payload(Bytes(random, random.Next(20, 1400)))
                .PaddedTo(60));
    }

    public static (int Port, byte[] Bytes) Readings(int i, Random random)
    {
        if (i % 16 == 15) return (i % 4, Background(i));
        var sensor = i % 25 == 7 ? 70 : i % 6 == 5 ? 40 + random.Next(3) : i % 3;
        var value = sensor * 1000 - 1000 + random.Next(-100, 100)
            + (i % 7 == 2 ? One(random, 30000, -30000, int.MaxValue) : 0);
        var sequence = 65500 + (i % 20 == 18 ? i - 6 : i);
        byte[] reading =
        [
            .. U16(sensor), .. U16(sequence), .. U16(i % 30 == 21 ? 0x8000 : 0), .. U16(3), .. U32((uint)value),
        ];
        if (i % 40 == 26) reading = reading[..7];
        return (i % 4, From(100 + sensor, 20)
            .Udp(20001, (ushort)(i % 35 == 19 ? 514 : 20000), checksum: i % 5 == 0 ? 0 : null)
            .Payload([.. reading, .. i % 4 == 0 ? Text("cal 2026-01") : []]).PaddedTo(60));
    }

    public static (int Port, byte[] Bytes) Avionics(int i, Random random)
    {
        if (i % 16 == 15) return (i % 4, Background(i));
        (int Link, int Port, int Length)[] links = [(100, 0, 300), (102, 1, 1200), (200, 2, 120), (201, 3, 1514),
            (101, 0, 200)];
        var (link, port, length) = i % 30 == 11 ? (555, 0, 100) : links[i % 5];
        // Every third frame of link 101 is followed by the next one at once.
        if (i % 15 == 5) (link, port, length) = (101, 0, 200);
        if (i % 23 == 4) port = (port + 1) % 4;
        var size = i % 30 == 5 ? length : i % 17 == 3 ? length + 1 : random.Next(link == 101 ? 130 : 64, length + 1);
        var sequence = i / 5 + (i % 5 == 1 ? 240 : 0);
        sequence = sequence > 255 ? sequence - 255 : sequence;
        if (i % 28 == 9) sequence += 7;
        byte[] packet = Packet.Bare.IPv4(IP($"10.1.{port}.1"), IP($"224.224.{link >> 8}.{link & 255}"), ttl: 1)
            .Udp(1000, 2000).Payload(Bytes(random, Math.Max(0, Math.Min(size, 1514) - 14 - 28 - 1)));
        return (port, Packet.Ethernet(new MacAddress(0x0200_0000_0100UL | (uint)port << 5),
                new MacAddress(0x0300_0000_0000UL | (uint)link), 0x0800)
            .Payload([.. packet, (byte)sequence]).PaddedTo(60));
    }
}
