using System.Buffers.Binary;
using Emu.Testing;

namespace Emu.Compiler.Tests;

internal static partial class NaturalTraffic
{
    public static readonly IPv4Address Locator = IPv4Address.Parse("192.0.2.1");
    public static readonly MacAddress PseudowireMac = MacAddress.Parse("02:00:00:00:01:01");

    private static readonly IPv6Address s_left6 = IPv6Address.Parse("2001:db8:1::1");
    private static readonly IPv6Address s_right6 = IPv6Address.Parse("2001:db8:2::2");

    public static (int Port, byte[] Bytes) ExtensionHeaders(int i, Random random)
    {
        if (random.Next(8) == 0) return Other(random);
        byte[] tcp =
            [.. U16(40000), .. U16(443), .. new byte[8], 0x50, 0x10, 0xFF, 0xFF, 0, 0, 0, 0, .. Bytes(random, 0, 400)];
        byte[] Hop(byte next) => [next, 0, 5, 2, 0, 0, 1, 0]; // router alert
        byte[] Dest(byte next) => [next, 0, 1, 4, 0, 0, 0, 0];
        byte[] Fragment(byte next, int offset) => [next, 0, .. U16(offset << 3 | 1), .. U32((uint)i)];
        byte[] Routing(byte next, byte type) => [next, 2, type, 1, .. new byte[20]];
        (byte First, byte[] Bytes) chain = random.Next(16) switch
        {
            0 or 1 => (6, tcp),
            2 or 3 => (0, [.. Hop(6), .. tcp]),
            4 => (60, [.. Dest(6), .. tcp]),
            5 => (0, [.. Hop(60), .. Dest(44), .. Fragment(6, 0), .. tcp]),
            6 => (44, [.. Fragment(6, 100), .. Bytes(random, 8, 300)]),
            7 => (43, [.. Routing(6, 2), .. tcp]),
            8 => (43, [.. Routing(6, 0), .. tcp]), // RH0
            9 => (60, [.. Dest(0), .. Hop(6), .. tcp]), // out of order
            10 => (44, [.. Fragment(6, 0), .. tcp[..12]]), // without the whole header
            11 => (0, [6, 0, 0xC2, 4, .. U32(70000), .. tcp]), // jumbo
            12 => (0, [.. Hop(60), .. Dest(60), .. Dest(60), .. Dest(60), .. Dest(6), .. tcp]), // too many
            13 => (60, [6, 200, .. Bytes(random, 40, 60)]), // longer than the packet
            _ => (0, [.. Hop(43), .. Routing(60, 4), .. Dest(6), .. tcp]),
        };
        return (random.Next(2),
            Link.IPv6(s_left6, s_right6, nextHeader: chain.First).Payload(chain.Bytes).PaddedTo(60));
    }

    public static byte[] OspfHello(uint router, uint area = 1, int interval = 10, byte type = 1, byte[]? rest = null)
    {
        byte[] body = type == 1
            ? [
                .. U32(0xFFFF_FF00), .. U16(interval), 2, 1, .. U32((uint)interval * 4), .. U32(0x0A00_0001), .. U32(0),
                .. rest ?? [],
                ]
            : rest ?? [];
        byte[] packet =
            [2, type, .. U16(24 + body.Length), .. U32(router), .. U32(area), 0, 0, 0, 0, .. new byte[8], .. body];
        BinaryPrimitives.WriteUInt16BigEndian(packet.AsSpan(12), InternetChecksum.Compute(packet));
        return packet;
    }

    public static (int Port, byte[] Bytes) Ospf(int i, Random random)
    {
        if (random.Next(6) == 0) return Other(random);
        var router = (uint)random.Next(1, 6);
        var kind = random.Next(12);
        var packet = kind switch
        {
            0 => OspfHello(router, area: 2),
            1 => OspfHello(router, interval: 30),
            2 => OspfHello(router, type: 4, rest: Bytes(random, 20, 400)),
            3 => OspfHello(router, type: 5, rest: Bytes(random, 20, 100)),
            4 => OspfHello(router, type: 2, rest: Bytes(random, 8, 200)),
            _ => OspfHello(
                router, rest: [.. Enumerable.Range(0, random.Next(5)).SelectMany(n => U32(0x0A00_0001 + (uint)n))]),
        };
        if (kind == 5) packet[30] ^= 1; // a wrong checksum
        var source = new IPv4Address(0x0A00_0000 + (kind == 6 && i > 30 ? 77u : router));
        return (
            random.Next(10) == 0 ? 3 : random.Next(2),
            Packet.Ethernet(LeftMac, MacAddress.Parse("01:00:5e:00:00:05"))
                .IPv4(source, IPv4Address.Parse("224.0.0.5"), ttl: 1, protocol: 89).Payload(packet).PaddedTo(60));
    }

