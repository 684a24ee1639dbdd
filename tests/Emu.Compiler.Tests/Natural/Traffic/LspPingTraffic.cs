using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

/// <summary>
/// Pings and traceroutes of label switched paths through and to a router, of varied lengths by their padding.
/// </summary>
internal static class LspPingTraffic
{
    private static readonly byte[] s_alert = [0x94, 4, 0, 0];

    public static IEnumerable<(int Port, byte[] Frame)> Frames()
    {
        for (var i = 0; i < 9; i++)
        {
            var padding = Tlv(3, [2, .. new byte[3 + i * 113 % 1200]]);
            yield return (0, Labelled(17, Request(i, [.. Stack("10.1.0.0", 16), .. padding])));           // egress
            yield return (0, Labelled(24, Request(i, [.. Stack("10.2.0.0", 16), .. i % 2 == 0 ? [] : padding])));
            // its label was popped
            yield return (1, Request(100 + i, Stack("10.1.0.0", 16)));
        }
        // the wrong label
        yield return (0, Labelled(25, Request(1, Stack("10.2.0.0", 16))));
        // no such class
        yield return (0, Labelled(24, Request(2, Stack("10.9.0.0", 16))));
        // an RSVP tunnel
        yield return (0, Labelled(24, Request(3, Tlv(1, Tlv(3, new byte[20])))));
        // downstream mapping
        yield return (0, Labelled(24, Request(4, [.. Stack("10.2.0.0", 16), .. Tlv(2, new byte[8])])));
        // may be skipped
        yield return (0, Labelled(24, Request(5, [.. Stack("10.2.0.0", 16), .. Tlv(0x8005, new byte[9])])));
        // no reply wanted
        yield return (0, Request(6, Stack("10.1.0.0", 16), mode: 1));
        // Without a class; a length beyond the end; half a TLV; too short.
        yield return (0, Request(7, []));
        yield return (0, Request(8, [0, 1, 0xFF, 0xFF, 0, 1]));
        yield return (0, Request(9, [.. Stack("10.1.0.0", 16), 0, 3]));
        yield return (0, Request(10, [], cut: 12));
        yield return (0, Labelled(24, [.. Link.ToArray(), 0x45, 0]));
        // A labelled packet that is none of ours.
        yield return (0, Labelled(24, Link.IPv4(IP("10.0.0.1"), IP("10.2.0.9")).Udp(9000, 9001)
            .Payload(Noise(300, 1))));
        for (var i = 0; i < 4; i++) yield return (0, Background(i));
    }

    private static byte[] Request(int number, byte[] tlvs, byte mode = 2, int cut = 0)
    {
        byte[] message =
        [
            .. U16(1), 0, 0, 1, mode, 0, 0, .. U32(0xABCD_0000), .. U32((uint)number),
            .. U32(0xE8F0_0000), .. U32((uint)number << 20), .. U64(0), .. tlvs,
        ];
        return Packet.Ethernet(Left, Right)
            .IPv4(IP("10.255.0.1"), IP("127.0.0." + (1 + number % 8)), ttl: 1, options: s_alert).Udp(49152, 3503)
            .Payload(message[..^cut]).PaddedTo(60);
    }

    private static byte[] Stack(string prefix, byte length) => Tlv(1, Tlv(1, [.. U32(IP(prefix).Bits), length]));

    private static byte[] Tlv(int type, byte[] value) =>
        [.. U16(type), .. U16(value.Length), .. value, .. new byte[-value.Length & 3]];

    /// <summary>Puts a label in front of an IP packet, the only one of its stack.</summary>
    private static byte[] Labelled(uint label, byte[] frame) =>
        [.. frame[..12], 0x88, 0x47, .. U32(label << 12 | 0x100 | 1), .. frame[14..]];
}
