using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

/// <summary>
/// Browsers, a library and a piece of malware open connections through the appliance; what follows is between them.
/// </summary>
internal static class TlsFingerprintTraffic
{
    private static readonly int[] s_browser = [0x1301, 0x1302, 0x1303, 0xC02B, 0xC02F, 0xC02C, 0xC030, 0xCCA9, 0xCCA8,
        0xC013, 0xC014, 0x9C, 0x9D, 0x2F, 0x35];
    private static readonly int[] s_library = [0x1302, 0x1303, 0x1301, 0xC02C, 0xC030, 0x9F, 0xC02B, 0xC02F, 0x9E,
        0xFF];
    private static readonly int[] s_malware = [0x35, 0x2F, 0x0A, 0x05, 0x04];

    public static IEnumerable<(int Port, byte[] Frame)> Frames()
    {
        for (var i = 0; i < 9; i++)
        {
            yield return (0, Segment(i, Browser(i)));
            yield return (0, i % 2 == 0
                ? Segment(i, Hello(s_library, [Extension(0, Name(i)), Extension(11, [1, 0]), Extension(10, Groups()),
                    Extension(43, [2, 3, 4])]))
                : Link.IPv6(IP6("2001:db8::1"), IP6("2001:db8::80")).Tcp((ushort)(41000 + i), 443, 1, 1,
                    Packet.Ack | Packet.Psh).Payload(Browser(i)));
            if (i % 3 == 0) yield return (0, Segment(i, Hello(s_malware, [Extension(0, Name(i))])));
            if (i % 2 == 0) yield return (1, Back.IPv4(IP("10.0.0.2"), IP("10.0.0.1"))
                .Tcp(443, (ushort)(40000 + i), 1, 600, Packet.Ack).Payload([22, 3, 3, 0, 122, 2, .. Noise(900, i)]));
        }
        // the rest is in the next segment
        yield return (0, Segment(20, Browser(3)[..150]));
        // application data
        yield return (0, Segment(20, [23, 3, 3, 1, 0, .. Noise(256, 1)]));
        yield return (0, Link.IPv4(IP("10.0.0.1"), IP("10.0.0.2")).Tcp(40000, 443, flags: Packet.Syn).PaddedTo(60));
        // A session's number that is too long, an odd number of bytes of suites, no compression, cut off in front of
        // them.
        var hello = Hello(s_library, [Extension(0, Name(1))]);
        yield return (0, Segment(21, Changed(hello, 43, 0xFF)));
        yield return (0, Segment(21, Changed(hello, 43 + 1 + 32 + 1, 21)));
        yield return (0, Segment(21, Changed(hello, 43 + 1 + 32 + 2 + 20, 0)));
        yield return (0, Segment(21, hello[..40]));
        yield return (0, Segment(21, Changed(hello, 43 + 1 + 32, 0xF0)));
        for (var i = 0; i < 4; i++) yield return (i % 2, Background(i));
    }

    /// <summary>A browser draws values of GREASE for each connection (RFC 8701).</summary>
    private static byte[] Browser(int i)
    {
        var grease = 0x0A0A + 0x1010 * (i % 16);
        return Hello(
            [grease, .. s_browser],
            [
                Extension(grease, []), Extension(0, Name(i)), Extension(23, []), Extension(0xFF01, [0]),
                    Extension(10, Groups()),
                Extension(11, [1, 0]), Extension(35, []), Extension(16,
                    [0, 12, 2, .. Text("h2"), 8, .. Text("http/1.1")]),
                Extension(5, [1, 0, 0, 0, 0]), Extension(13, [0, 8, 4, 3, 8, 4, 4, 1, 5, 3]),
                    Extension(51, [0, 36, 0, 29, 0, 32, .. Noise(32, i)]),
                Extension(45, [1, 1]), Extension(43, [4, 3, 4, 3, 3]), Extension(21, new byte[10 + i * 13]),
            ]);
    }

    private static byte[] Groups() => [0, 6, 0, 29, 0, 23, 0, 24];

    private static byte[] Name(int i)
    {
        var name = Text("host" + i + (i % 2 == 0 ? ".example.org" : ".shop.example.com"));
        return [.. U16(name.Length + 3), 0, .. U16(name.Length), .. name];
    }

    private static byte[] Extension(int type, byte[] content) => [.. U16(type), .. U16(content.Length), .. content];

    private static byte[] Hello(int[] suites, byte[][] extensions)
    {
        byte[] all = [.. extensions.SelectMany(e => e)];
        byte[] body =
        [
            3, 3, .. Noise(32, suites.Length), 32, .. Noise(32, 7), .. U16(2 * suites.Length),
                .. suites.SelectMany(U16),
            1, 0, .. U16(all.Length), .. all,
        ];
        return [22, 3, 1, .. U16(body.Length + 4), 1, .. U24(body.Length), .. body];
    }

    private static byte[] Changed(byte[] bytes, int offset, byte value)
    {
        byte[] changed = [.. bytes];
        changed[offset] = value;
        return changed;
    }

    private static byte[] Segment(int i, byte[] content) =>
        Link.IPv4(IP("10.0.0.1"), IP("10.0.0.2")).Tcp((ushort)(40000 + i), 443, 1, 1, Packet.Ack | Packet.Psh)
            .Payload(content).PaddedTo(60);
}
