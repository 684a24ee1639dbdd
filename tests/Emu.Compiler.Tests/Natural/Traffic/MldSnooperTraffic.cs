using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

/// <summary>
/// IPTV and a conference behind a router at port 0: queries, reports of both versions, and the streams themselves.
/// </summary>
internal static class MldSnooperTraffic
{
    private const string News = "ff0e::1:101", Sports = "ff0e::1:102", Meeting = "ff05::2:7", Unknown = "ff0e::9:9";

    public static IEnumerable<(int Port, byte[] Frame)> Frames()
    {
        yield return (0, Mld("fe80::1", "ff02::1", 130, [.. U32(10_000 << 16), .. new byte[16], 2, 125, 0, 0]));
        yield return (1, Reports("fe80::11", Record(4, News)));
        yield return (2, Reports("fe80::12", Record(4, News), Record(4, Meeting)));
        yield return (3, Mld("fe80::13", Sports, 131, [.. U32(0), .. Address(Sports)]));
        yield return (2, Reports("fe80::12", Record(3, Sports, "2001:db8::5", "2001:db8::6"),
            Record(2, "ff02::1:ff00:12"), Record(6, News, "2001:db8::9")));
        for (var i = 0; i < 7; i++)
        {
            yield return (0, Stream(News, 1316, i));
            yield return (0, Stream(Sports, 188 * (1 + i % 7), i));
            yield return (1 + i % 3, Stream(Meeting, 40 + i * 60, i));
        }
        yield return (1, Stream(Unknown, 100, 9));
        yield return (1, Reports("fe80::11", Record(2, News), Record(2, Sports), Record(2, Meeting),
            Record(2, "ff02::fb")));
        yield return (1, Reports("fe80::11", Record(3, Sports)));
        yield return (3, Mld("fe80::13", "ff02::2", 132, [.. U32(0), .. Address(Sports)]));
        // mDNS, of the link
        yield return (3, Stream("ff02::fb", 200, 1));
        // From beyond the link, with a wrong checksum, records that are not there or go too far, half a report.
        yield return (1, Mld("2001:db8::66", "ff02::16", 143, [.. U32(1), .. Record(4, Unknown)]));
        yield return (1, Mld("fe80::11", "ff02::16", 143, [.. U32(1), .. Record(4, Unknown)], hopLimit: 64));
        yield return (1, Mld("fe80::11", "ff02::16", 143, [.. U32(1), .. Record(4, Unknown)], spoil: 1));
        yield return (1, Mld("fe80::11", "ff02::16", 143, [.. U32(5), .. Record(4, Unknown)]));
        yield return (1, Mld("fe80::11", "ff02::16", 143, [.. U32(1), 4, 200, 255, 255, .. Address(Unknown)]));
        yield return (1, Mld("fe80::11", Sports, 131, [.. U32(0), 0xFF, 0x0E]));
        for (var i = 0; i < 4; i++) yield return (i, Background(i));
    }

    private static byte[] Address(string text)
    {
        var bits = IP6(text).Bits;
        return [.. U64((ulong)(bits >> 64)), .. U64((ulong)bits)];
    }

    private static byte[] Record(byte type, string group, params string[] sources) =>
        [type, 0, .. U16(sources.Length), .. Address(group), .. sources.SelectMany(Address)];

    private static byte[] Reports(string source, params byte[][] records) =>
        Mld(source, "ff02::16", 143, [.. U32((uint)records.Length), .. records.SelectMany(r => r)]);

    /// <summary>A message behind a router alert, whose checksum the builder does not know of.</summary>
    private static byte[] Mld(string source, string destination, byte type, byte[] body, byte hopLimit = 1,
        int spoil = 0)
    {
        byte[] message = [type, 0, 0, 0, .. body];
        byte[] pseudo = [.. Address(source), .. Address(destination), .. U32((uint)message.Length), .. U32(58)];
        var checksum = InternetChecksum.Compute([.. pseudo, .. message]) + spoil;
        U16(checksum).CopyTo(message, 2);
        return Packet.Ethernet(Left, IP6(destination).MulticastMac)
            .IPv6(IP6(source), IP6(destination), hopLimit, nextHeader: 0)
            .Payload([58, 0, 5, 2, 0, 0, 1, 0, .. message]);
    }

    private static byte[] Stream(string group, int length, int seed) =>
        Packet.Ethernet(Left, IP6(group).MulticastMac).IPv6(IP6("2001:db8::5"), IP6(group), hopLimit: 16)
            .Udp(5004, 5004).Payload(Noise(length, seed));
}
