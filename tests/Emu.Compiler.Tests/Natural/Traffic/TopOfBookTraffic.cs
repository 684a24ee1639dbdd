using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class TopOfBookTraffic
{
    private static byte[] L16(int value) => [(byte)value, (byte)(value >> 8)];

    private static byte[] L32(uint value) => [.. L16((int)value), .. L16((int)(value >> 16))];

    private static byte[] L64(ulong value) => [.. L32((uint)value), .. L32((uint)(value >> 32))];

    private static byte[] Entry(uint security, double price, int quantity, byte level, char type, byte action,
        uint number) =>
        [.. L64((ulong)(long)(price * 1_000_000_000)), .. L32((uint)quantity), .. L32(security), .. L32(number),
            .. L32(3), level, action, (byte)type, .. new byte[5]];

    private static byte[] Message(int template, int block, byte[] body) =>
        [.. L16(body.Length + 10), .. L16(block), .. L16(template), .. L16(1), .. L16(9), .. body];

    private static byte[] Refresh(byte[][] entries, int? count = null, int entryLength = 32) => Message(46, 11,
        [
            .. L64(1_700_000_000_000_000_000), 0x84, 0, 0, .. L16(entryLength), (byte)(count ?? entries.Length),
            .. entries.SelectMany(e => e), .. L16(24), 0, 0, 0, 0, 0, 0,
        ]);

    private static byte[] Feed(uint sequence, byte[] messages, ushort? checksum = null, ushort port = 14_310) =>
        Packet.Ethernet(Left, MacAddress.Parse("01:00:5e:00:1f:01")).IPv4(IP("205.209.212.1"), IP("224.0.31.1"))
            .Udp(31_001, port, checksum: checksum).Payload([.. L32(sequence),
                .. L64(1_700_000_000_000_000_000UL + sequence), .. messages]);

    private static byte[][] Entries(int seed, int count, bool isOfInterest = true)
    {
        var random = new Random(seed);
        return [.. Enumerable.Range(0, count).Select(i => Entry(
            isOfInterest && (i % 2 == 0) ? (random.Next(2) == 0 ? 5602u : 6437u) : 9000u + (uint)random.Next(50),
            4500 + random.Next(100) * 0.25, random.Next(1, 500), (byte)(i == 0 ? 1 : random.Next(1, 11)),
                random.Next(2) == 0 ? '0' : '1',
            (byte)random.Next(3), (uint)(seed * 100 + i)))];
    }

    public static IEnumerable<(int Port, byte[] Frame)> Frames()
    {
        int[] counts = [1, 2, 1, 4, 2, 8, 1, 3, 20, 2, 6, 1, 44, 2, 1, 12];
        uint sequence = 1000;
        for (var i = 0; i < 24; i++) yield return (0, Feed(sequence++, Refresh(Entries(i, counts[i % 16]))));
        for (var i = 0; i < 5; i++) yield return (0, Feed(sequence++, Refresh(Entries(50 + i, 1 + i * 3,
            isOfInterest: false))));
        // a trade; a spread below zero
        yield return (0, Feed(sequence++, Refresh([Entry(5602, 4500.25, 7, 1, '2', 0, 1),
            Entry(6437, -2.5, 9, 1, '0', 1, 2)])));

        yield return (0, Feed(sequence++, Message(48, 32, Noise(60, 1)))); // trades
        yield return (0, Feed(sequence++, [.. Refresh(Entries(60, 2)), .. Message(48, 32, Noise(60, 2))]));
        yield return (0, Feed(sequence++, [])); // a heartbeat of a packet
        yield return (0, Feed(sequence++, Refresh(Entries(61, 2), entryLength: 40))); // a later version
        yield return (0, Feed(sequence++, Refresh(Entries(62, 2), count: 30))); // entries are missing
        yield return (0, Feed(sequence++, Refresh(Entries(63, 1), count: 255)));
        yield return (0, Feed(sequence++, Refresh(Entries(64, 3)), checksum: 0x5555));
        yield return (0, Link.IPv4(IP("205.209.212.1"), IP("224.0.31.1")).Udp(31_001, 14_310).Payload([1, 2, 3])
            .PaddedTo(60));
        for (var i = 0; i < 3; i++) yield return (i % 2, Background(i));
    }
}
