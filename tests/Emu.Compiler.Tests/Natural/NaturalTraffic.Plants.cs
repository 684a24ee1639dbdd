using Emu.Testing;

namespace Emu.Compiler.Tests;

internal static partial class NaturalTraffic
{
    public static byte[] MacsecFrame(
        MacAddress source, MacAddress destination, uint number, byte tci, byte[] secured, ulong? sci)
    {
        var shortLength = secured.Length < 48 ? (byte)secured.Length : (byte)0;
        return Packet.Ethernet(source, destination, 0x88E5)
            .Payload([tci, shortLength, .. U32(number), .. sci is { } id ? U64(id) : [], .. secured, .. new byte[16]])
                .PaddedTo(60);
    }

    public static (int Port, byte[] Bytes) Macsec(int i, Random random)
    {
        var isLeft = random.Next(2) == 0;
        var (source, destination) = isLeft ? (LeftMac, RightMac) : (RightMac, LeftMac);
        var secured = Bytes(random, 10, random.Next(3) == 0 ? 1300 : 120);
        var sci = source.Bits << 16 | 1;
        var number = (uint)(i + 1);
        return (isLeft ? 0 : 1, random.Next(24) switch
        {
            0 => Other(random).Item2,
            1 => Packet.Ethernet(source, MacAddress.Parse("01:80:c2:00:00:03"), 0x888E).Payload(Bytes(random, 46, 100)),
            2 => MacsecFrame(source, destination, Math.Max(1, number / 2), 0x2C, secured, sci), // late
            3 => MacsecFrame(source, destination, number, 0x2C, secured, sci + 5), // unknown
            4 => MacsecFrame(source, destination, number, 0x6C, secured, sci), // ES and SC
            5 => MacsecFrame(source, destination, number, 0x20, secured, sci), // not encrypted
            6 or 7 => MacsecFrame(source, destination, number, 0x4C, secured, null),
            8 or 9 => MacsecFrame(source, destination, number, 0x2D, secured, sci), // the next association
            _ => MacsecFrame(source, destination, number, 0x2C, secured, sci),
        });
    }

    public static byte[] ProfinetFrame(
        MacAddress source, ushort id, int cycle, byte status, byte transfer, byte[] data, bool tagged)
    {
        byte[] content =
            [.. U16(id), .. data, .. new byte[Math.Max(0, 40 - data.Length)], .. U16(cycle), status, transfer];
        return tagged
            ? Packet.Ethernet(source, LeftMac).Vlan(0, priority: 6, type: 0x8892).Payload(content)
            : Packet.Ethernet(source, LeftMac, 0x8892).Payload(content);
    }

    public static (int Port, byte[] Bytes) Profinet(int i, Random random)
    {
        if (random.Next(8) == 0) return Other(random);
        var device = i % 4;
        var source = new MacAddress(0x0200_0000_0100 + (ulong)device);
        var kind = random.Next(20);
        if (kind == 0)
            return (random.Next(2), Packet.Ethernet(source, LeftMac, 0x8892)
                .Payload([.. U16(0xFEFD), 4, 0, .. U32(7), 0, 0, .. U16(12), .. Bytes(random, 36, 60)]));
        if (kind == 1)
            return (1, Packet.Ethernet(source, LeftMac, 0x8892)
                .Payload([.. U16(0xFEFE), 5, 0, .. U32(7), 0, 0, .. U16(4), .. Bytes(random, 36, 60)]));
        var status = (byte)(kind == 2 ? 0x25 : kind == 3 ? 0x15 : 0x35);
        var cycle = i / 4 * 32;
        return (1, ProfinetFrame(
            source, (ushort)(0x8000 + device), cycle, status, (byte)(kind == 5 ? 1 : 0), Bytes(random, 4, 200),
                kind > 13));
    }

    public static byte[] Dnp3Frame(ushort master, byte function, byte[] objects)
    {
        byte[] WithCrc(byte[] block)
        {
            var crc = 0;
            foreach (var octet in block)
            {
                crc ^= octet;
                for (var bit = 0; bit < 8; bit++) crc = (crc & 1) != 0 ? crc >> 1 ^ 0xA6BC : crc >> 1;
            }
            return [.. block, (byte)~crc, (byte)(~crc >> 8)];
        }
        byte[] user = [0xC0, 0xC0, function, .. objects];
        return [
            .. WithCrc([5, 0x64, (byte)(5 + user.Length), 0xC4, 10, 0, (byte)master, (byte)(master >> 8)]),
            .. user.Chunk(16).SelectMany(WithCrc)];
    }

    public static (int Port, byte[] Bytes) Dnp3(int i, Random random)
    {
        if (random.Next(8) == 0) return Other(random);
        var kind = random.Next(10);
        var packet = kind switch
        {
            0 => Dnp3Frame(7, 5, Bytes(random, 11, 30)), // direct operate by one that may not
            1 => Dnp3Frame(100, 5, Bytes(random, 11, 30)), // by one that may
            2 => Dnp3Frame(7, 2, Bytes(random, 5, 60)), // write
            3 => [.. Dnp3Frame(7, 1, Bytes(random, 3, 12)), .. Dnp3Frame(7, 0, [])],
            4 => Dnp3Frame(7, 1, Bytes(random, 3, 200))[..^3],
            _ => Dnp3Frame(7, 1, Bytes(random, 3, random.Next(2) == 0 ? 12 : 120)),
        };
        if (kind == 5) packet[12] ^= 4;
        return (0, Link.IPv4(Host(random, 4), Right)
            .Tcp((ushort)(40000 + random.Next(10)), 20000, sequence: (uint)i * 50, flags: Packet.Ack | Packet.Psh)
            .Payload(packet).PaddedTo(60));
    }

    public static Packet PtpMessage(byte type, ushort sequence, byte[] body, byte domain = 0) =>
        Packet.Ethernet(LeftMac, MacAddress.Parse("01:1b:19:00:00:00"), 0x88F7).Payload(
        [
            type, 2, .. U16(34 + body.Length), domain, 0, 0, 0, .. U64(0x1_8000), 0, 0, 0, 0,
            .. U64(0x0200_00FF_FE00_0001), .. U16(1), .. U16(sequence), 1, 0x7F, .. body,
        ]).PaddedTo(60);

    public static byte[] PtpAnnounce(byte priority) =>
        [.. new byte[13], priority, 248, 0xFE, 0xFF, 0xFF, 128, .. U64(0x0200_00FF_FE00_0001), 0, 0, 0xA0];

    /// <summary>Requests mostly, and in the end a better clock announces itself.</summary>
    public static (int Port, byte[] Bytes) Ptp(int i, Random random) => (i == 80 ? 10 : random.Next(10)) switch
    {
        0 => Other(random),
        1 => (0, PtpMessage(1, (ushort)i, new byte[10], domain: 3)),
        2 => (0, PtpMessage(11, (ushort)i, PtpAnnounce(200))),
        10 => (0, PtpMessage(11, (ushort)i, PtpAnnounce(100))),
        3 => (1, PtpMessage(0, (ushort)i, new byte[10])),
        _ => (random.Next(3), PtpMessage(1, (ushort)i, new byte[10])),
    };
}
