using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class ClientSubnetTraffic
{
    public static byte[] Name(string name) => [.. name.Split('.').SelectMany(l =>
        (byte[])[(byte)l.Length, .. Text(l)]), 0];

    public static byte[] Option(int code, byte[] data) => [.. U16(code), .. U16(data.Length), .. data];

    public static byte[] Opt(params byte[][] options)
    {
        byte[] data = [.. options.SelectMany(o => o)];
        return [0, 0, 41, .. U16(1232), 0, 0, 0, 0, .. U16(data.Length), .. data];
    }

    public static readonly byte[] Subnet = Option(8, [0, 1, 24, 0, 192, 0, 2]);
    public static readonly byte[] Cookie = Option(10, [1, 2, 3, 4, 5, 6, 7, 8]);

    public static byte[] Query(string name, byte[] additional, int answers = 0, ushort? checksum = null,
        bool isResponse = false) =>
        Link.IPv4(IP("10.0.0.1"), IP("9.9.9.9")).Udp(40000, 53, checksum: checksum)
            .Payload([0x12, 0x34, (byte)(isResponse ? 0x81 : 1), 0, 0, 1, .. U16(answers), 0, 0, 0,
                (byte)(additional.Length > 0 ? 1 : 0),
                .. Name(name), 0, 1, 0, 1, .. additional]).PaddedTo(60);

    public static IEnumerable<(int, byte[])> Frames()
    {
        string[] names =
            ["example.org", "www.example.com", "a.very.long.name.of.a.content.delivery.network.example.net", "x.io"];
        for (var i = 0; i < 88; i++)
        {
            var name = names[i % names.Length];
            yield return (i % 11) switch
            {
                0 => (0, Query(name, [])),
                1 => (0, Query(name, Opt())),
                2 or 3 => (0, Query(name, Opt(Subnet))),
                4 => (0, Query(name, Opt(Cookie, Subnet), checksum: i % 2 == 0 ? (ushort)0 : null)),
                5 => (0, Query(name, Opt(Subnet, Cookie, Option(12, new byte[i])))),
                6 => (0, Query(name, Opt(Cookie, Option(12, new byte[200])))),
                7 => (0, Query(name, [0, 0, 41, 4, 0xD0, 0, 0, 0, 0, .. U16(40), .. Subnet])),
                8 => (0, Query(name, [0, 0, 41, 4, 0xD0, 0, 0, 0, 0, .. U16(6), 0, 8, 0, 7, 0, 1])),
                9 => (1, Back.IPv4(IP("9.9.9.9"), IP("10.0.0.1")).Dns(0x1234, name, flags: 0x8180, answers: 1)
                    .Payload([0xC0, 12, 0, 1, 0, 1, 0, 0, 1, 0, 0, 4, 1, 2, 3, 4]).PaddedTo(60)),
                _ => (0, Background(i)),
            };
        }
    }
}
