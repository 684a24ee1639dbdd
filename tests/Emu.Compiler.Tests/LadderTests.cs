using Emu.Fuzz;
using Emu.Services;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>The services here do the same on every rung of the ladder.</summary>
public sealed class LadderTests
{
    private static readonly MacAddress s_mac = MacAddress.Parse("02:00:00:00:00:02");
    private static readonly MacAddress s_peerMac = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly IPv4Address s_ip = IPv4Address.Parse("10.0.0.2");
    private static readonly IPv4Address s_peer = IPv4Address.Parse("10.0.0.1");
    private static readonly IPv6Address s_ip6 = IPv6Address.Parse("fd00::2");
    private static readonly IPv6Address s_peer6 = IPv6Address.Parse("fd00::1");

    [Fact]
    public void LearningSwitch_on_frames_between_few_stations_that_move_and_age() => CompareLearningSwitch(3000, Ladder.Rungs);

    [Fact]
    public void LearningSwitch_in_Icarus() => CompareLearningSwitch(300, Outside(OutsideSimulator.Icarus));

    [Fact]
    public void LearningSwitch_in_Verilator() => CompareLearningSwitch(1000, Outside(OutsideSimulator.Verilator));

    [Fact]
    public void IcmpEcho_on_requests_of_every_kind_changed_at_random() => CompareIcmpEcho(1500, Ladder.Rungs);

    [Fact]
    public void IcmpEcho_in_Icarus() => CompareIcmpEcho(40, Outside(OutsideSimulator.Icarus));

    private static void CompareLearningSwitch(int frames, IReadOnlyList<Rung> rungs)
    {
        var random = new Random(1);
        // Few sets, so that entries are replaced, and a short ageing time, so that they expire.
        Compare(() => new LearningSwitch(capacity: 16, ageingSeconds: 10, @static: [new StaticEntry(new MacAddress(3), PortSet.Parse("1,2"))]), frames, () =>
            Packet.Ethernet(Station(random), Station(random)).Payload([.. new byte[random.Next(50)]]), random, rungs);
    }

    private static void CompareIcmpEcho(int frames, IReadOnlyList<Rung> rungs)
    {
        var random = new Random(2);
        var requests = Requests();
        Compare(() => new IcmpEcho(s_ip, s_mac, s_ip6), frames, () => Mutate(requests[random.Next(requests.Length)], random), random, rungs);
    }

    private static IReadOnlyList<Rung> Outside(OutsideSimulator outside)
    {
        if (outside.WhyNot is { } whyNot) Assert.Skip(whyNot);
        return [new DotNetRung(), new OutsideRung(outside)];
    }

    private static void Compare(Func<Service> construct, int frames, Func<byte[]> next, Random random, IReadOnlyList<Rung> rungs)
    {
        var time = 1_700_000_000_000_000_000UL;
        var received = Enumerable.Range(0, frames).Select(_ => new ReceivedFrame(random.Next(Subject.Ports), next(), time += (ulong)random.NextInt64(100_000_000))).ToList();
        var difference = Ladder.Difference(new Subject(construct), received, rungs);
        Assert.True(difference is null, difference);
    }

    /// <summary>A few stations, groups and reserved addresses.</summary>
    private static MacAddress Station(Random random) => random.Next(8) switch
    {
        0 => MacAddress.Broadcast,
        1 => new MacAddress(0x0180_C200_0000UL | (uint)random.Next(20)),
        _ => new MacAddress((ulong)random.Next(40)),
    };

    private static byte[][] Requests()
    {
        var toUs = Packet.Ethernet(s_peerMac, s_mac);
        var group = s_ip6.SolicitedNode;
        return
        [
            Packet.Ethernet(s_peerMac, MacAddress.Broadcast).ArpRequest(s_peerMac, s_peer, s_ip).PaddedTo(60),
            toUs.IPv4(s_peer, s_ip, ttl: 3).IcmpEchoRequest(7, 9).Payload([.. new byte[33]]),
            toUs.IPv4(s_peer, s_ip, options: [7, 7, 4, 0, 0, 0, 0, 1, 68, 8, 5, 0, 0, 0, 0, 0]).IcmpEchoRequest(7, 9).Payload("options"),
            toUs.IPv4(s_peer, s_ip, options: [1, 131, 7, 8, 10, 0, 0, 9]).IcmpEchoRequest(7, 9),
            toUs.IPv4(s_peer, s_ip, moreFragments: true).IcmpEchoRequest(7, 9),
            toUs.IPv4(s_peer, s_ip).Udp(1, 2).Payload("x"),
            toUs.IPv6(s_peer6, s_ip6).Icmpv6EchoRequest(7, 9).Payload("hello, six"),
            Packet.Ethernet(s_peerMac, group.MulticastMac).IPv6(s_peer6, group, hopLimit: 255).NeighborSolicitation(s_ip6, s_peerMac),
            Packet.Ethernet(s_peerMac, group.MulticastMac).IPv6(default, group, hopLimit: 255).NeighborSolicitation(s_ip6),
        ];
    }

    /// <summary>Half of the frames as they are; the rest cut, or with a few bytes changed.</summary>
    private static byte[] Mutate(byte[] frame, Random random)
    {
        var changed = frame.ToArray();
        switch (random.Next(4))
        {
            case 0:
                return changed[..random.Next(14, changed.Length + 1)];
            case 1:
                for (var i = random.Next(3); i >= 0; i--) changed[random.Next(changed.Length)] = (byte)random.Next(256);
                return changed;
            default:
                return changed;
        }
    }
}
