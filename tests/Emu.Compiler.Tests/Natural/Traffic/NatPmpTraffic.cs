using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class NatPmpTraffic
{
    public static readonly MacAddress Gateway = MacAddress.Parse("02:00:0a:00:00:01");

    public static byte[] From(string host, byte[] request, ushort port = 5351) =>
        Packet.Ethernet(Left, Gateway).IPv4(IP(host), IP("10.0.0.1")).Udp(5350, port).Payload(request).PaddedTo(60);

    public static byte[] Map(bool isTcp, int port, int suggested, uint lifetime) =>
        [0, (byte)(isTcp ? 2 : 1), 0, 0, .. U16(port), .. U16(suggested), .. U32(lifetime)];

    public static IEnumerable<(int, byte[])> Frames()
    {
        for (var i = 0; i < 90; i++)
        {
            var host = $"10.0.0.{20 + i % 7}";
            yield return (i % 3, (i % 10) switch
            {
                0 => From(host, [0, 0]),
                1 or 2 => From(host, Map(true, 1000 + i, 16384 + i, 7200)),
                3 => From(host, Map(false, 1000 + i % 20, 80, 7200)),
                4 => From(host, Map(true, 2000 + i % 3, 16384, 7200)), // the same port again and again
                5 => From($"10.0.0.{20 + (i - 4) % 7}", Map(true, 1000 + i - 4, 0, 0)), // deletes what was mapped
                6 => From(host, i % 20 < 10 ? [1, 0] : [0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
                7 => From(host, [0, 128, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]),
                8 => i % 20 < 10 ? From(host, [0]) : From(host, [0, 0], 5350),
                _ => Background(i),
            });
        }
    }
}
