using System.Text.Json;
using Emu.Testing;

namespace Emu.Tool.Tests;

/// <summary>Services on captures, by the command and by their own program.</summary>
[Slow("time")]
public sealed class RunTests(CaptureFixture captures) : IClassFixture<CaptureFixture>
{
    private const int Requests = CaptureFixture.Requests;

    [Fact]
    public void A_service_of_its_own_does_the_same_as_the_command()
    {
        var (one, other) = (captures.New(".pcap"), captures.New(".pcap"));

        Commands.Emu(["run", "IcmpEcho", "--port", $"pcap:{captures.Requested},{one}", .. CaptureFixture.Host])
            .Succeeded();
        Commands.Service("IcmpEcho", ["--port", $"pcap:{captures.Requested},{other}", .. CaptureFixture.Host])
            .Succeeded();

        Assert.Equal(Requests, CaptureFiles.Read(one).Count);
        Assert.Equal(File.ReadAllBytes(one), File.ReadAllBytes(other));
    }

    [Fact]
    public void The_summary_says_what_came_and_what_left() => Assert.Equal(
        $"IcmpEcho on pcap:{captures.Requested}: {Requests} frames in, {Requests} out, 0 dropped; "
        + $"EchoReplies {Requests}\n",
        Commands.Emu(["run", "icmpecho", "--port", $"pcap:{captures.Requested}", .. CaptureFixture.Host])
            .Succeeded().Error);

    [Fact]
    public void The_example_arguments_are_those_of_the_documentation() =>
        Assert.Contains(
            $"EchoReplies {Requests}",
            Commands.Emu("run", "IcmpEcho", "--port", $"pcap:{captures.Requested}", "--example").Succeeded().Error);

    [Fact]
    public void The_final_counters_can_be_had_as_JSON()
    {
        using var json = JsonDocument.Parse(
            Commands.Emu(["run", "IcmpEcho", "--json", "--port", $"pcap:{captures.Requested}", .. CaptureFixture.Host])
                .Succeeded().Output);
        Assert.Equal(Requests, json.RootElement.GetProperty("framesOut").GetInt32());
        Assert.Equal(Requests, json.RootElement.GetProperty("counters").GetProperty("EchoReplies").GetInt32());
        Assert.Equal(Requests, json.RootElement.GetProperty("ports")[0].GetProperty("framesIn").GetInt32());
    }

    [Fact]
    public void The_live_view_is_lines_without_escape_sequences_where_there_is_no_terminal()
    {
        var output = Commands.Emu(
                ["run", "IcmpEcho", "--live", "--port", $"pcap:{captures.Requested}", .. CaptureFixture.Host])
            .Succeeded().Output;
        Assert.Contains($"{Requests} in, {Requests} out", output);
        Assert.DoesNotContain('\e', output);
    }

    [Fact]
    public void The_trace_has_a_line_for_each_frame_in_and_out()
    {
        var lines = Commands.Emu([
            "run",
            "IcmpEcho",
            "--trace",
            "--port",
            $"pcap:{captures.Requested}",
            .. CaptureFixture.Host,
        ]).Succeeded().Error.Split('\n');
        Assert.Equal(Requests,
            lines.Count(line => line.Contains(" < pcap:", StringComparison.Ordinal)
                && line.Contains("ICMP echo request", StringComparison.Ordinal)));
        Assert.Equal(Requests,
            lines.Count(line => line.Contains(" > pcap:", StringComparison.Ordinal)
                && line.Contains("ICMP echo reply", StringComparison.Ordinal)));
    }

    [Fact]
    public void Impairments_with_the_same_seed_are_the_same_and_with_another_are_not()
    {
        const string Rough = "loss=0.2,duplicate=0.2,reorder=0.2,corrupt=0.2,delay=3,jitter=4";
        byte[] Impaired(int seed)
        {
            var output = captures.New(".pcap");
            Commands.Emu(
                [
                    "run",
                    "IcmpEcho",
                    "--impair",
                    $"{Rough},seed={seed}",
                    "--port",
                    $"pcap:{captures.Requested},{output}",
                    .. CaptureFixture.Host,
                ])
                .Succeeded();
            return File.ReadAllBytes(output);
        }
        var first = Impaired(7);
        Assert.Equal(first, Impaired(7));
        Assert.NotEqual(first, Impaired(8));
    }

