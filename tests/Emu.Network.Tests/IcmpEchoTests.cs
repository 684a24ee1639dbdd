using Emu.Protocols;
using Emu.Services;
using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>The kernel's own tools find a host in the service; what is broken it counts and does not answer.</summary>
public sealed class IcmpEchoTests(IcmpEchoTests.Networks networks) : IClassFixture<IcmpEchoTests.Networks>
{
    private const string Address = "10.0.0.77", Address6 = "fd00::77", Mac = "02:00:00:00:00:77";

    public static TheoryData<PortKind> Kinds => [.. Enum.GetValues<PortKind>()];

    public static MatrixTheoryData<PortKind, int> KindsAndSizes => new(Enum.GetValues<PortKind>(), [0, 1, 56, 1472]);

    [Theory, MemberData(nameof(KindsAndSizes))]
    public void Pings_of_every_size_are_answered(PortKind kind, int size) =>
        networks.Over(kind, "ping").Hosts[0].Ping(Address, "-c", "3", "-i", "0.05", "-s", $"{size}");

    [Theory, MemberData(nameof(KindsAndSizes))]
    public void Pings_over_IPv6_are_answered(PortKind kind, int size) =>
        networks.Over(kind, "ping").Hosts[0]
            .Ping(Address6, "-6", "-c", "3", "-i", "0.05", "-s", $"{Math.Min(size, 1452)}");

    [Theory, MemberData(nameof(Kinds))]
    public void A_flood_of_pings_loses_none(PortKind kind) =>
        networks.Over(kind, "ping").Hosts[0].Ping(Address, "-A", "-c", "5000");

    [Theory, MemberData(nameof(Kinds))]
    public void A_ping_that_records_its_route_finds_the_host_in_it(PortKind kind)
    {
        var output = networks.Over(kind, "ping").Hosts[0].Ping(Address, "-c", "1", "-R");
        var (begin, end) =
            (output.IndexOf("RR:", StringComparison.Ordinal), output.IndexOf("---", StringComparison.Ordinal));
        Assert.Contains(Address, output[begin..end]);
    }

    [Theory, MemberData(nameof(Kinds))]
    public void The_link_local_address_answers_a_ping(PortKind kind)
    {
        var host = networks.Over(kind, "ping").Hosts[0];
        host.Ping($"fe80::ff:fe00:77%{host.Interface}", "-6", "-c", "2", "-i", "0.05");
    }

    [Theory, MemberData(nameof(Kinds))]
    public void A_ping_with_timestamps_gets_its_option_back(PortKind kind) =>
        Assert.Contains("TS:", networks.Over(kind, "ping").Hosts[0].Ping(Address, "-c", "1", "-T", "tsonly"));

    [Theory, MemberData(nameof(Kinds))]
    public void ARP_is_answered(PortKind kind)
    {
        var host = networks.Over(kind, "arping").Hosts[0];
        Assert.Contains(
            Mac, host.Do("arping", "-c", "2", "-I", host.Interface!, Address), StringComparison.OrdinalIgnoreCase);
    }

    [Theory, MemberData(nameof(Kinds))]
    public void The_kernel_detects_that_the_IPv6_address_is_taken(PortKind kind)
    {
        Needs.Network();
        using var network = new ServiceNetwork(kind, Host(), 1);
        var host = network.Hosts[0];
        host.Inside(() =>
        {
            foreach (var scope in new[] { "all", host.Interface! })
                File.WriteAllText($"/proc/sys/net/ipv6/conf/{scope}/accept_dad", "1");
            return 0;
        });

        host.Do("ip", "address", "add", $"{Address6}/64", "dev", host.Interface!);

        Until.Holds(
            () => host.Do("ip", "-6", "address", "show", "dev", host.Interface!)
                .Contains("dadfailed", StringComparison.Ordinal),
            "the address is a duplicate");
        Assert.NotEqual(0UL, network.Look().Counters[nameof(HostCounters.NeighborAdvertisements)]);
    }

    [Theory, MemberData(nameof(Kinds))]
    public void Broken_packets_are_counted_and_not_answered(PortKind kind)
    {
        Needs.Network();
        using var network = new ServiceNetwork(kind, Host(), 1, areSilent: true);
        var station = network.StationAt(network.Hosts[0]);
        var (peer, us, from) = (IPv4Address.Parse("10.0.0.1"), IPv4Address.Parse(Address), network.Hosts[0].Mac);
        var toUs = Packet.Ethernet(from, MacAddress.Parse(Mac));
        (Packet Frame, string Counter)[] broken =
        [
            (toUs.IPv4(peer, us, checksum: 0x1234).IcmpEchoRequest(1, 1), nameof(HostCounters.BadChecksum)),
            (toUs.IPv4(peer, us).IcmpEchoRequest(1, 1, checksum: 0x1234).Payload("odd"),
                nameof(HostCounters.BadChecksum)),
            (toUs.IPv4(peer, us, totalLength: 400).IcmpEchoRequest(1, 1), nameof(HostCounters.Malformed)),
            (toUs.IPv4(peer, us, headerWords: 4).IcmpEchoRequest(1, 1), nameof(HostCounters.Malformed)),
            (toUs.IPv4(peer, us, version: 5).IcmpEchoRequest(1, 1), nameof(HostCounters.Malformed)),
            (toUs.IPv4(us, us).IcmpEchoRequest(1, 1), nameof(HostCounters.Malformed)),
            (toUs.IPv4(peer, us, protocol: 1).Payload(8, 0), nameof(HostCounters.Malformed)),
            (toUs.IPv4(peer, us, moreFragments: true).IcmpEchoRequest(1, 1).Payload(new byte[16]),
                nameof(HostCounters.Fragments)),
            (toUs.IPv4(peer, IPv4Address.Parse("255.255.255.255")).IcmpEchoRequest(1, 1), nameof(HostCounters.ToGroup)),
            (toUs.IPv6(IPv6Address.Parse("fd00::1"), IPv6Address.Parse(Address6))
                .Icmpv6EchoRequest(1, 1, checksum: 0x1234),
                nameof(HostCounters.BadChecksum)),
        ];

        foreach (var (frame, _) in broken) station.Send(frame);
        station.Send(toUs.IPv4(peer, us).IcmpEchoRequest(7, 7)); // and the next one is served

        Until.Holds(() => station.Received.Count > 0, "the request behind the broken packets is answered");
        PacketAssert.Equal(
            Packet.Ethernet(MacAddress.Parse(Mac), from).IPv4(us, peer).IcmpEchoReply(7, 7),
            Assert.Single(station.Received));
        var counters = network.Look().Counters;
        Assert.All(
            broken.CountBy(b => b.Counter), expected => Assert.Equal((ulong)expected.Value, counters[expected.Key]));
        Assert.Empty(network.Look().Faults);
    }

    private static IcmpEcho Host() =>
        new(IPv4Address.Parse(Address), MacAddress.Parse(Mac), IPv6Address.Parse(Address6));

    /// <summary>An echo host at one kernel host over each kind of port; made when a test first needs it.</summary>
    public sealed class Networks : IDisposable
    {
        private readonly Dictionary<PortKind, ServiceNetwork> _networks = [];

        public void Dispose()
        {
            foreach (var network in _networks.Values) network.Dispose();
        }

        internal ServiceNetwork Over(PortKind kind, params string[] programs)
        {
            Needs.Network(programs);
            if (!_networks.TryGetValue(kind, out var network))
                _networks[kind] = network = new ServiceNetwork(kind, Host(), 1);
            return network;
        }
    }
}
