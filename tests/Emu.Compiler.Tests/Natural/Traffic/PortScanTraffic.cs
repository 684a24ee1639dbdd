using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class PortScanTraffic
{
    public static byte[] Segment(string source, int port, byte flags, int length = 0) =>
        Link.IPv4(IP(source), IP("10.0.0.2")).Tcp(50000, (ushort)port, 7, 0, flags).Payload(Noise(length, port))
            .PaddedTo(60);

    public static IEnumerable<(int, byte[])> Frames()
    {
        for (var i = 0; i < 100; i++)
        {
            yield return (i % 10) switch
            {
                0 or 1 or 2 => (0, Segment("203.0.113.9", 20 + i * 3, Packet.Syn)), // scans
                3 => (0, Segment($"198.51.100.{i}", 443, Packet.Syn)),
                4 or 5 => (0, Segment($"198.51.100.{i % 7}", 443, Packet.Ack, i * 131 % 1400)),
                6 => (1, Back.IPv4(IP("10.0.0.2"), IP("198.51.100.1")).Tcp(443, 50000, flags: Packet.Ack)
                    .Payload(Noise(1400, i)).PaddedTo(60)),
                7 => (0, Segment($"192.0.2.{i % 2}", 100 + i, (byte)(i % 20 < 10 ? 0 : 0x29))), // XMAS and null scans
                8 => (0, Segment("198.51.100.77", i % 30 < 10 ? 80 : 443, Packet.Syn)), // few ports
                _ => (0, Background(i)),
            };
        }
    }
}