    public static Packet LispData(Packet inner, byte flags = 0xC0, byte trafficClass = 0, byte ttl = 60) =>
        Packet.Ethernet(RightMac, MacAddress.Of(Locator))
            .IPv4(IPv4Address.Parse("192.0.2.2"), Locator, ttl: ttl, trafficClass: trafficClass)
            .Udp(61000, 4341, checksum: 0).Payload([flags, 1, 2, 3, 0, 0, 0, 1, .. (byte[])inner]).PaddedTo(60);

    public static (int Port, byte[] Bytes) Lisp(int i, Random random)
    {
        if (random.Next(12) == 0) return Other(random);
        var (near, far) = (new IPv4Address(0x0A01_0000 + (uint)random.Next(20)), random.Next(5) switch
        {
            0 => new IPv4Address(0x0A03_0400 + (uint)random.Next(256)),
            1 => new IPv4Address(0x0AC8_0000),
            2 => new IPv4Address(0x0808_0808),
            _ => new IPv4Address(0x0A02_0000 + (uint)random.Next(65536)),
        });
        var data = Bytes(random, 0, random.Next(4) == 0 ? 1450 : 300);
        if (random.Next(15) == 0) data = new byte[1440];
        if (random.Next(2) == 0)
        {
            var packet = Packet.Ethernet(LeftMac, MacAddress.Of(Locator)).IPv4(
                near, far, ttl: (byte)(random.Next(15) == 0 ? 1 : 64), trafficClass: (byte)(random.Next(3) * 4 + 2));
            return (0, (random.Next(2) == 0 ? packet.Udp(5000, 5001) : packet.Tcp(5000, 80, flags: Packet.Ack))
                .Payload(data.Length > 1440 ? data[..1440] : data).PaddedTo(60));
        }
        if (data.Length > 1400) data = data[..1400];
        var inner = Packet.Bare.IPv4(far, near, ttl: 50, trafficClass: 2).Udp(5000, 5001).Payload(data);
        return (1, LispData(
            inner, flags: (byte)(random.Next(12) == 0 ? 0xC8 : 0xC0),
            trafficClass: (byte)(random.Next(4) == 0 ? 3 : 2)));
    }

    public static byte[] PseudowirePacket(
        uint label, int sequence, byte[] inner, bool hasTunnel, byte channel = 0, int length = 0) =>
        Packet.Ethernet(RightMac, PseudowireMac, 0x8847).Payload(
        [
            .. hasTunnel ? U32(5555u << 12 | 250) : [], .. U32(label << 12 | 0x100 | 254),
            (byte)(channel << 4), (byte)length, .. U16(sequence), .. inner,
        ]).PaddedTo(60);

    public static (int Port, byte[] Bytes) Pseudowire(int i, Random random)
    {
        byte[] inner = random.Next(3) == 0
            ? Packet.Ethernet(LeftMac, RightMac).Vlan(10, priority: 5).IPv4(Left, Right).Udp(1, 2)
                .Payload(Bytes(random, 0, 900)).PaddedTo(60)
            : Packet.Ethernet(LeftMac, RightMac).IPv4(Left, Right).Udp(1, 2)
                .Payload(Bytes(random, 20, 1420)).PaddedTo(60);
        if (i % 2 == 0) return (0, inner);
        var sequence = i / 2 + 1;
        return (1, random.Next(16) switch
        {
            0 => Other(random).Item2,
            1 => PseudowirePacket(2002, 0, Bytes(random, 20, 60), true, channel: 1),
            2 => PseudowirePacket(2003, sequence, inner, true),
            3 => PseudowirePacket(2002, Math.Max(1, sequence - 5), inner, true),
            4 or 5 => PseudowirePacket(
                2002, sequence, Packet.Ethernet(LeftMac, RightMac).ArpRequest(LeftMac, Left, Right), false, length: 46),
            _ => PseudowirePacket(2002, sequence, inner, random.Next(2) == 0),
        });
    }
}
