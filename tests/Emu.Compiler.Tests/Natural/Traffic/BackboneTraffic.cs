using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class BackboneTraffic
{
    public static readonly MacAddress Own = MacAddress.Parse("02:00:00:00:00:b1");
    public static readonly MacAddress All = new(0x011E_8300_0000 | 70000);

    public static byte[] Wrapped(byte[] inner, ulong edge, MacAddress destination, uint service = 70000,
        ushort vlan = 100, int priority = 0) =>
        [.. U64(destination.Bits << 16)[..6], .. U64(edge << 16)[..6], .. U16(0x88A8), .. U16(priority << 13 | vlan),
            .. U16(0x88E7), .. U32((uint)priority << 29 | service), .. inner];

    public static MacAddress Station(int n) => new(0x0200_0000_C000 + (ulong)n);

    public static byte[] Inner(int from, int to, int length, bool isTagged = false)
    {
        var packet = Packet.Ethernet(Station(from), Station(to));
        if (isTagged) packet = packet.Vlan(7, priority: 5);
        return packet.IPv4(IP("172.16.0.1"), IP("172.16.0.2")).Udp(1000, 2000).Payload(Noise(length, length))
            .PaddedTo(60);
    }

    public static IEnumerable<(int, byte[])> Frames()
    {
        for (var i = 0; i < 90; i++)
        {
            yield return (i % 9) switch
            {
                0 or 1 or 2 => (1, Wrapped(Inner(100 + i % 30, i % 10, i * 89 % 1380),
                    0x0200_0000_00B2 + (ulong)(i % 3), i % 4 == 0 ? All : Own)),
                3 or 4 => (0, Inner(i % 10, 100 + i % 30, i * 71 % 1380, i % 3 == 0)),
                5 => (0, Inner(i % 10, 200 + i, 100)),
                6 => (0, i % 2 == 0 ? Packet.Ethernet(Station(1), MacAddress.Broadcast)
                    .ArpRequest(Station(1), IP("172.16.0.1"), IP("172.16.0.2")).PaddedTo(60)
                    : Packet.Ethernet(Station(1), MacAddress.Parse("01:80:c2:00:00:0e"), 0x88CC).Payload(Noise(60, i))),
                7 => (1, i % 3 == 0 ? Wrapped(Inner(1, 2, 60), 0x0200_0000_00B2, Own, service: 5) : i % 3 == 1
                    ? Wrapped(Inner(1, 2, 60), 0x0200_0000_00B2, Own, vlan: 9) : Background(i)),
                _ => (i % 2, Background(i)),
            };
        }
    }
}
