using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class DiameterTraffic
{
    public static byte[] Avp(uint code, byte[] data, uint? vendor = null)
    {
        byte[] body = [.. U32(code), (byte)(vendor is null ? 0x40 : 0xC0),
            .. U24((vendor is null ? 8 : 12) + data.Length),
            .. vendor is { } v ? U32(v) : [], .. data];
        return [.. body, .. new byte[-body.Length & 3]];
    }

    public static byte[] Message(bool isRequest, int command, uint application, params byte[][] avps)
    {
        byte[] body = [.. avps.SelectMany(a => a)];
        return [1, .. U24(20 + body.Length), (byte)(isRequest ? 0xC0 : 0x40), .. U24(command), .. U32(application),
            .. U32(0x1111), .. U32(0x2222), .. body];
    }

    public static byte[] Frame(byte[] message, ushort port = 3868) =>
        Link.IPv4(IP("198.51.100.1"), IP("10.0.0.2")).Tcp(41000, port, 1, 1, Packet.Ack | Packet.Psh).Payload(message)
            .PaddedTo(60);

    public static byte[] Location(string realm, int i, bool isRelayed = false) => Message(true, 316, 16_777_251,
        Avp(263, Text($"mme{i}.{realm};{i * 77};1")), Avp(277, U32(1)), Avp(264, Text($"mme{i}.{realm}")),
        Avp(296, Text(realm)), Avp(293, Text("hss.home.example")), Avp(283, Text("home.example")),
        Avp(1, Text($"26201{i:0000000000}")), Avp(1032, U32(1004), 10415), Avp(1405, U32(34), 10415),
        Avp(1407, [0x62, 0xF2, 0x10], 10415), isRelayed ? Avp(282, Text("dra.ipx.example")) : []);

    public static IEnumerable<(int, byte[])> Frames()
    {
        for (var i = 0; i < 80; i++)
        {
            yield return (i % 10) switch
            {
                0 => (0, Frame(Message(true, 280, 0, Avp(264, Text("mme1.partner.example")),
                    Avp(296, Text("partner.example"))))),
                1 => (0, Frame(Location("PARTNER.example", i))),
                2 => (0, Frame(Location(i % 3 == 0 ? "evil.example" : "partner.exampl", i))),
                3 => (0, Frame(Location("partner.example", i, true))),
                4 => (1, Back.IPv4(IP("10.0.0.2"), IP("198.51.100.1")).Tcp(3868, 41000, 1, 1, Packet.Ack)
                    .Payload(Message(false, 316, 16_777_251, Avp(268, U32(2001)), Avp(1400, Noise(300, i), 10415)))
                        .PaddedTo(60)),
                5 => (0, Frame(Message(false, 317, 16_777_251, Avp(268, U32(2001)), Avp(264, Text("x"))))),
                6 => (0, Frame(Message(true, 272, 4, Avp(296, Text("partner.example"))))),
                7 => (0, Frame(i % 20 < 10
                    ? Message(true, 316, 16_777_251, Avp(296, Text("partner.example")),
                        [0, 0, 1, 0, 0x40, 0, 0, 200, 1, 2, 3, 4])
                    : [1, .. U24(4000), 0xC0, .. U24(316), .. new byte[60]])),
                8 => (0, Frame(Message(true, 316, 16_777_251,
                    [.. Enumerable.Range(0, 30).SelectMany(n => Avp((uint)(1400 + n), Noise(1 + n % 7, n), 10415)),
                        .. Avp(296, Text("partner.example"))]))),
                _ => (0, Background(i)),
            };
        }
    }
}
