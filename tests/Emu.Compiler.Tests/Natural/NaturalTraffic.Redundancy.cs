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

    /// <summary>Frames by LAN A, most of them by LAN B, too, and those of the single network among them.</summary>
    public static (int Port, byte[] Bytes) Redundancy(int i)
    {
        var frames = RedundantFrames().ToList();
        return frames[i % frames.Count];
    }

    private static IEnumerable<(int Port, byte[] Bytes)> RedundantFrames()
    {
        for (var i = 0; i < 30; i++)
        {
            var frame = RedundancySource(i % 4, i * 97 % 1400, i % 5 == 0);
            yield return (1, Redundant(frame, i, 0xA));
            if (i % 6 != 0) yield return (2, Redundant(frame, i, 0xB));
            yield return (0, RedundancySource(9, i * 61 % 1400, i % 7 == 0));
            if (i % 10 == 3) yield return (2, Redundant(frame, i + 500, 0xA)); // the wrong LAN
            if (i % 10 == 5) yield return (1, Redundant(frame, i, 0xA, wrong: 2)); // no trailer
            if (i % 4 == 1) yield return (1 + i % 2, Other(new Random(i)).Bytes);
        }
    }

    private static byte[] RedundancySource(int source, int length, bool isTagged)
    {
        var packet = Packet.Ethernet(new MacAddress(0x0200_0000_0900 + (ulong)source), RightMac);
        if (isTagged) packet = packet.Vlan(3, priority: 4);
        return packet.IPv4(Left, Right).Udp(1000, 2000).Payload(Bytes(new Random(length), length, length))
            .PaddedTo(60);
    }
}
