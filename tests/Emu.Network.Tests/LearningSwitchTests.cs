using System.Text.Json;
using Emu.Services;
using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>The kernel's own hosts reach each other through the switch, whatever they send.</summary>
public sealed class LearningSwitchTests(LearningSwitchTests.Networks networks)
    : IClassFixture<LearningSwitchTests.Networks>
{
    private const int Hosts = 4;
    private const string H1 = "10.0.0.1", H2 = "10.0.0.2", H4 = "10.0.0.4";

    public static TheoryData<PortKind> Kinds => [.. Enum.GetValues<PortKind>()];

    public static MatrixTheoryData<PortKind, int> KindsAndSizes =>
        new(Enum.GetValues<PortKind>(), [0, 56, 1472, 8000, 65507]);

    [Theory, MemberData(nameof(KindsAndSizes))]
    public void Pings_of_every_size_are_answered(PortKind kind, int size) =>
        networks.Over(kind, "ping").Hosts[0].Ping(H4, "-c", "3", "-i", "0.05", "-s", $"{size}");

    [Theory, MemberData(nameof(Kinds))]
    public void Every_host_reaches_every_other(PortKind kind)
    {
        var network = networks.Over(kind, "ping");
        foreach (var from in network.Hosts)
        {
            foreach (var to in network.Hosts.Where(to => to != from))
            {
                from.Ping(to.IPv4.ToString()!, "-c", "1");
                from.Ping(to.IPv6.ToString()!, "-6", "-c", "1", "-s", "1400");
            }
        }
    }

    [Theory, MemberData(nameof(Kinds))]
    public void A_flood_of_pings_loses_none(PortKind kind) =>
        networks.Over(kind, "ping").Hosts[1].Ping(H4, "-A", "-c", "3000");

    [Theory, MemberData(nameof(Kinds))]
    public void ARP_is_answered_across_the_switch(PortKind kind)
    {
        var host = networks.Over(kind, "arping").Hosts[2];
        Assert.Contains(
            "02:00:00:00:00:02",
            host.Do("arping", "-c", "2", "-I", host.Interface!, H2),
            StringComparison.OrdinalIgnoreCase);
    }

    [Theory, MemberData(nameof(Kinds))]
    public void TCP_gets_through(PortKind kind)
    {
        var sum = Iperf(networks.Over(kind, "iperf3"), "-t", "1").GetProperty("sum_received");
        Assert.True(sum.GetProperty("bytes").GetInt64() > 100_000, $"{sum}");
    }

    [Theory, MemberData(nameof(Kinds))]
    public void UDP_gets_through(PortKind kind)
    {
        // Slow enough that a busy machine loses little of it: no test is about its speed.
        var sum = Iperf(networks.Over(kind, "iperf3"), "-t", "1", "-u", "-b", "2M", "-l", "1000").GetProperty("sum");
        Assert.True(sum.GetProperty("packets").GetInt64() > 100, $"{sum}");
        Assert.True(sum.GetProperty("lost_percent").GetDouble() < 50, $"{sum}");
    }

    [Theory, MemberData(nameof(Kinds))]
    public void A_frame_to_an_unknown_station_goes_to_all_others_and_never_back(PortKind kind)
    {
        Needs.Network();
        using var network = new ServiceNetwork(kind, new LearningSwitch(), Hosts, areSilent: true);
        var stations = network.Hosts.Select(network.StationAt).ToArray();
        byte[] frame = Packet.Ethernet(network.Hosts[1].Mac, MacAddress.Parse("02:00:00:00:00:77"))
            .Payload("who is there?").PaddedTo(60);

        stations[1].Send(frame);

        foreach (var other in new[] { 0, 2, 3 })
        {
            Until.Holds(() => stations[other].Received.Count > 0, $"host {other + 1} has received the frame");
            PacketAssert.Equal(frame, Assert.Single(stations[other].Received));
        }
        Assert.Empty(stations[1].Received);
    }

    [Theory, MemberData(nameof(Kinds))]
    public void Traffic_follows_a_station_that_moves(PortKind kind)
    {
        Needs.Network("ping", "ip");
        // Silent: none of them speaks before the test says so.
        using var network = new ServiceNetwork(kind, new LearningSwitch(), Hosts, areSilent: true);
        var (before, peer, after) = (network.Hosts[0], network.Hosts[1], network.Hosts[2]);
        var mac = before.Mac.ToString();
        before.Do("ip", "address", "add", $"{H1}/24", "dev", before.Interface!);
        peer.Do("ip", "address", "add", $"{H2}/24", "dev", peer.Interface!);
        peer.Ping(H1, "-c", "1");
        Assert.Equal("0", PortOf(network, mac));

        before.Do("ip", "link", "set", before.Interface!, "down");
        after.Do("ip", "link", "set", after.Interface!, "down", "address", mac);
        after.Do("ip", "link", "set", after.Interface!, "up");
        after.Do("ip", "address", "add", $"{H1}/24", "dev", after.Interface!);
        var lost = peer.Run(
            "ping", ["-n", "-c", "1", "-W", "1", H1], cancellationToken: TestContext.Current.CancellationToken);
        Assert.NotEqual(0, lost.ExitCode); // sent where it was, until it speaks

        after.Ping(H2, "-c", "1");
        Assert.Equal("2", PortOf(network, mac));
        peer.Ping(H1, "-c", "2", "-i", "0.05");
    }

    private static string PortOf(ServiceNetwork network, string mac)
    {
        var stations = network.Look().Tables[nameof(LearningSwitch.Stations)];
        return Assert.Single(stations.Rows, row => row[0] == mac)[1];
    }

    /// <summary>h1 sends to h2 for a while.</summary>
    private static JsonElement Iperf(ServiceNetwork network, params string[] options)
    {
        using var server = network.Hosts[1].Start("iperf3", ["-s", "-1", "-4", "--forceflush"]);
        server.WaitForLine("Server listening");
        using var report = JsonDocument.Parse(network.Hosts[0].Do("iperf3", ["-J", "-4", "-c", H2, .. options]));
        return report.RootElement.GetProperty("end").Clone();
    }

    /// <summary>A switch between four hosts over each kind of port; made when a test first needs it.</summary>
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
                _networks[kind] = network = new ServiceNetwork(kind, new LearningSwitch(), Hosts);
            return network;
        }
    }
}
