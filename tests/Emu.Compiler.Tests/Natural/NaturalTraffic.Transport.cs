using System.Text;
using Emu.Testing;

namespace Emu.Compiler.Tests;

internal static partial class NaturalTraffic
{
    /// <summary>A packet of IPv6 with one to three segments, of which some are left.</summary>
    public static byte[] Segmented(int i, Random random)
    {
        var segments = i % 3 + 1;
        byte[] inner = Packet.Bare.IPv6(Mapped(Host(i)), Mapped(Outside)).Udp(1, 2).Payload(Bytes(random, i * 4));
        byte[] routing =
        [
            41, (byte)(segments * 2), 4, (byte)(i % 16 == 15 ? 0 : segments), (byte)(segments - 1), 0, 0, 0,
            .. Enumerable.Range(0, segments).SelectMany(segment => PacketBytes.Of(Mapped(Host(i + segment)))),
        ];
        return i % 5 == 4
            ? Packet.Ethernet(Peer, Own).IPv6(Mapped(Host(i)), Mapped(Outside)).Udp(1, 2).Payload(Bytes(random, i * 4))
            : Packet.Ethernet(Peer, Own).IPv6(Mapped(Host(i)), Mapped(Vip), nextHeader: 43)
                .Payload([.. routing, .. inner]);
    }

    /// <summary>A message of PTP, over Ethernet or UDP.</summary>
    public static byte[] TimeMessage(int i, Random random)
    {
        byte[] message = [(byte)(i % 6 is var type && type > 3 ? type + 4 : type), 2, 0, 44, .. Bytes(random, 4),
            .. i % 17 == 16 ? [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF] : new byte[8], .. Bytes(random, 28)];
        return (i % 4) switch
        {
            0 => Packet.Ethernet(Peer, MacAddress.Parse("01:1b:19:00:00:00"), 0x88F7).Payload(message).PaddedTo(60),
            1 => FromHost(i, new IPv4Address(0xE0000181)).Udp(319, 319).Payload(message),
            2 => Packet.Ethernet(Peer, Own).IPv6(Mapped(Host(i)), Mapped(Outside)).Udp(319, 319).Payload(message),
            _ => FromHost(i, Outside).Udp(1, 2).Payload(Bytes(random, i * 4)).PaddedTo(60),
        };
    }

    /// <summary>A packet of some queue pairs, in order mostly.</summary>
    public static byte[] RemoteWrite(int i, Random random)
    {
        var sequence = i / 5 + (i % 11 == 10 ? 2 : i % 13 == 12 ? -1 : 0);
        byte[] header =
        [
            (byte)(i % 9 == 8 ? 0x81 : 0x0A), 0x40, 0xFF, 0xFF, 0, 0, 0, (byte)(i % 5), 0,
            (byte)(sequence >> 16), (byte)(sequence >> 8), (byte)sequence,
        ];
        return i % 7 == 6
            ? FromHost(i, Outside).Udp(1, 2).Payload(Bytes(random, i * 4)).PaddedTo(60)
            : FromHost(i % 5, Address).Udp((ushort)(49152 + i % 5), 4791)
                .Payload([.. header, .. Bytes(random, i * 4)]).PaddedTo(60);
    }

    /// <summary>A question of DNS for one of some types, over IPv4 or IPv6; or a datagram.</summary>
    public static byte[] AnyQuestion(int i)
    {
        var name = string.Concat(Enumerable.Repeat("label.", i % 12)) + "example.net";
        var type = (ushort)(i % 5 switch { 0 => 1, 1 => 28, 2 => 16, 3 => 65, _ => 255 });
        return i % 3 == 2
            ? Packet.Ethernet(Peer, Own).IPv6(Mapped(Host(i)), Mapped(Outside)).Dns((ushort)i, name, type)
            : FromHost(i, Outside).Dns((ushort)i, name, type).PaddedTo(60);
    }

    /// <summary>A unit of link aggregation.</summary>
    public static byte[] AggregationUnit(int i, Random random) =>
        Packet.Ethernet(MacAddress.Of(Host(i % 4)), MacAddress.Parse("01:80:c2:00:00:02"), 0x8809).Payload(
        [
            1, 1, 1, 20, 0x80, 0, .. Bytes(random, 6), 0, 1, 0x80, 0, 0, (byte)i, 0x3D, 0, 0, 0,
            2, 20, .. new byte[18], 3, 16, 0, 0, .. new byte[64],
        ]);

    /// <summary>A request of TFTP, mostly to read from the folder of boot files.</summary>
    public static byte[] FileRequest(int i)
    {
        var name = (i % 6) switch
        {
            4 => "boot/../etc/passwd",
            5 => "etc/passwd",
            _ => $"boot/{new string('x', i % 60)}.img",
        };
        var mode = i % 8 == 7 ? "mail" : "octet";
        return [0, (byte)(i % 10 == 9 ? 2 : 1), .. Encoding.ASCII.GetBytes($"{name}\0{mode}\0")];
    }

    /// <summary>A packet of QUIC: an initial one, one of a handshake, or mostly one with a short header.</summary>
    public static byte[] QuicPacket(int i, Random random) => (i % 10) switch
    {
        0 => [0xC0, 0, 0, 0, 1, 8, .. Bytes(random, 8), 0, .. Bytes(random, 1190)],
        1 => [0xE0, 0, 0, 0, 1, 8, .. Bytes(random, 8), 0, .. Bytes(random, 100)],
        _ => [0x40, .. Bytes(random, 20 + i * 8)],
    };

    /// <summary>A frame with its sequence and CRC behind it, seldom damaged.</summary>
    public static byte[] Trailed(int i, Random random)
    {
        byte[] frame =
        [
            .. FromHost(i, Outside).Udp(1, 2).Payload(Bytes(random, i * 4)).PaddedTo(60).ToArray(),
            .. PacketBytes.Of((uint)(i / 2)),
        ];
        return [.. frame, .. PacketBytes.Of(Crc32.Compute(frame) ^ (i % 15 == 14 ? 1u : 0))];
    }
}
