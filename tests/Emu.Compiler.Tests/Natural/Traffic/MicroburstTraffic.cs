using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class MicroburstTraffic
{
    public static IEnumerable<(int, byte[])> Frames()
    {
        for (var i = 0; i < 100; i++)
        {
            yield return (i % 10) switch
            {
                < 5 => (0, Link.IPv4(IP("10.0.0.1"), IP("10.0.0.2")).Tcp(40000, 80, flags: Packet.Ack)
                    .Payload(Noise(1440, i))),
                5 or 6 or 7 => (1, Back.IPv4(IP("10.0.0.2"), IP("10.0.0.1")).Tcp(80, 40000, flags: Packet.Ack)
                    .PaddedTo(60)),
                8 => (i % 4, Background(i)),
                _ => (1, Back.IPv4(IP("10.0.0.2"), IP("10.0.0.1")).Udp(5000, 5001).Payload(Noise(i * 7, i))
                    .PaddedTo(60)),
            };
        }
    }
}
