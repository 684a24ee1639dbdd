using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class RetransmitTraffic
{
    public static (int, byte[]) Segment(int flow, uint sequence, int length, byte flags = Packet.Ack,
        byte[]? options = null) => (0,
        Link.IPv4(IP("10.0.0.1"), IP("10.0.0.2")).Tcp((ushort)(40000 + flow), 80, sequence, 1, flags, options: options)
            .Payload(Noise(length, (int)sequence)).PaddedTo(60));

    public static (int, byte[]) Ack(int flow, uint acknowledged) => (1,
        Back.IPv4(IP("10.0.0.2"), IP("10.0.0.1")).Tcp(80, (ushort)(40000 + flow), 1, acknowledged, Packet.Ack,
            options: [1, 1, 8, 10, .. U32(5), .. U32(6)]).PaddedTo(60));

    public static IEnumerable<(int, byte[])> Frames()
    {
        for (var f = 0; f < 6; f++)
        {
            var s = uint.MaxValue - 500 + (uint)f * 100; // across the end of the numbers
            yield return Segment(f, s, 0, Packet.Syn, [2, 4, 5, 0xB4]);
            yield return Segment(f, s += 1, 700);
            yield return Segment(f, s += 700, 1400, Packet.Ack, [1, 1, 8, 10, .. U32(7), .. U32(8)]);
            yield return Ack(f, s);
            yield return Segment(f, s, 1400); // again
            yield return Segment(f, s + 2800, 1400); // a gap
            yield return Segment(f, s + 1400, 1400); // fills it, late
            yield return Segment(f, s + 4199, 1); // keep-alive
            yield return Segment(f, s += 4200, 100, Packet.Ack | Packet.Psh);
            yield return Segment(f, s + 100, 0, Packet.Ack | Packet.Fin);
            yield return (0, Background(f));
            yield return (1, Background(f + 2));
            if (f % 2 == 0) yield return Segment(f, s, 0, Packet.Rst);
            yield return Segment(f + 20, s, 300);
        }
    }
}
