using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class TransportStreamTraffic
{
    public static byte[] Ts(int pid, int counter, bool hasAdaptation = false, bool isDiscontinuous = false,
        bool hasPayload = true, byte sync = 0x47, bool isBroken = false, int scrambling = 0)
    {
        var packet = Noise(188, pid + counter);
        packet[0] = sync;
        packet[1] = (byte)((isBroken ? 0x80 : 0) | pid >> 8);
        packet[2] = (byte)pid;
        packet[3] = (byte)(scrambling << 6 | (hasAdaptation ? 0x20 : 0) | (hasPayload ? 0x10 : 0) | counter & 15);
        if (hasAdaptation) (packet[4], packet[5]) = (7, (byte)(isDiscontinuous ? 0x90 : 0x10));
        return packet;
    }

    public static byte[] Datagram(byte[] payload, string group = "239.1.1.1", bool isRtp = false, int sequence = 0) =>
        Packet.Ethernet(Left, MacAddress.Parse("01:00:5e:01:01:01")).IPv4(IP("10.0.0.1"), IP(group)).Udp(5000, 1234)
            .Payload([.. isRtp ? (byte[])[0x80, 33, .. U16(sequence), .. U32(1), .. U32(2)] : [], .. payload])
                .PaddedTo(60);

    public static IEnumerable<(int, byte[])> Frames()
    {
        var (video, audio, table) = (0, 0, 0);
        for (var i = 0; i < 70; i++)
        {
            var packets = new List<byte[]>();
            for (var n = 0; n < 7; n++)
            {
                if (i % 10 == 4 && n == 3) video++; // lost
                packets.Add(n switch
                {
                    0 => Ts(0x100, video++, hasAdaptation: i % 3 == 0),
                    2 => Ts(0x101, audio++),
                    4 when i % 5 == 0 => Ts(0, table++),
                    5 when i % 4 == 0 => Ts(0x1FFF, 0),
                    6 when i % 7 == 0 => Ts(0x100, video, isBroken: true),
                    6 when i % 11 == 5 => Ts(0x100, video, sync: 0x48),
                    3 when i % 13 == 2 => Ts(0x101, audio - 1), // twice
                    3 when i % 17 == 6 => Ts(0x102, 9 + i, hasAdaptation: true, isDiscontinuous: true, scrambling: 2),
                    _ => Ts(0x100, video++),
                });
            }
            yield return (0, Datagram([.. packets.SelectMany(p => p)], isRtp: i % 2 == 0, sequence: i));
            if (i % 9 == 1) yield return (0, Datagram([.. packets[0], .. packets[1], 1, 2, 3]));
            if (i % 9 == 2) yield return (0, Datagram(packets[0], group: "10.0.0.2"));
            if (i % 6 == 0) yield return (i % 2, Background(i));
        }
    }
}
