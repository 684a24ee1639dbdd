using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class PrpTraffic
{
    public static byte[] Trailed(byte[] frame, int sequence, int lan, int wrong = 0)
    {
        var header = frame[12] == 0x81 && frame[13] == 0 ? 18 : 14;
        return [.. frame, .. U16(sequence), .. U16(lan << 12 | (frame.Length + 6 - header + wrong)), .. U16(0x88FB)];
    }

    public static byte[] Plain(int source, int length, bool isTagged = false)
    {
        var packet = Packet.Ethernet(new MacAddress(0x0200_0000_0900 + (ulong)source), Right);
        if (isTagged) packet = packet.Vlan(3, priority: 4);
        return packet.IPv4(IP("10.0.0.9"), IP("10.0.0.2")).Udp(1000, 2000).Payload(Noise(length, length)).PaddedTo(60);
    }

    public static IEnumerable<(int, byte[])> Frames()
    {
        for (var i = 0; i < 30; i++)
        {
            var number = i;
            var frame = Plain(i % 4, i * 97 % 1400, i % 5 == 0);
            yield return (1, Trailed(frame, number, 0xA));
            if (i % 6 != 0) yield return (2, Trailed(frame, number, 0xB));
            yield return (0, Plain(9, i * 61 % 1400, i % 7 == 0));
            if (i % 10 == 3) yield return (2, Trailed(frame, number + 500, 0xA)); // the wrong LAN
            if (i % 10 == 5) yield return (1, Trailed(frame, number, 0xA, wrong: 2)); // no trailer
            if (i % 4 == 1) yield return (1 + i % 2, Background(i));
        }
    }
}
