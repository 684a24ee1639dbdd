using Emu.Hosting;
using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>The end of a service's program: asked to, killed, or because its interface is gone.</summary>
public sealed class StoppingTests
{
    private static readonly string[] s_host = ["--", "--address", "10.0.0.77", "--mac", "02:00:00:00:00:77"];

    [Theory]
    [InlineData("INT")]
    [InlineData("TERM")]
    public void A_signal_stops_it_with_a_summary_and_the_interface_as_it_was(string signal)
    {
        Needs.Network("ping");
        using var network = new TestNetwork();
        var host = network.AddHost("h1", "10.0.0.1/24");
        var port = network.Connect(host);
        network.Device.Do("ethtool", "-K", port, "gro", "on");
        using var program = network.Device.StartService("IcmpEcho", ["--port", $"raw:{port}", .. s_host]);
        Assert.Contains("generic-receive-offload: off", network.Device.Do("ethtool", "-k", port));
        host.Ping("10.0.0.77", "-c", "2", "-i", "0.05");

        program.Signal(network.Device, signal);
        var result = program.WaitForExit(Until.Limit, TestContext.Current.CancellationToken);

        Assert.Equal(0, result.ExitCode);
        Assert.Contains(
            $"IcmpEcho on raw:{port}: 3 frames in, 3 out, 0 dropped; ArpReplies 1; EchoReplies 2\n", result.Error);
        Assert.Contains("generic-receive-offload: on", network.Device.Do("ethtool", "-k", port));
        Assert.DoesNotContain("PROMISC", network.Device.Do("ip", "link", "show", port));
    }

    [Theory]
    [InlineData("INT")]
    [InlineData("TERM")]
    public void A_tap_that_it_made_goes_with_it(string signal)
    {
        Needs.Network("ping");
        using var network = new TestNetwork();
        var host = network.AddHost("h1", "10.0.0.1/24");
        using var program = network.Device.StartService("IcmpEcho", ["--port", "tap:emu0", .. s_host]);
        network.AdoptTap(host, "emu0", cancellationToken: TestContext.Current.CancellationToken);
        host.Ping("10.0.0.77", "-c", "1");

        program.Signal(network.Device, signal);
        var result = program.WaitForExit(Until.Limit, TestContext.Current.CancellationToken);

        Assert.Equal(0, result.ExitCode);
        Assert.Contains("EchoReplies 1\n", result.Error);
        Assert.DoesNotContain("emu0", host.Do("ip", "link"));
    }

    [Theory]
    [InlineData(PortKind.Tap, "deleted while it was in use")]
    [InlineData(PortKind.Raw, "set down or removed while it was in use")]
    public void An_interface_that_vanishes_ends_it_with_one_clear_line(PortKind kind, string reason)
    {
        Needs.Network();
        using var network = new TestNetwork();
        var host = network.AddHost("h1");
        var name = kind == PortKind.Raw ? network.Connect(host) : "emu0";
        var port = $"{kind.ToString().ToLowerInvariant()}:{name}";
        using var program = network.Device.StartService("IcmpEcho", ["--port", port, .. s_host]);

        network.Device.Do("ip", "link", "delete", name);
        var result = program.WaitForExit(Until.Limit, TestContext.Current.CancellationToken);

        Assert.Equal(1, result.ExitCode);
        Assert.Equal(
            [$"ready: IcmpEcho on {port}", $"emu: {port}: the interface was {reason}"],
            result.Error.Split('\n', StringSplitOptions.RemoveEmptyEntries));
    }

    [Theory]
    [InlineData(PortKind.Tap)]
    [InlineData(PortKind.Raw)]
    public void The_recording_of_a_program_that_is_killed_is_readable_up_to_the_last_flush(PortKind kind)
    {
        Needs.Network("ping", "tshark");
        using var folder = new TemporaryFolder();
        using var network = new TestNetwork();
        var host = network.AddHost("h1", "10.0.0.1/24");
        var name = kind == PortKind.Raw ? network.Connect(host) : "emu0";
        using var program = network.Device.StartService(
            "IcmpEcho",
            ["--port", $"{kind.ToString().ToLowerInvariant()}:{name}", "--record", folder["run.pcapng"], .. s_host]);
        if (kind == PortKind.Tap)
            network.AdoptTap(host, name, cancellationToken: TestContext.Current.CancellationToken);
        const int Answered = 100;
        host.Ping("10.0.0.77", "-A", "-c", $"{Answered}");
        using var flood = host.Start("ping", ["-f", "-q", "10.0.0.77"]);
        Thread.Sleep(300);

        program.Signal(network.Device, "KILL");
        program.WaitForExit(Until.Limit, TestContext.Current.CancellationToken);

        var received = Captures.Read(folder["run.pcapng"], direction: PacketDirection.Inbound);
        var sent = Captures.Read(folder["run.pcapng"], direction: PacketDirection.Outbound);
        Assert.True(received.Count > Answered && sent.Count > Answered, $"{received.Count} in, {sent.Count} out");
        Assert.InRange(received.Count - sent.Count, 0, 1);
        Assert.Equal(
            received.Count + sent.Count,
            Lines(network.Device.Do("tshark", "-r", folder["run.pcapng"], "-T", "fields", "-e", "frame.number")));
    }

    private static int Lines(string text) => text.Count(character => character == '\n');
}
