using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class OrderRiskGateTraffic
{
    private static readonly byte[] s_timestamps = [1, 1, 8, 10, 0, 1, 2, 3, 4, 5, 6, 7];

    private static byte[] Soup(char type, params byte[] data) => [.. U16(data.Length + 1), (byte)type, .. data];

    private static byte[] Enter(int token, string stock, uint shares, double price) => Soup('U',
        [(byte)'O', .. Text($"TOKEN{token,9:D9}"), (byte)'B', .. U32(shares), .. Text(stock.PadRight(8)),
            .. U32((uint)(price * 10_000)),
            .. U32(99_998), .. Text("FIRMYPN"), .. U32(0), .. Text("NR")]);

    private static byte[] Replace(int token, uint shares, double price) => Soup('U',
        [(byte)'U', .. Text($"TOKEN{token,9:D9}"), .. Text($"TOKEN{token + 500,9:D9}"), .. U32(shares),
            .. U32((uint)(price * 10_000)),
            .. U32(99_998), .. Text("YN"), .. U32(0)]);

    private static byte[] Cancel(int token) => Soup('U', [(byte)'X', .. Text($"TOKEN{token,9:D9}"), .. U32(0)]);

    private static byte[] Segment(byte[] stream, bool hasTimestamps = true, ushort port = 15_000,
        ushort? checksum = null) =>
        Link.IPv4(IP("10.1.0.1"), IP("10.2.0.1"), dontFragment: true)
            .Tcp(41000, port, flags: Packet.Psh | Packet.Ack, options: hasTimestamps ? s_timestamps
                : [], checksum: checksum)
            .Payload(stream).PaddedTo(60);

    public static IEnumerable<(int Port, byte[] Frame)> Frames()
    {
        string[] stocks = ["AAPL", "MSFT", "NVDA", "AAPL"];
        double[] prices = [200.5, 410.25, 120.01, 199.99];
        for (var i = 0; i < 10; i++)
            yield return (0, Segment(Enter(i, stocks[i % 4], (uint)(100 + i * 50), prices[i % 4]), i % 3 != 2));
        for (var i = 0; i < 4; i++) yield return (0, Segment(Replace(i, (uint)(100 + i * 10), 200), i % 2 == 0));
        for (var i = 0; i < 3; i++) yield return (0, Segment(Cancel(i)));
        // A basket: several in one segment.
        yield return (0, Segment([.. Enter(20, "AAPL", 100, 201), .. Enter(21, "MSFT", 100, 411), .. Cancel(5),
            .. Replace(6, 50, 100)]));
        yield return (0, Segment([.. Enterings(22, 12)], hasTimestamps: false));
        yield return (0, Segment([.. Enterings(40, 27)]));

        yield return (0, Segment(Enter(70, "AAPL", 90_000, 200))); // too many
        yield return (0, Segment(Enter(71, "AAPL", 100, 2000))); // a digit too much
        yield return (0, Segment(Enter(72, "GME", 100, 20))); // not to be traded
        yield return (0, Segment([.. Cancel(7), .. Enter(73, "NVDA", 5000, 159), .. Enter(74, "MSFT", 10, 410),
            .. Replace(8, 10_000, 250)]));
        yield return (0, Segment(Soup('L', [.. Text("USER01PASSWORD01 SESSION00100000000000000000001")])));
        yield return (0, Segment(Soup('R')));
        yield return (0, Segment([]));
        for (var i = 0; i < 4; i++)
            yield return (1, Back.IPv4(IP("10.2.0.1"), IP("10.1.0.1"))
                .Tcp(15_000, 41000, flags: Packet.Psh | Packet.Ack, options: s_timestamps)
                .Payload(Soup('S', Noise(28 + i * 16, i))).PaddedTo(60));

        yield return (0, Segment(Enter(80, "AAPL", 100, 200)[..30])); // cut off
        yield return (0, Segment([.. Enter(81, "AAPL", 100, 200), 0])); // a byte too much
        yield return (0, Segment([.. Cancel(9), 0, 0, (byte)'U'])); // a length of 0
        yield return (0, Segment(Enter(82, "AAPL", 100, 200), checksum: 0x7777));
        yield return (0, Link.IPv4(IP("10.1.0.1"), IP("10.2.0.1"), protocol: 6, moreFragments: true)
            .Payload(Noise(64, 1)));
        for (var i = 0; i < 4; i++) yield return (i % 2, Background(i));
    }

    private static IEnumerable<byte> Enterings(int token, int count)
    {
        for (var i = 0; i < count; i++)
            foreach (var b in Enter(token + i, i % 2 == 0 ? "AAPL" : "NVDA", (uint)(10 + i), i % 2 == 0 ? 200 : 119.5))
                yield return b;
    }
}
