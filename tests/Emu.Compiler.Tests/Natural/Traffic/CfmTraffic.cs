using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class CfmTraffic
{
    public static readonly MacAddress Own = MacAddress.Parse("02:00:00:00:00:77");

    public static byte[] Message(MacAddress source, MacAddress destination, int level, byte opcode, byte flags,
        byte first, byte[] body) =>
        Packet.Ethernet(source, destination, 0x8902).Payload([(byte)(level << 5), opcode, flags, first, .. body])
            .PaddedTo(60);

    public static byte[] Maid(string name) => [1, 2, (byte)name.Length, .. Text(name), .. new byte[45 - name.Length]];

    public static byte[] Check(int mep, uint sequence, int level = 4, string name = "core", byte flags = 3) =>
        Message(new MacAddress(0x0200_0000_0100 + (ulong)mep), new MacAddress(0x0180_C200_0030 + (ulong)level), level,
            1, flags, 70,
            [.. U32(sequence), .. U16(mep), .. Maid(name), .. new byte[16], 0]);

    public static byte[] Loopback(MacAddress destination, uint id, int length) =>
        Message(Left, destination, 4, 3, 0, 4, [.. U32(id), 3, .. U16(length), .. Noise(length, (int)id), 0]);

    public static IEnumerable<(int, byte[])> Frames()
    {
        for (var i = 0; i < 90; i++)
        {
            yield return (i % 10) switch
            {
                0 or 1 or 2 => (i % 2, Check(2 + i % 5, (uint)i, flags: (byte)(i % 7 == 0 ? 0x83 : 3))),
                3 => (0, Loopback(Own, (uint)i, i * 13 % 1000)),
                4 => (1, Loopback(Own, (uint)i, 10)),
                5 => (0, Check(2, (uint)i, level: i % 20 < 10 ? 2 : 6)),
                6 => (1, i % 20 < 10 ? Check(2, 1, name: "edge") : Check(3, 1)),
                7 => (1, i % 20 < 10 ? Loopback(Right, (uint)i, 30) : Message(Left, Own, 4, 1, 3, 70, new byte[20])),
                _ => (i % 2, Background(i)),
            };
        }
    }
}
