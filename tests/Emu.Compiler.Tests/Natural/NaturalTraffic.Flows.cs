using System.Buffers.Binary;
using System.Text;
using Emu.Testing;

namespace Emu.Compiler.Tests;

internal static partial class NaturalTraffic
{
    private static readonly string[] s_symbols = ["AAPL", "MSFT", "NVDA", "TSLA", "INTC", "AMD", "ORCL", "IBM"];
    private static readonly int[] s_itchLengths = [36, 40, 31, 36, 23, 19, 35, 44];

    public static byte[] SctpChunk(byte type, byte[] value, byte flags = 0) =>
        [type, flags, .. U16(4 + value.Length), .. value, .. new byte[-value.Length & 3]];

    public static byte[] SctpData(uint tsn, uint protocol, byte[] data) =>
        SctpChunk(0, [.. U32(tsn), .. U16(1), .. U16((int)tsn), .. U32(protocol), .. data], 3);

    public static byte[] SctpPacket(uint tag, params byte[] chunks)
    {
        byte[] packet = [.. U16(36412), .. U16(36412), .. U32(tag), 0, 0, 0, 0, .. chunks];
        var crc = uint.MaxValue;
        foreach (var octet in packet)
        {
            crc ^= octet;
            for (var bit = 0; bit < 8; bit++) crc = (crc & 1) != 0 ? crc >> 1 ^ 0x82F6_3B78 : crc >> 1;
        }
        BinaryPrimitives.WriteUInt32LittleEndian(packet.AsSpan(8), ~crc);
        return packet;
    }

    public static (int Port, byte[] Bytes) Sctp(int i, Random random)
    {
        if (random.Next(8) == 0) return Other(random);
        byte[] Data(uint protocol) => SctpData((uint)i, protocol, Bytes(random, 1, 300));
        byte[] sack = SctpChunk(3, [.. U32((uint)i), .. U32(65535), 0, 0, 0, 0]);
        var kind = random.Next(12);
        var packet = kind switch
        {
            0 => SctpPacket(0, SctpChunk(1, [.. U32(77), .. U32(65535), .. U16(10), .. U16(10), .. U32(1)])),
            1 => SctpPacket(77, SctpChunk(4, Ber(0, Bytes(random, 20, 40)))),
            2 => SctpPacket(77, sack),
            3 => SctpPacket(77, Data(0)), // a protocol that is not listed
            4 => SctpPacket(77, SctpChunk(0xC1, Bytes(random, 8, 16))), // ASCONF
            5 => SctpPacket(77, [.. SctpChunk(10, Bytes(random, 60, 100)), .. Data(18)]),
            6 or 7 => SctpPacket(77, [.. sack, .. Data(18), .. Data(18)]),
            8 => SctpPacket(0, Data(18)),
            _ => SctpPacket(77, Data(random.Next(2) == 0 ? 18u : 3u)),
        };
        if (kind == 11) packet[^1] ^= 0x40;
        return (random.Next(2), Link.IPv4(Host(random, 5), Right, protocol: 132).Payload(packet).PaddedTo(60));
    }

    public static byte[] ItchMessage(char type, int locate, int length, string symbol = "")
    {
        var message = new byte[length];
        message[0] = (byte)type;
        U16(locate).CopyTo(message, 1);
        if (type == 'R') Encoding.ASCII.GetBytes(symbol.PadRight(8)).CopyTo(message, 11);
        return message;
    }

    public static byte[] Mold(ulong sequence, params byte[][] messages) =>
        [
            .. "SESSION001"u8, .. U64(sequence), .. U16(messages.Length),
            .. messages.SelectMany(m => (byte[])[.. U16(m.Length), .. m]),
                ];

    public static (int Port, byte[] Bytes) Itch(int i, Random random)
    {
        Packet Feed(byte[] packet) =>
            Packet.Ethernet(LeftMac, MacAddress.Parse("01:00:5e:36:0c:65"))
                .IPv4(Left, IPv4Address.Parse("233.54.12.101"), ttl: 16)
                .Udp(30000, 26477).Payload(packet).PaddedTo(60);
        int[] counts = [3, 1, 6, 2, 5, 4];
        var sequence = (ulong)(1 + i / 6 * counts.Sum() + counts[..(i % 6)].Sum());
        if (i < 8)
            return (0, Feed(Mold(sequence, [.. Enumerable.Range(0, counts[i % 6])
                .Select(n => ItchMessage('R', i + 1 + n * 8, 39, s_symbols[i]))])));
        if (random.Next(10) == 0) return Other(random);
        if (random.Next(12) == 0) return (0, Feed(Mold(sequence)));
        if (random.Next(20) == 0) return (0, Feed(Mold(sequence, ItchMessage('S', 0, 12))));
        if (random.Next(15) == 0)
            return (0, Feed(Mold(sequence, ItchMessage('A', 2, 36), ItchMessage('D', 3, 19))[..^5]));
        byte[][] messages = [.. Enumerable.Range(0, counts[i % 6]).Select(_ =>
        {
            var kind = random.Next(s_itchLengths.Length);
            return ItchMessage("AFECXDUP"[kind], random.Next(1, 17), s_itchLengths[kind]);
        })];
        return (0, Feed(Mold(sequence, messages)));
    }

