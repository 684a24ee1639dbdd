using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class CongestionPointTraffic
{
    private static readonly MacAddress s_storage = MacAddress.Parse("02:00:00:00:00:50");

    private static MacAddress Station(int i) => new(0x02_00_00_00_01_00UL + (uint)i);

    /// <summary>A frame of a controlled flow; with the number of its flow, if the station says it.</summary>
    private static byte[] Flow(int station, int length, int? flow, byte priority = 3)
    {
        var link = Packet.Ethernet(Station(station), s_storage);
        return flow is { } id
            ? link.Vlan(100, priority, type: 0x22E9).Payload([.. U16(id), .. U16(0x88B5), .. Noise(length, length)])
            : link.Vlan(100, priority, type: 0x88B5).Payload(Noise(length, length));
    }

    public static IEnumerable<(int Port, byte[] Frame)> Frames()
    {
        int[] lengths = [1490, 1490, 900, 1490, 64, 1490, 1490, 200, 1490, 1490];
        for (var i = 0; i < 34; i++)
            yield return (0, Flow(i % 6, lengths[i % 10], i % 6 < 4 ? 0x1000 + i % 6 : null));
        for (var i = 0; i < 4; i++)
            yield return (1, Packet.Ethernet(s_storage, Station(i)).Vlan(100, 3, type: 0x88B5)
                .Payload(Noise(60 + i * 300, i)));
        yield return (0, Flow(1, 500, null, priority: 0)); // not controlled
        yield return (0, Packet.Ethernet(MacAddress.Parse("03:00:00:00:00:01"), s_storage).Vlan(100, 3, type: 0x88B5)
            .Payload(Noise(1400, 1)));
        yield return (0, Packet.Ethernet(Left, Right, 0x8100).Payload([0x60])); // half a tag
        yield return (0, Packet.Ethernet(Station(2), s_storage).Vlan(100, 3, type: 0x22E9).Payload([]));
        for (var i = 0; i < 4; i++) yield return (i % 2, Background(i));
    }
}
