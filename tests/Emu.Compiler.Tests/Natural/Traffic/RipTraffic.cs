using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class RipTraffic
{
    public static byte[] Route(string network, string mask, uint metric, int family = 2, int tag = 0) =>
        [.. U16(family), .. U16(tag), .. U32(IP(network).Bits), .. U32(IP(mask).Bits), .. U32(0), .. U32(metric)];

    public static byte[] Frame(byte[] message, ushort source = 520, ushort? checksum = null) =>
        Packet.Ethernet(Left, MacAddress.Parse("01:00:5e:00:00:09")).IPv4(IP("10.0.0.1"), IP("224.0.0.9"), ttl: 1)
            .Udp(source, 520, checksum: checksum).Payload(message).PaddedTo(60);

    public static IEnumerable<(int, byte[])> Frames()
    {
        byte[] Routes(int count, int i) => [.. Enumerable.Range(0, count)
            .SelectMany(n => Route($"{(n % 3 == 0 ? 192 : 10)}.{i}.{n}.0", "255.255.255.0", (uint)(1 + (n + i) % 16)))];
        for (var i = 0; i < 80; i++)
        {
            yield return (i % 2, (i % 10) switch
            {
                0 => Frame([2, 2, 0, 0, .. Routes(25, i)]),
                1 => Frame([2, 2, 0, 0, .. Routes(1 + i % 9, i)]),
                2 => Frame([2, 2, 0, 0, .. Route("10.1.0.0", "255.255.0.0", 16)], checksum: i % 4 == 0 ? (ushort)0
                    : null),
                3 => Frame([1, 2, 0, 0, .. Route("0.0.0.0", "0.0.0.0", 16, family: 0)]),
                4 => Frame([2, 2, 0, 0, .. U16(0xFFFF), .. U16(2), .. Text("password12345678"), .. Routes(4, i)]),
                5 => Frame([2, 2, 0, 0, .. U16(0xFFFF), .. U16(3), .. new byte[16], .. Routes(4, i), .. U16(0xFFFF),
                    .. U16(1), .. Noise(16, i)]),
                6 => Frame([2, 2, 0, 0, .. Routes(3, i), .. Route("10.2.0.0", "255.255.0.0", i % 20 < 10 ? 0u : 17u)]),
                7 => i % 20 < 10 ? Frame([2, 2, 0, 0, .. Routes(2, i), 1, 2, 3])
                    : Frame([2, 2, 0, 0, .. Routes(2, i)], source: 4000),
                8 => Frame([2, 1, 0, 0, .. Routes(12, i)]),
                _ => Background(i),
            });
        }
    }
}
