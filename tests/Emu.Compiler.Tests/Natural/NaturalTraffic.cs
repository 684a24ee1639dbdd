using System.Buffers.Binary;
using System.Text;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Frames as they come to <see cref="NaturalServices"/>.</summary>
internal static partial class NaturalTraffic
{
    public static readonly MacAddress Own = MacAddress.Parse("02:00:00:00:00:01");
    public static readonly MacAddress Peer = MacAddress.Parse("02:00:00:00:00:0b");
    public static readonly MacAddress Gateway = MacAddress.Parse("02:00:00:00:00:fe");
    public static readonly IPv4Address Address = IPv4Address.Parse("10.0.0.1");
    public static readonly IPv4Address Outside = IPv4Address.Parse("8.8.8.8");
    public static readonly IPv4Address Vip = IPv4Address.Parse("10.0.0.100");

    private static readonly byte[] s_timestamps = [1, 1, 8, 10, 0, 0, 1, 2, 0, 0, 3, 4];
    private static readonly byte[] s_opening =
        [2, 4, 5, 0xB4, 4, 2, 8, 10, 0, 0, 1, 2, 0, 0, 0, 0, 1, 3, 3, 7];

    public static Packet FromHost(int host, IPv4Address to) =>
        Packet.Ethernet(Peer, Own).IPv4(Host(host), to);

    public static IPv4Address Host(int i) => new(0x0A000102u + (uint)i);

    public static IPv6Address Mapped(IPv4Address address) =>
        new((UInt128)0x0064FF9B00000000ul << 64 | address.Bits);

    /// <summary>
    /// A segment as clients send them: the first of a connection with its many options, most others with timestamps.
    /// </summary>
    public static Packet Segment(int i, ushort port, byte[] data)
    {
        var opening = FromHost(i, Outside).Tcp((ushort)(1000 + i), port, flags: Packet.Syn, options: s_opening);
        return (i % 8) switch
        {
            0 => opening,
            1 => FromHost(i, Outside).Tcp((ushort)(1000 + i), port, flags: Packet.Ack, options: s_timestamps)
                .PaddedTo(60),
            2 => FromHost(i, Outside).Tcp((ushort)(1000 + i), port, flags: Packet.Ack | Packet.Psh).Payload(data)
                .PaddedTo(60),
            _ => FromHost(i, Outside)
                .Tcp((ushort)(1000 + i), port, flags: Packet.Ack | Packet.Psh, options: s_timestamps).Payload(data)
                .PaddedTo(60),
        };
    }

    public static byte[] Request(int i) => Encoding.ASCII.GetBytes(
        $"GET /{new string('x', i * 2)} HTTP/1.1\r\nUser-Agent: curl/8.0\r\n"
        + $"Host: www.example.{(i % 3 == 0 ? "org" : "com")}\r\nAccept: */*\r\n\r\n");

    /// <summary>A request of RADIUS with a name, a password, an address, and most with an authenticator.</summary>
    public static byte[] Attributes(int i, Random random)
    {
        byte[] attributes =
        [
            1, 7, .. "alice"u8, 4, 6, 10, 0, 0, 1, 2, 18, .. Bytes(random, 16),
            .. i % 5 == 0 ? [] : (byte[])[80, 18, .. Bytes(random, 16)], 32, 8, .. "nas-01"u8,
        ];
        return [1, (byte)i, .. Of((ushort)(20 + attributes.Length)), .. Bytes(random, 16), .. attributes];
    }

    /// <summary>A request of SNMP: some have another community, some set.</summary>
    public static byte[] SnmpRequest(int i, Random random)
    {
        byte[] community = i % 3 == 0 ? [.. "private"u8] : [.. "public"u8];
        byte[] request = [2, 4, .. Bytes(random, 4), 2, 1, 0, 2, 1, 0, 0x30, 0];
        byte[] values =
        [
            2, 1, 1, 4, (byte)community.Length, .. community, (byte)(i % 4 == 0 ? 0xA3 : 0xA0), (byte)request.Length,
            .. request,
        ];
        return [0x30, (byte)values.Length, .. values];
    }

    /// <summary>
    /// A router's advertisement, with a prefix or without, behind an extension header or not; or a datagram.
    /// </summary>
    public static byte[] Advertisement(int i, Random random)
    {
        IPv6Address from = Mapped(Host(i)), to = Mapped(Outside);
        byte[] options =
        [
            0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 0, 0, 0, 0, 1, 5, (byte)(i % 10 == 6 ? 0 : 1), 0, 0, 0, 0, 5, 0xDC,
            (byte)(i % 4 == 0 ? 3 : 7), 4, 64, 0xC0, .. Bytes(random, 28),
        ];
        return (i % 4) switch
        {
            0 or 2 => Packet.Ethernet(Peer, Own).IPv6(from, to).Icmpv6(134, 0, 0x40000708).Payload(options),
            1 => Packet.Ethernet(Peer, Own).IPv6(from, to).Udp(1, 2).Payload(Bytes(random, i)),
            _ => Packet.Ethernet(Peer, Own).IPv6(from, to, nextHeader: 0)
                .Payload([58, 0, 5, 2, 0, 0, 1, 0, 134, 0, 0, 0, 64, 0, 7, 8, .. options]),
        };
    }

    public static byte[] WithCrc(int i, byte[] data)
    {
        var crc = Crc32.Compute(data) ^ (i % 5 == 0 ? 1u : 0u);
        return [.. Of((ushort)(crc >> 16)), .. Of((ushort)crc), .. data];
    }

    /// <summary>A packet in GTP-U, some with the optional fields.</summary>
    public static byte[] Tunnelled(int i, Random random)
    {
        byte[] packet = Packet.Bare.IPv4(Host(i), Outside).Udp(1, 2).Payload(Bytes(random, i * 3));
        byte[] optional = i % 3 == 0 ? [0, 1, 0, 0] : [];
        return
        [
            (byte)(i % 3 == 0 ? 0x32 : 0x30), 255, .. Of((ushort)(packet.Length + optional.Length)), 0, 0, 1, (byte)i,
            .. optional, .. packet,
        ];
    }

    /// <summary>A frame in GENEVE, behind options of 0 to 252 bytes.</summary>
    public static byte[] Geneve(int i, Random random)
    {
        var words = random.Next(3) == 0 ? random.Next(64) : i % 4;
        byte[] frame = FromHost(i, Outside).Udp(1, 2).Payload(Bytes(random, i * 3));
        return [(byte)words, 0, 0x65, 0x58, 0, 0, (byte)i, 0, .. Bytes(random, 4 * words), .. frame];
    }

    /// <summary>A message of a proposer: prepare or accept.</summary>
    public static byte[] Ballot(int i, Random random) =>
    [
        (byte)(i % 2 == 0 ? 1 : 3), 0, 0, 0, .. Of((ushort)(i / 4)), .. Of((ushort)(i % 7)), 0, 0, 0, 0,
        .. Bytes(random, 16),
    ];

    public static byte[] Of(ushort number)
    {
        var bytes = new byte[2];
        BinaryPrimitives.WriteUInt16BigEndian(bytes, number);
        return bytes;
    }

    public static byte[] Bytes(Random random, int count)
    {
        var bytes = new byte[count];
        random.NextBytes(bytes);
        return bytes;
    }
}
