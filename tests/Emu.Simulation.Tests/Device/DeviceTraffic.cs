using Emu.Hosting;
using Emu.Testing;

namespace Emu.Simulation.Tests;

/// <summary>Frames for a device, for each port a list.</summary>
internal static class DeviceTraffic
{
    public static readonly MacAddress HostMac = MacAddress.Parse("02:00:00:00:00:77");
    public static readonly IPv4Address HostAddress = IPv4Address.Parse("10.0.0.77");
    public static readonly IPv6Address HostAddress6 = IPv6Address.Parse("fd00::77");

    private const ulong Second = 1_000_000_000;

    /// <summary>
    /// Stations that move, tags, groups, frames too short and too long, some at the same time on two ports,
    /// silence beyond the ageing time.
    /// </summary>
    public static List<TimedFrame>[] ForSwitch(int ports, int count, int seed)
    {
        var random = new Random(seed);
        var traffic = Enumerable.Range(0, ports).Select(_ => new List<TimedFrame>()).ToArray();
        MacAddress[] addresses =
        [
            // more than the table holds
            .. Enumerable.Range(1, 12).Select(i => new MacAddress(0x0200_0000_0000 + (ulong)i)),
            MacAddress.Broadcast, MacAddress.Parse("01:80:c2:00:00:00"), MacAddress.Parse("33:33:00:00:00:01"),
        ];
        var time = 1_700_000_000 * Second;
        for (var i = 0; i < count; i++)
        {
            time += random.Next(10) switch { 0 => 0, 1 => 20 * Second, _ => (ulong)random.Next(1_000_000) };
            var packet = Packet.Ethernet(addresses[random.Next(12)], addresses[random.Next(addresses.Length)]);
            byte[] frame = random.Next(12) switch
            {
                0 => packet.Payload(new byte[1501]),                // too long
                1 => new byte[random.Next(1, 14)],                  // too short
                2 => packet.Vlan(5).Payload(Data(random, 1500)),    // as long as can be
                3 => packet.Vlan(7, priority: 3).Payload(Data(random, random.Next(200))),
                _ => packet.Payload(Data(random, random.Next(300))),
            };
            traffic[random.Next(ports)].Add(new TimedFrame(frame, time));
        }
        return traffic;
    }

    /// <summary>Frames that an echo host answers, and frames that it counts.</summary>
    public static List<TimedFrame> ForHost()
    {
        var (peerMac, peer, peer6) =
            (MacAddress.Parse("02:00:00:00:00:01"), IPv4Address.Parse("10.0.0.1"), IPv6Address.Parse("fd00::1"));
        var toHost = Packet.Ethernet(peerMac, HostMac);
        List<Packet> packets =
        [
            Packet.Ethernet(peerMac, MacAddress.Broadcast).ArpRequest(peerMac, peer, HostAddress).PaddedTo(60),
            Packet.Ethernet(peerMac, HostAddress6.SolicitedNode.MulticastMac)
                .IPv6(peer6, HostAddress6.SolicitedNode, Packet.NeighborHopLimit)
                .NeighborSolicitation(HostAddress6, peerMac),
            toHost.IPv4(peer, HostAddress, checksum: 0xBAD0).IcmpEchoRequest(4, 4),
            toHost.IPv4(peer, HostAddress).IcmpEchoRequest(5, 5, checksum: 0xBAD0).Payload("seven77"),
            toHost.IPv4(peer, HostAddress).Udp(1000, 7).Payload("not for us"),
        ];
        for (ushort length = 0; length <= 1472; length += 184)
        {
            packets.Add(toHost.IPv4(peer, HostAddress, ttl: 3)
                .IcmpEchoRequest(length, 1).Payload(Data(new Random(length), length)));
            packets.Add(toHost.IPv6(peer6, HostAddress6)
                .Icmpv6EchoRequest(length, 2).Payload(Data(new Random(length), Math.Min((int)length, 1452))));
        }
        return [.. packets.Select((packet, i) => new TimedFrame(packet, 1_700_000_000 * Second + (ulong)i * 1000))];
    }

    private static byte[] Data(Random random, int length)
    {
        var data = new byte[length];
        random.NextBytes(data);
        return data;
    }
}
