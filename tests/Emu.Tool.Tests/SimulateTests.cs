using System.Text.Json;
using Emu.Hosting;
using Emu.Testing;

namespace Emu.Tool.Tests;

/// <summary>Services as simulated hardware, by the command: what <c>run</c> writes, to the byte.</summary>
[Slow("time")]
public sealed class SimulateTests(CaptureFixture captures) : IClassFixture<CaptureFixture>
{
    private const int Requests = CaptureFixture.Requests;

    [Theory]
    [InlineData("--bus", "256")]
    [InlineData("--bus", "512", "--stall", "7")]
    [InlineData("--bus", "128", "--stall", "8", "--layout", "engine", "--mtu", "2000")]
    public void A_capture_becomes_what_run_makes_of_it(params string[] options)
    {
        var (expected, actual) = (captures.New(".pcap"), captures.New(".pcap"));
        Commands.Emu(["run", "IcmpEcho", "--port", $"pcap:{captures.Requested},{expected}", .. CaptureFixture.Host])
            .Succeeded();
        var summary = Commands.Emu([
                "simulate",
                "IcmpEcho",
                "--in",
                captures.Requested,
                "--out",
                actual,
                .. options,
                .. CaptureFixture.Host,
        ])
            .Succeeded().Error;

        Assert.Equal(File.ReadAllBytes(expected), File.ReadAllBytes(actual));
        Assert.Matches(
            $@"{Requests} frames in, {Requests} out, 0 dropped; [\d,]+ cycles, [\d,]+ a frame, [\d,]+ to the answer; "
            + @"[\d,]+ cycles a second \(managed\)",
            summary);
    }

    [Fact]
    public void Four_captures_become_what_run_makes_of_them()
    {
        string[] stations = ["02:00:00:00:00:01", "02:00:00:00:00:02", "02:00:00:00:00:03", "ff:ff:ff:ff:ff:ff"];
        var random = new Random(4);
        var inputs = Enumerable.Range(0, 4).Select(_ => captures.New(".pcap")).ToArray();
        foreach (var input in inputs)
        {
            using var writer = CaptureWriter.Create(input);
            var number = writer.AddInterface("test");
            for (var i = 0; i < 50; i++)
            {
                var packet = Packet.Ethernet(
                    MacAddress.Parse(stations[random.Next(3)]), MacAddress.Parse(stations[random.Next(4)]));
                writer.Write(
                    number,
                    packet.Payload(new byte[random.Next(1500)]),
                    1_700_000_000_000_000_000 + (ulong)i * 1_000_000);
            }
        }

        // pcapng says more of a port than pcap: its name, which is that of the same files.
        var outputs = inputs.Select(_ => captures.New(".pcapng")).ToArray();
        var ports = inputs.Zip(outputs)
            .SelectMany(files => new[] { "--port", $"pcap:{files.First},{files.Second}" }).ToArray();
        Commands.Emu(["run", "LearningSwitch", .. ports]).Succeeded();
        var expected = outputs.Select(File.ReadAllBytes).ToArray();
        Commands.Emu(["simulate", "LearningSwitch", "--stall", "3", .. ports]).Succeeded();

        Assert.All(outputs.Zip(expected), pair => Assert.Equal(pair.Second, File.ReadAllBytes(pair.First)));
        Assert.All(outputs, output => Assert.NotEmpty(CaptureFiles.Read(output)));
    }

    [Theory]
    [InlineData("icarus")]
    [InlineData("verilator")]
    public void An_outside_simulator_writes_the_same_in_the_same_cycles(string simulator)
    {
        string[] programs = simulator == "icarus" ? ["iverilog", "vvp"] : ["verilator", "g++", "make"];
        if (programs.FirstOrDefault(p => !File.Exists($"/usr/bin/{p}")) is { } missing)
            Assert.Skip($"needs the program '{missing}'");
        var few = captures.New(".pcap");
        using (var writer = CaptureWriter.Create(few))
        {
            var number = writer.AddInterface("test");
            foreach (var frame in CaptureFiles.Read(captures.Requested).Take(5))
                writer.Write(number, frame.Bytes, frame.Time);
        }
        (string Bytes, long Cycles) Simulate(string with)
        {
            var output = captures.New(".pcap");
            using var json = JsonDocument.Parse(
                Commands.Emu([
                        "simulate",
                        "IcmpEcho",
                        "--json",
                        "--in",
                        few,
                        "--out",
                        output,
                        "--with",
                        with,
                        "--stall",
                        "5",
                        .. CaptureFixture.Host,
                ])
                    .Succeeded().Output);
            Assert.Equal(5, json.RootElement.GetProperty("framesOut").GetInt32());
            return (Convert.ToHexString(File.ReadAllBytes(output)), json.RootElement.GetProperty("cycles").GetInt64());
        }
        Assert.Equal(Simulate("managed"), Simulate(simulator));
    }

    [Fact]
    public void Waveforms_are_written()
    {
        var (waveforms, one) = (captures.New(".vcd"), captures.New(".pcap"));
        var frame = Packet.Ethernet(MacAddress.Parse("02:00:00:00:00:01"), MacAddress.Broadcast).Payload(new byte[46]);
        using (var writer = CaptureWriter.Create(one)) writer.Write(writer.AddInterface("test"), frame, 1);
        Commands.Emu("simulate", "LearningSwitch", "--in", one, "--vcd", waveforms).Succeeded();
        var text = File.ReadAllText(waveforms);
        Assert.StartsWith("$timescale", text);
        Assert.Contains("s_axis_tdata", text);
        Assert.Matches(@"\n#\d{4}", text);
    }

