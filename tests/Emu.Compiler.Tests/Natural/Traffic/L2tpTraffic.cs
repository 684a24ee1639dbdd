using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class L2tpTraffic
{
    public static byte[] Data(byte[] inner, uint sequence, uint session = 0x1001, ulong cookie = 0x0123_4567_89AB_CDEF,
        bool isNumbered = true, byte[]? options = null) =>
        Packet.Ethernet(Right, Left).IPv4(IP("192.0.2.2"), IP("192.0.2.1"), protocol: 115, options: options)
            .Payload([.. U32(session), .. U64(cookie), .. U32((isNumbered ? 0x4000_0000u : 0) | sequence), .. inner])
                .PaddedTo(60);

    public static IEnumerable<(int, byte[])> Frames()
    {
        for (var i = 0; i < 88; i++)
        {
            var number = i;
            byte[] inner = Packet.Ethernet(MacAddress.Parse("02:00:00:00:0a:01"), MacAddress.Parse("02:00:00:00:0a:02"))
                .IPv4(IP("172.16.0.1"), IP("172.16.0.2")).Udp(1000, 2000).Payload(Noise(i * 101 % 1380, i))
                    .PaddedTo(60);
            yield return (i % 11) switch
            {
                0 or 2 or 4 or 6 => (0, inner),
                1 or 3 or 5 => (1, Data(inner, (uint)number)),
                7 => (1, i % 2 == 0 ? Data(inner, (uint)Math.Max(0, number - 9)) : Data(inner, 0, isNumbered: false)),
                8 => (1, i % 3 == 0 ? Data(inner, 1, session: 5) : i % 3 == 1 ? Data(inner, 1, cookie: 9)
                    : Background(i)),
                9 => (0, i % 2 == 0 ? Packet.Ethernet(Left, Right).IPv4(IP("172.16.0.1"), IP("172.16.0.2")).Udp(1, 2)
                    .Payload(Noise(1472, i)) : Background(i)),
                _ => (1, Data(inner, (uint)number, options: i % 22 > 10 ? [0x94, 4, 0, 0] : null)),
            };
        }
    }
}