    public static (int Port, byte[] Bytes) Firewall(int i, Random random)
    {
        var (client, step) = (i % 8, i / 8);
        var inside = new IPv4Address(0x0A00_0100 + (uint)client);
        var outside = new IPv4Address(0xC633_6400 + (uint)(client % 3));
        var port = (ushort)(50000 + client);
        Packet Out() => Packet.Ethernet(LeftMac, RightMac).IPv4(inside, outside);
        Packet In() => Packet.Ethernet(RightMac, LeftMac).IPv4(outside, inside);
        (int, byte[]) From(int side, Packet packet) => (side, packet.PaddedTo(60));
        var data = Bytes(random, 0, 500);
        if (step % 12 > 2 && random.Next(6) == 0)
            return random.Next(5) switch
            {
                0 => From(1, In().Tcp(40000, 23, flags: Packet.Syn)),
                1 => From(1, In().Tcp(443, (ushort)(port + 100), flags: Packet.Ack).Payload(data)),
                2 => From(1, In().Udp(53, (ushort)(port + 1)).Payload(data)),
                3 => From(1, In().Tcp(443, (ushort)(port + 200), flags: Packet.Rst)),
                _ => From(1, In().Icmp(3, 1).Payload(
                    [.. ((byte[])Packet.Bare.IPv4(inside, outside).Tcp(port, 443, flags: Packet.Syn))[..28]])),
            };
        if (step > 3 && random.Next(16) == 0) return Other(random);
        return client switch
        {
            5 => step % 2 == 0 ? From(0, Out().Udp(port, 53).Payload(data)) : From(1, In().Udp(53, port).Payload(data)),
            6 => step % 2 == 0
                ? From(0, Out().IcmpEchoRequest(6, (ushort)i).Payload(data))
                : From(1, In().IcmpEchoReply(6, (ushort)i).Payload(data)),
            7 => step switch
            {
                0 => From(1, In().Tcp(40000, 22, flags: Packet.Syn)),
                1 => From(0, Out().Tcp(22, 40000, flags: Packet.Syn | Packet.Ack)),
                _ => step % 2 == 0
                    ? From(1, In().Tcp(40000, 22, flags: Packet.Ack).Payload(data))
                    : From(0, Out().Tcp(22, 40000, flags: Packet.Ack).Payload(data)),
            },
            _ => (step % 12) switch
            {
                0 => From(0, Out().Tcp(port, 443, flags: Packet.Syn)),
                1 => From(1, In().Tcp(443, port, flags: Packet.Syn | Packet.Ack)),
                9 => From(0, Out().Tcp(port, 443, flags: Packet.Fin | Packet.Ack)),
                10 => From(1, In().Tcp(443, port, flags: Packet.Fin | Packet.Ack)),
                11 => From(0, Out().Tcp(port, 443, flags: Packet.Rst)),
                var s when s % 2 == 0 => From(0, Out().Tcp(port, 443, flags: Packet.Ack).Payload(data)),
                _ => From(1, In().Tcp(443, port, flags: Packet.Ack | Packet.Psh).Payload(data)),
            },
        };
    }

    public static byte[] RtpPacket(int sequence, uint timestamp, uint ssrc, byte[] media, byte first = 0x80) =>
        [first, 0, .. U16(sequence), .. U32(timestamp), .. U32(ssrc), .. media];

    public static (int Port, byte[] Bytes) Rtp(int i, Random random)
    {
        if (random.Next(10) == 0) return Other(random);
        var sender = random.Next(5);
        var ssrc = (uint)(0xABC0_0000 + sender * 16 + i / 60);
        var kind = random.Next(24);
        var packet = kind switch
        {
            0 => [0x80, 200, .. U16(6), .. U32(ssrc), .. Bytes(random, 20, 20)],
            1 => RtpPacket(
                i, (uint)i * 160, ssrc, [.. U16(0xBEDE), .. U16(1), 1, 2, 3, 4, .. Bytes(random, 20, 160)], 0x90),
            2 => RtpPacket(i, (uint)i * 160, ssrc, Bytes(random, 0, 8), 0x8F),
            3 => RtpPacket(i - 3, (uint)(i - 3) * 160, ssrc, Bytes(random, 160, 160)),
            4 => Bytes(random, 4, 11),
            _ => RtpPacket(i, (uint)i * 160, ssrc, Bytes(random, 20, kind == 5 ? 1100 : 160)),
        };
        return (sender % 2, Link.IPv4(new IPv4Address(0x0A00_0040 + (uint)sender), Right)
            .Udp((ushort)(20000 + 2 * sender), 16400, checksum: kind == 6 ? (ushort)0 : null)
                .Payload(packet).PaddedTo(60));
    }
}
