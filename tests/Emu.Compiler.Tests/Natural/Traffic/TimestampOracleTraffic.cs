using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class TimestampOracleTraffic
{
    private static readonly IPv4Address s_oracle = IP("10.0.0.2");
    private static readonly MacAddress s_mac = MacAddress.Of(s_oracle);

    private static byte[] Request(uint count, ulong id, byte[] context, byte version = 1, byte type = 1,
        int cluster = 7) =>
        [version, type, .. U16(cluster), .. U64(id), .. U32(count), .. context];

    private static byte[] To(byte[] payload, int client = 10, ushort port = 2379, ushort? checksum = null) =>
        Packet.Ethernet(Left, s_mac).IPv4(IP($"10.0.0.{client}"), s_oracle)
            .Udp((ushort)(50000 + client), port, checksum: checksum)
            .Payload(payload).PaddedTo(60);

    public static IEnumerable<(int Port, byte[] Frame)> Frames()
    {
        uint[] counts = [1, 1, 2, 1, 8, 1, 64, 1, 1, 256, 4, 1];
        for (var i = 0; i < 20; i++)
            yield return (i % 4, To(Request(counts[i % counts.Length], (ulong)i << 32 | 77, Noise(i * 7 % 5 * 16, i)),
                10 + i % 7));
        for (var i = 0; i < 6; i++)
            yield return (i % 4, Packet.Ethernet(Left, s_mac).IPv6(IP6("2001:db8::1"), IP6("2001:db8::2"))
                .Udp(51000, 2379)
                .Payload(Request(counts[i + 3], (ulong)i + 1000, Noise(i * 8, i))));

        yield return (0, To(Request(0, 2000, []))); // none
        yield return (0, To(Request(1 << 17, 2001, []))); // too many
        yield return (0, To(Request(1, 2002, [], cluster: 8)));
        yield return (0, To(Request(1, 2003, [], type: 2))); // an answer
        yield return (0, To(Request(1, 2004, [], version: 9)));
        yield return (0, To(Request(1, 2005, [])[..11])); // cut off
        yield return (0, To(Request(1, 2006, Noise(100, 1)))); // more context than there may be
        yield return (0, To(Request(1, 2007, []), checksum: 0x4321));
        yield return (0, To(Request(1, 2008, []), port: 53));
        yield return (1, Packet.Ethernet(Left, MacAddress.Broadcast).ArpRequest(Left, IP("10.0.0.10"), s_oracle)
            .PaddedTo(60));
        for (var i = 0; i < 4; i++) yield return (i, Background(i));
    }
}
