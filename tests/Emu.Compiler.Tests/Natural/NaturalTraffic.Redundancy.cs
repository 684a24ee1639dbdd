using Emu.Testing;

namespace Emu.Compiler.Tests;

internal static partial class NaturalTraffic
{
    /// <summary>A frame with the trailer of the parallel redundancy protocol.</summary>
    public static byte[] Redundant(byte[] frame, int sequence, int lan, int wrong = 0)
    {
        var header = frame[12] == 0x81 && frame[13] == 0 ? 18 : 14;
        return [.. frame, .. U16(sequence), .. U16(lan << 12 | (frame.Length + 6 - header + wrong)), .. U16(0x88FB)];
    }

    /// <summary>Of each three one by LAN A, the same by LAN B, and one from the single network.</summary>
    public static (int Port, byte[] Bytes) RedundantPair(int i, Random random)
    {
        var number = i / 3;
        byte[] Plain(int source, int length, bool isTagged)
        {
            var packet = Packet.Ethernet(new MacAddress(0x0200_0000_0900 + (ulong)source), RightMac);
            if (isTagged) packet = packet.Vlan(3, priority: 4);
            return packet.IPv4(Left, Right).Udp(1000, 2000).Payload(Bytes(new Random(length), length, length))
                .PaddedTo(60);
        }
        var frame = Plain(number % 4, number * 97 % 1400, number % 5 == 0);
        return (i % 3, number % 10) switch
        {
            (0, _) => (1, Redundant(frame, number, 0xA)),
            (1, 3) => (2, Redundant(frame, number + 500, 0xA)), // the wrong LAN
            (1, 5) => (1, Redundant(frame, number, 0xA, wrong: 2)), // no trailer
            (1, 7) => (2, Other(random).Bytes),
            (1, 9) => (2, Redundant(Plain(5, 40, false), number, 0xB)), // alone
            (1, _) => (2, Redundant(frame, number, 0xB)),
            _ => (0, Plain(9, number * 61 % 1400, number % 7 == 0)),
        };
    }
}
