using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class NfsTraffic
{
    public static readonly MacAddress Server = MacAddress.Parse("02:00:00:00:00:20");

    public static byte[] Opaque(byte[] data) => [.. U32((uint)data.Length), .. data, .. new byte[-data.Length & 3]];

    public static byte[] Call(uint xid, uint procedure, byte[] arguments, uint version = 3, int groups = 3) =>
    [
        .. U32(xid), .. U32(0), .. U32(2), .. U32(100003), .. U32(version), .. U32(procedure),
        .. U32(1), .. Opaque([.. U32(77), .. Opaque(Text("client")), .. U32(1000), .. U32(1000), .. U32((uint)groups),
            .. new byte[4 * groups]]),
        .. U32(0), .. U32(0), .. arguments,
    ];

    public static byte[] From(string host, byte[] call) =>
        Packet.Ethernet(Left, Server).IPv4(IP(host), IP("10.0.0.20")).Udp(800, 2049).Payload(call).PaddedTo(60);

    public static IEnumerable<(int, byte[])> Frames()
    {
        var handle = Opaque(Noise(32, 5));
        for (var i = 0u; i < 84; i++)
        {
            var name = Opaque(Text($"file{i}.txt"));
            yield return (i % 12) switch
            {
                0 => (0, From("10.0.0.1", Call(i, 1, handle))),
                1 => (0, From("10.0.0.3", Call(i, 3, [.. handle, .. name]))),
                2 => (0, From("10.0.0.1", Call(i, 6, [.. handle, .. U64(i * 8192), .. U32(8192)],
                    groups: (int)i % 16))),
                3 => (0, From("10.0.0.1", Call(i, 7, [.. handle, .. U64(0), .. U32(1000), .. U32(2),
                    .. Opaque(Noise(1000, (int)i))]))),
                4 => (0, From("10.0.0.250", Call(i, 7, [.. handle, .. U64(0), .. U32(512), .. U32(2),
                    .. Opaque(Noise(512, (int)i))]))),
                5 => (0, From("10.0.0.7", Call(i, i % 24 < 12 ? 12u : 14u, [.. handle, .. name, .. handle, .. name]))),
                6 => (0, From("10.0.0.7", Call(i, 15, [.. handle, .. handle, .. name]))),
                7 => (0, From("10.0.0.7", Call(i, 2, handle, groups: 0))),
                8 => (0, i % 24 < 12 ? From("10.0.0.1", Call(i, 1, handle, version: 2))
                    : From("10.0.0.1", Call(i, 1, [])[..50])),
                9 => (1, Packet.Ethernet(Server, Left).IPv4(IP("10.0.0.20"), IP("10.0.0.1")).Udp(2049, 800)
                    .Payload([.. U32(i), .. U32(1), .. new byte[16], .. Noise(1024, (int)i)]).PaddedTo(60)),
                10 => (0, From("10.0.0.1", Call(i, 4, [.. handle, .. U32(0x1F)]))),
                _ => (0, Background((int)i)),
            };
        }
    }
}
