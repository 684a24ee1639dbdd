using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class EpochSequencerTraffic
{
    private static byte[] Transaction(uint epoch, uint[] groups, byte[] body, int? count = null)
    {
        var bytes = new List<byte>([.. U32(epoch), .. U16(count ?? groups.Length), 0, 0]);
        foreach (var group in groups) bytes.AddRange([.. U32(group), .. U64(0)]);
        return [.. bytes, .. body];
    }

    private static byte[] Datagram(byte[] payload, int client = 1, ushort? checksum = null) =>
        Packet.Ethernet(Left, MacAddress.Parse("01:00:5e:00:00:50"))
            .IPv4(IP($"10.0.0.{client}"), IP("239.0.0.80")).Udp((ushort)(40000 + client), 9000, checksum: checksum)
            .Payload(payload).PaddedTo(60);

    public static IEnumerable<(int Port, byte[] Frame)> Frames()
    {
        // Most transactions are for one or two shards; bodies of 16 to 1,100 bytes.
        uint[][] groups = [[0], [1], [0, 1], [2], [3], [1, 3], [0, 1, 2], [2, 0], [3], [0, 1, 2, 3], [1], [2, 3]];
        for (var i = 0; i < 24; i++)
            yield return (0, Datagram(Transaction(0, groups[i % groups.Length], Noise(16 + i * i * 211 % 1080, i)),
                1 + i % 5));

        yield return (0, Datagram(Transaction(0, [1], Noise(64, 30)), checksum: 0)); // the client computes no checksum
        yield return (0, Datagram(Transaction(1, [1], Noise(64, 31)))); // numbered already
        yield return (0, Datagram(Transaction(0, [1, 2, 1], Noise(64, 32)))); // twice the same group
        yield return (0, Datagram(Transaction(0, [9], Noise(64, 33)))); // no such group
        yield return (0, Datagram(Transaction(0, [0, 1], [], count: 12))); // stamps are missing
        yield return (0, Datagram(Transaction(0, [], Noise(40, 34)))); // none
        yield return (0, Datagram([0, 0, 0, 0, 0])); // cut off
        yield return (0, Datagram(Transaction(0, [0], Noise(200, 35)), checksum: 0x1234)); // damaged
        for (var i = 0; i < 4; i++) yield return (i % 3, Background(i));
    }
}
