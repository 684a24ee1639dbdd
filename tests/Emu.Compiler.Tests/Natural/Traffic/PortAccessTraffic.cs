using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

/// <summary>
/// Stations at ports 1 and 2 log on by EAP-TLS, work, and one logs off; behind port 3 is one that does not.
/// </summary>
internal static class PortAccessTraffic
{
    private static readonly MacAddress s_group = MacAddress.Parse("01:80:c2:00:00:03");
    private static readonly MacAddress s_authenticator = MacAddress.Parse("02:00:00:00:0a:01");
    private static readonly MacAddress s_first = MacAddress.Parse("02:00:00:00:01:01");
    private static readonly MacAddress s_second = MacAddress.Parse("02:00:00:00:02:02");
    private static readonly MacAddress s_intruder = MacAddress.Parse("02:00:00:00:03:03");

    public static IEnumerable<(int Port, byte[] Frame)> Frames()
    {
        foreach (var (port, station) in new[] { (1, s_first), (2, s_second) })
        {
            yield return (port, Eapol(station, s_group, 1, []));
            // Identity?
            yield return (0, Eapol(s_authenticator, station, 0, Eap(1, 1, [1])));
            yield return (port, Eapol(station, s_group, 0, Eap(2, 1, [1, .. Text("user" + port + "@example.org")])));
            // EAP-TLS
            yield return (0, Eapol(s_authenticator, station, 0, Eap(1, 2, [13, 0x20])));
            yield return (port, Eapol(station, s_group, 0, Eap(2, 2, [13, 0x80, .. Noise(220, port)])));
            yield return (0, Eapol(s_authenticator, station, 0, Eap(1, 3, [13, 0xC0, .. Noise(1014, port)])));
            yield return (port, Eapol(station, s_group, 0, Eap(2, 3, [13, 0])));
            // forged: no response has this number
            yield return (0, Eapol(s_authenticator, station, 0, Eap(3, 9, [])));
            yield return (0, Eapol(s_authenticator, station, 0, Eap(3, 3, [])));
        }
        for (var i = 0; i < 4; i++)
        {
            yield return (1, Work(s_first, Right, 60 + i * 390, i));
            yield return (0, Work(Right, s_first, 1400 - i * 300, i));
            yield return (2, Work(s_second, Right, 80 + i * 31, i));
        }
        yield return (3, Work(s_intruder, Right, 100, 7));
        yield return (0, Work(Right, s_intruder, 100, 8));
        // an address at the wrong port
        yield return (3, Work(s_first, Right, 100, 9));
        // and its Logoff
        yield return (3, Eapol(s_first, s_group, 2, []));
        // a success from a station
        yield return (3, Eapol(s_intruder, s_first, 0, Eap(3, 1, [])));
        yield return (3, Packet.Ethernet(s_intruder, s_group, 0x888E).Payload([2, 0, 0, 200, 2, 1, 0, 200])
            .PaddedTo(60));
        yield return (3, Packet.Ethernet(s_intruder, s_group, 0x888E).Payload([2, 0]));
        yield return (2, Eapol(s_second, s_group, 2, []));
        yield return (2, Work(s_second, Right, 90, 10));
        for (var i = 0; i < 4; i++) yield return (0, Background(i));
    }

    private static byte[] Work(MacAddress source, MacAddress destination, int length, int seed) =>
        Packet.Ethernet(source, destination).IPv4(IP("10.0.0.1"), IP("10.0.0.2")).Tcp(40000, 443, flags: Packet.Ack)
            .Payload(Noise(length, seed)).PaddedTo(60);

    private static byte[] Eapol(MacAddress source, MacAddress destination, byte type, byte[] body) =>
        Packet.Ethernet(source, destination, 0x888E).Payload([2, type, .. U16(body.Length), .. body]).PaddedTo(60);

    private static byte[] Eap(byte code, byte identifier, byte[] data) =>
        [code, identifier, .. U16(4 + data.Length), .. data];
}