    [Fact]
    public void A_truncated_capture_is_run_as_far_as_it_goes_and_then_reported()
    {
        var (cut, output) = (captures.New(".pcap"), captures.New(".pcap"));
        File.WriteAllBytes(cut, File.ReadAllBytes(captures.Requested)[..^5]);
        Commands.Emu(["simulate", "IcmpEcho", "--in", cut, "--out", output, .. CaptureFixture.Host])
            .Refused(1, cut, $"after {Requests - 1} packets");
        Assert.Equal(Requests - 1, CaptureFiles.Read(output).Count);
    }

    [Fact]
    public void Wrong_options_say_what_there_is()
    {
        Commands.Emu("simulate", "LearningSwitch").Refused(2, "--in", "--port");
        Commands.Emu("simulate", "LearningSwitch", "--in", captures.Requested, "--port", In)
            .Refused(2, "--in", "--port");
        Commands.Emu("simulate", "LearningSwitch", "--in", captures.Requested, "--with", "paper")
            .Refused(2, "'paper'", "managed, icarus, verilator");
        Commands.Emu("simulate", "LearningSwitch", "--in", captures.Requested, "--stall", "often")
            .Refused(2, "--stall", "'often'");
        Commands.Emu("simulate", "LearningSwitch", "--in", "/nonesuch.pcap")
            .Refused(1, "/nonesuch.pcap", "no such file");
        Commands.Emu(["simulate", "LearningSwitch", .. Enumerable.Repeat(new[] { "--port", In }, 9).SelectMany(p => p)])
            .Refused(2, "1 to 8 ports");
        Commands.Emu("simulate", "LearningSwitch", "--in", captures.Requested, "--layout", "spiral")
            .Refused(2, "'spiral'", "pipeline, engine");
        Commands.Emu("simulate", "LearningSwitch", "--in", captures.Requested, "--capacity", "8")
            .Refused(2, "'--capacity'", "behind --");
        Commands.Emu("simulate", "LearningSwitch", "--port", "pcap:,/tmp/same.pcap", "--port", "pcap:,/tmp/same.pcap")
            .Refused(2, "/tmp/same.pcap", "name another file");
        Commands.Emu("simulate", "LearningSwitch", "--in", captures.Requested, "--vcd", "/nonesuch/x.vcd")
            .Refused(1, "/nonesuch/x.vcd");
    }

    [Fact]
    public void Simulated_hardware_on_a_tap_answers_the_systems_ping()
    {
        if (TestNetwork.WhyNotWith("ping") is { } reason) Assert.Skip($"a network of namespaces {reason}");
        using var network = new TestNetwork();
        var host = network.AddHost("h1", "10.0.0.1/24");
        using var run = network.Device.Start(
            "dotnet", [Commands.EmuAssembly, "simulate", "IcmpEcho", "--port", "tap:emu0", .. CaptureFixture.Host]);
        const string ready = "ready: IcmpEcho in hardware on tap:emu0";
        run.WaitForLine(ready, Commands.Limit, TestContext.Current.CancellationToken);
        network.AdoptTap(host, "emu0", cancellationToken: TestContext.Current.CancellationToken);
        host.Run("ping", ["-c", "3", "-i", "0.1", "10.0.0.2"], cancellationToken: TestContext.Current.CancellationToken)
            .EnsureSuccess();
        host.Run(
            "ping",
            ["-c", "1", "-s", "1400", "10.0.0.2"],
            cancellationToken: TestContext.Current.CancellationToken).EnsureSuccess();

        var ended = run.Stop();
        Assert.Equal(0, ended.ExitCode);
        // ARP, and four echoes
        Assert.Matches(@"\d+ frames in, 5 out, \d+ dropped; [\d,]+ cycles, [\d,]+ to the answer", ended.Error);
    }

    [Fact]
    public void A_simulated_switch_lets_the_systems_ping_through()
    {
        if (TestNetwork.WhyNotWith("ping") is { } reason) Assert.Skip($"a network of namespaces {reason}");
        using var network = new TestNetwork();
        string[] ports = ["--port", "tap:emu0", "--port", "tap:emu1", "--port", "tap:emu2"];
        using var run = network.Device.Start("dotnet", [Commands.EmuAssembly, "simulate", "LearningSwitch", .. ports]);
        const string ready = "ready: LearningSwitch in hardware on tap:emu0, tap:emu1, tap:emu2";
        run.WaitForLine(ready, Commands.Limit, TestContext.Current.CancellationToken);
        for (var i = 0; i < 3; i++)
            network.AdoptTap(
                network.AddHost($"h{i + 1}", $"10.0.0.{i + 1}/24"),
                $"emu{i}",
                cancellationToken: TestContext.Current.CancellationToken);
        foreach (var (from, to) in new[] { (0, "10.0.0.2"), (1, "10.0.0.3"), (2, "10.0.0.1") })
            network.Hosts[from].Run(
                "ping",
                ["-c", "2", "-i", "0.1", to],
                cancellationToken: TestContext.Current.CancellationToken).EnsureSuccess();
        Assert.Equal(0, run.Stop().ExitCode);
    }

    private string In => $"pcap:{captures.Requested}";
}
