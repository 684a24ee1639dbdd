using System.Text.Json;
using Emu.Services;
using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>
/// Senders on the same machine leave work to devices that a veth pair is not: what a packet ring does about it.
/// </summary>
public sealed class OffloadTests
{
    [Fact]
    public void TCP_gets_through_when_its_checksums_are_left_to_the_device()
    {
        Needs.Network("iperf3");
        using var network = new ServiceNetwork(PortKind.Raw, new LearningSwitch(), 2);
        foreach (var host in network.Hosts)
        {
            host.Do("ethtool", "-K", host.Interface!, "tx", "on", "tso", "off", "gso", "off");
            Assert.Contains("tx-checksumming: on", host.Do("ethtool", "-k", host.Interface!));
        }

        Assert.True(BitsPerSecond(network) > 10e6);
        // Segments that were joined would be left out, nearly all of them; a busy machine may miss a few.
        const int Few = 10;
        Assert.All(network.Look().Ports, port => Assert.True(port.ReceiveDrops < port.FramesIn / Few, $"{port}"));
    }

    [Fact]
    public void Joined_segments_are_left_out_and_counted_and_the_port_says_once_how_to_end_it()
    {
        Needs.Network("iperf3");
        using var network = new TestNetwork();
        TestHost[] hosts = [network.AddHost("h1", "10.0.0.1/24"), network.AddHost("h2", "10.0.0.2/24")];
        string[] ports = [.. hosts.Select(network.Connect)];
        using var program = network.Device.StartService(
            "LearningSwitch", ["--json", "--port", $"raw:{ports[0]}", "--port", $"raw:{ports[1]}"]);
        hosts[0].Do("ethtool", "-K", "eth0", "tx", "on", "tso", "on", "gso", "on");
        using var server = hosts[1].Start("iperf3", ["-s", "-1", "-4", "--forceflush"]);
        server.WaitForLine("Server listening", cancellationToken: TestContext.Current.CancellationToken);

        using var client = hosts[0].Start("iperf3", ["-4", "-c", "10.0.0.2", "-t", "1"]);
        program.WaitForLine(
            $"raw:{ports[0]}: left out a frame of ", cancellationToken: TestContext.Current.CancellationToken);
        Thread.Sleep(500);
        var result = program.Stop();

        Assert.Equal(0, result.ExitCode);
        var warnings = result.Error.Split('\n').Where(line => line.Contains("left out", StringComparison.Ordinal));
        Assert.Contains("ethtool -K PEER tso off gso off", Assert.Single(warnings));
        using var end = JsonDocument.Parse(result.Output);
        Assert.NotEqual(0UL, end.RootElement.GetProperty("ports")[0].GetProperty("receiveDrops").GetUInt64());
    }

    private static double BitsPerSecond(ServiceNetwork network)
    {
        using var server = network.Hosts[1].Start("iperf3", ["-s", "-1", "-4", "--forceflush"]);
        server.WaitForLine("Server listening", cancellationToken: TestContext.Current.CancellationToken);
        using var report = JsonDocument.Parse(network.Hosts[0].Do("iperf3", "-J", "-4", "-c", "10.0.0.2", "-t", "1"));
        return report.RootElement.GetProperty("end")
            .GetProperty("sum_received").GetProperty("bits_per_second").GetDouble();
    }
}