    [Fact]
    public void A_recorded_run_replays_exactly()
    {
        var (recording, live, again) = (captures.New(".pcapng"), captures.New(".pcap"), captures.New(".pcap"));
        Commands.Emu([
                "run",
                "IcmpEcho",
                "--record",
                recording,
                "--port",
                $"pcap:{captures.Requested},{live}",
                .. CaptureFixture.Host,
        ])
            .Succeeded();
        Commands.Emu(["run", "IcmpEcho", "--port", $"pcap:{recording}#0,{again}", .. CaptureFixture.Host]).Succeeded();
        Assert.Equal(File.ReadAllBytes(live), File.ReadAllBytes(again));
    }

    [Fact]
    public void Frames_that_could_not_be_sent_are_counted_in_the_summary_and_the_reason_is_said()
    {
        if (TestNetwork.WhyNotWith("ping") is { } reason) Assert.Skip($"a network of namespaces {reason}");
        using var network = new TestNetwork();
        var (one, other) = (network.AddHost("h1", "10.0.0.1/24"), network.AddHost("h2"));
        var (wide, narrow) = (network.Connect(one), network.Connect(other));
        foreach (var (host, name) in new[] { (network.Device, wide), (one, "eth0") })
            Do(host, "ip", "link", "set", name, "mtu", "9000");
        Do(one, "ip", "neighbour", "add", "10.0.0.9", "lladdr", "02:00:00:00:00:09", "dev", "eth0");
        string[] ports = ["--port", $"raw:{wide}", "--port", $"raw:{narrow}"];
        using var run = network.Device.Start(
            "dotnet", [Commands.EmuAssembly, "run", "LearningSwitch", "--mtu", "9000", .. ports]);
        var cancel = TestContext.Current.CancellationToken;
        run.WaitForLine("ready: ", TimeSpan.FromSeconds(20), cancel);
        one.Run("ping", ["-c", "3", "-i", "0.05", "-W", "1", "-s", "5000", "10.0.0.9"], cancellationToken: cancel);
        run.WaitForLine($"raw:{narrow}: did not send a frame of 5,042 bytes", cancellationToken: cancel);
        var end = run.Stop();
        Assert.Contains("more than the MTU of 1,500 allows", end.Error);
        Assert.Contains($"; not sent by raw:{narrow} 3", end.Error);

        static void Do(TestHost host, string program, params string[] arguments) =>
            host.Run(program, arguments, cancellationToken: TestContext.Current.CancellationToken).EnsureSuccess();
    }

    [Theory]
    [InlineData]
    [InlineData("--spin", "1000000")]
    public void A_live_port_says_when_it_is_ready_and_shows_its_traffic_line_by_line(params string[] options)
    {
        if (TestNetwork.WhyNotWith("ping") is { } reason) Assert.Skip($"a network of namespaces {reason}");
        using var network = new TestNetwork();
        var host = network.AddHost("h1", "10.0.0.1/24");
        using var run = network.Device.Start(
            "dotnet", [
                Commands.EmuAssembly,
                "run",
                "IcmpEcho",
                "--live",
                "--port",
                "tap:emu0",
                .. options,
                .. CaptureFixture.Host,
            ]);
        run.WaitForLine("ready: IcmpEcho on tap:emu0", Commands.Limit, TestContext.Current.CancellationToken);
        network.AdoptTap(host, "emu0", cancellationToken: TestContext.Current.CancellationToken);
        host.Run(
            "ping",
            ["-c", "2", "-i", "0.05", "10.0.0.2"],
            cancellationToken: TestContext.Current.CancellationToken).EnsureSuccess();
        run.WaitForLine("IcmpEcho on tap:emu0: 3 in, 3 out", cancellationToken: TestContext.Current.CancellationToken);
        Assert.Equal(0, run.Stop().ExitCode);
    }
}
