using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

/// <summary>
/// A main console and its backup send four universes; numbers go on by 32 from packet to packet of a source, so that
/// they fit when the list begins again.
/// </summary>
internal static class SacnArbiterTraffic
{
    public static IEnumerable<(int Port, byte[] Frame)> Frames()
    {
        for (var i = 0; i < 8; i++)
        {
            yield return (0, Data("main", 1, 120, i * 32, 512, i));
            yield return (0, Data("main", 2, 120, i * 32, i % 2 == 0 ? 512 : 96, i));
            yield return (0, Data("backup", 1, 100, i * 32, 512, i + 9));
            if (i % 2 == 0) yield return (0, Data("desk", 5, 100, i * 32, 24 + i * 40, i));
        }
        yield return (0, Data("main", 1, 120, 7 * 32 - 3, 512, 3));                                  // was overtaken
        yield return (0, Data("desk", 5, 100, 7 * 32, 24, 3, options: 0x40));                        // ends
        yield return (0, Data("main", 3, 150, 1, 512, 4, options: 0x80));                            // preview
        yield return (0, Data("main", 900, 100, 1, 64, 4));                                          // no universe here
        yield return (0, Data("main", 2, 201, 1, 64, 4));                                            // no such priority
        yield return (0, Data("main", 4, 100, 1, 64, 4, group: 7));
        // longer than it says
        yield return (0, Data("main", 4, 100, 1, 64, 4, extra: 5));
        yield return (0, Udp(IP("239.255.0.1"), Text("Art-Net\0\0")));
        yield return (0, Udp(IP("239.255.0.1"), [.. Root("main", 8, 0x70 + 8 - 8), .. new byte[8]]));
        yield return (0, Udp(IP("239.255.250.214"), [.. Root("main", 8, 82), .. Noise(82, 1)]));     // discovery
        yield return (1, Packet.Ethernet(Right, Left).IPv4(IP("10.0.0.50"), IP("10.0.0.1")).Udp(5569, 5569)
            .Payload(Noise(90, 2)));
        for (var i = 0; i < 4; i++) yield return (i % 2, Background(i));
    }

    private static byte[] Root(string source, uint vector, int behind) =>
    [
        0, 0x10, 0, 0, .. Text("ASC-E1.17\0\0\0"), .. U16(0x7000 | 22 + behind), .. U32(vector),
            .. Noise(16, source.Length),
    ];

    private static byte[] Data(
        string source, int universe, byte priority, int sequence, int slots, int seed, byte options = 0, int group = 0,
            int extra = 0)
    {
        var name = new byte[64];
        Text(source).CopyTo(name, 0);
        byte[] dmp = [.. U16(0x7000 | 11 + slots), 2, 0xA1, 0, 0, 0, 1, .. U16(slots + 1), 0, .. Noise(slots, seed)];
        byte[] framing = [.. U16(0x7000 | 77 + dmp.Length), .. U32(2), .. name, priority, 0, 0, (byte)sequence,
            options, .. U16(universe)];
        return Udp(
            new IPv4Address(0xEFFF_0000 | (uint)(group == 0 ? universe : group)),
            [.. Root(source, 4, framing.Length + dmp.Length), .. framing, .. dmp, .. new byte[extra]]);
    }

    private static byte[] Udp(IPv4Address group, byte[] content) =>
        Packet.Ethernet(Left, new MacAddress(0x0100_5E00_0000ul | (group.Bits & 0x7F_FFFF)))
            .IPv4(IP("10.0.0.1"), group, ttl: 16).Udp(5568, 5568).Payload(content).PaddedTo(60);
}
