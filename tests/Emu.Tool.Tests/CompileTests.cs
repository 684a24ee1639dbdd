using System.Text.Json;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using Emu.Hosting;
using Emu.Testing;

namespace Emu.Tool.Tests;

/// <summary>Services of the repository to Verilog, by the command.</summary>
[Slow("time")]
public sealed class CompileTests(CaptureFixture captures) : IClassFixture<CaptureFixture>, IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Two_reports_are_compared()
    {
        string[] compile = ["compile", "LearningSwitch", "--out"];
        Commands.Emu([.. compile, _folder["wide"], "--bus", "256"]).Succeeded();
        Assert.Contains(
            "  against    no difference\n",
            Commands.Emu([.. compile, _folder["same"], "--against", _folder["wide/report.json"]]).Succeeded().Output);
        var summary = Commands
            .Emu([.. compile, _folder["narrow"], "--bus", "128", "--against", _folder["wide/report.json"]])
            .Succeeded().Output;
        Assert.Contains("  against    bus, bits: 256, now 128\n", summary);
        Assert.Contains("Compared with the other report", File.ReadAllText(_folder["narrow/report.html"]));

        Commands.Emu([.. compile, _folder["none"], "--against", _folder["none.json"]])
            .Refused(2, "--against", "none.json");
        _folder.Write("none.json", "{}");
        Commands.Emu([.. compile, _folder["none"], "--against", _folder["none.json"]])
            .Refused(2, "no report.json of this version of Emu");
        Assert.False(Directory.Exists(_folder["none"]));
    }

    [Theory]
    [InlineData("LearningSwitch", "learning_switch")]
    [InlineData("IcmpEcho", "icmp_echo", "--example")]
    public void The_folder_holds_one_module_and_a_report_that_keeps_to_its_schema(
        string service, string top, params string[] more)
    {
        var summary = Commands.Emu(["compile", service, "--out", _folder["out"], .. more]).Succeeded().Output;
        Assert.Equal(
            [$"{top}.v", "report.html", "report.json"],
            Directory.GetFiles(_folder["out"]).Select(Path.GetFileName).Order());
        Assert.Contains("cycles a frame", summary);
        Assert.Contains(_folder[$"out/{top}.v"], summary);

        using var report = JsonDocument.Parse(File.ReadAllText(_folder["out/report.json"]));
        using var schema = JsonDocument.Parse(File.ReadAllText(Path.Combine(Commands.Root, "docs/report.schema.json")));
        JsonSchema.Check(report.RootElement, schema.RootElement);
        Assert.Equal(
            (service, top, 256),
            (Text(report, "service"), Text(report, "top"), report.RootElement.GetProperty("bus_bits").GetInt32()));
        Assert.Equal(
            ["60", "124", "252", "508", "1020", "1514"],
            report.RootElement.GetProperty("interval_cycles").EnumerateObject().Select(p => p.Name));
        Assert.Contains(
            report.RootElement.GetProperty("registers").EnumerateArray(),
            r => r.GetProperty("name").GetString() == "frames_in");
        // A service that answers is measured with frames that it answers.
        Assert.Equal(6, report.RootElement.GetProperty("measurement").GetProperty("answered_bytes").GetArrayLength());
        if (Text(report, "layout") == "engine")
            Assert.NotEmpty(report.RootElement.GetProperty("bounded_by").EnumerateArray());
        Assert.Equal(JsonValueKind.Number, report.RootElement.GetProperty("latency_cycles").ValueKind);

        // The steps and their costs: the whole is the sum.
        var steps = report.RootElement.GetProperty("steps").EnumerateArray().ToList();
        Assert.All(
            steps.SelectMany(step => step.GetProperty("next").EnumerateArray()),
            next => Assert.InRange(next.GetInt32(), 0, steps.Count - 1));
        var resources = report.RootElement.GetProperty("resources");
        var outermost = report.RootElement.GetProperty("costs").EnumerateArray()
            .Where(c => c.GetProperty("depth").GetInt32() == 0).ToList();
        foreach (var figure in new[] { "luts", "flop_bits", "ram_bits" })
            Assert.Equal(
                resources.GetProperty(figure).GetInt64(), outermost.Sum(c => c.GetProperty(figure).GetInt64()));

        // The page shows the service's own lines.
        var page = XDocument.Parse(File.ReadAllText(_folder["out/report.html"]).Replace("<!DOCTYPE html>", ""));
        Assert.Contains($"{service}.cs:", page.Root!.Value);
        Assert.Contains("if (ethernet.Source.", page.Root.Value);
    }

    [Fact]
    public void The_module_has_the_ports_of_the_contract_and_no_others()
    {
        Commands.Emu(
            "compile", "LearningSwitch", "--out", _folder["out"], "--bus", "64", "--ports", "2", "--mtu",
            "1000").Succeeded();
        var verilog = File.ReadAllText(_folder["out/learning_switch.v"]);
        var head = verilog[verilog.IndexOf("module learning_switch", StringComparison.Ordinal)..verilog.IndexOf(
            ");", StringComparison.Ordinal)];

        string[] channels = ["data", "keep", "valid", "ready", "last", "user"];
        string[] registers =
        [
            "awaddr", "awvalid", "awready", "wdata", "wstrb", "wvalid", "wready", "bresp", "bvalid", "bready",
            "araddr", "arvalid", "arready", "rdata", "rresp", "rvalid", "rready",
        ];
        string[] ports =
        [
            "axis_aclk", "axis_resetn", .. channels.Select(c => $"s_axis_t{c}"),
            .. channels.Select(c => $"m_axis_t{c}"), .. registers.Select(r => $"s_axi_{r}"),
        ];
        Assert.Equal(
            ports.Order(),
            Regex.Matches(head, @"(?:input|output)\s+wire\s+(?:\[\d+:0\]\s*)?(\w+)")
                .Select(m => m.Groups[1].Value).Order());
        Assert.Contains("[63:0] s_axis_tdata", Regex.Replace(head, " +", " "));
        Assert.DoesNotContain("`include", verilog);
    }

    [Fact]
    public void The_report_can_be_had_on_standard_output_and_leaves_out_frames_beyond_the_MTU()
    {
        using var report = JsonDocument.Parse(
            Commands.Emu(
                "compile", "LearningSwitch", "--json", "--out", _folder["out"], "--mtu", "600", "--clock",
                "156").Succeeded().Output);
        Assert.Equal(File.ReadAllText(_folder["out/report.json"]), report.RootElement.GetRawText() + "\n");
        Assert.Equal(
            ["60", "124", "252", "508"],
            report.RootElement.GetProperty("interval_cycles").EnumerateObject().Select(p => p.Name));
        Assert.Equal(
            (600, 156),
            (report.RootElement.GetProperty("mtu").GetInt32(), report.RootElement.GetProperty("clock_mhz").GetInt32()));
    }

    [Fact]
    public void A_clock_that_is_not_met_is_said_and_fails_but_the_files_are_there()
    {
        var outcome = Commands.Emu("compile", "LearningSwitch", "--out", _folder["out"], "--clock", "1000");
        Assert.Equal(1, outcome.ExitCode);
        Assert.StartsWith("emu: EMU0028 ", outcome.Error);
        Assert.Contains("1000 MHz on Xilinx 7 series has time for 1", outcome.Error);
        // A terminal shows both: it is said once.
        Assert.DoesNotContain("EMU0028", outcome.Output);
        using var report = JsonDocument.Parse(File.ReadAllText(_folder["out/report.json"]));
        var diagnostics = report.RootElement.GetProperty("diagnostics").EnumerateArray().ToList();
        Assert.Contains(diagnostics, d => d.GetProperty("number").GetString() == "EMU0028");
        Assert.True(File.Exists(_folder["out/learning_switch.v"]));
        // At the clock that nobody asked for it is met.
        Assert.DoesNotContain(
            "EMU0028", Commands.Emu("compile", "LearningSwitch", "--out", _folder["out"]).Succeeded().Error);
    }

    [Fact]
    public void A_circuit_of_more_LUTs_than_asked_for_is_said_with_the_lines_that_they_go_to()
    {
        var outcome = Commands.Emu("compile", "LearningSwitch", "--out", _folder["out"], "--lut", "500").Succeeded();
        Assert.StartsWith("emu: EMU0029 about ", outcome.Error);
        Assert.Matches(
            @"EMU0029 LearningSwitch\.cs:\d+: \d+ of them are of this line of LearningSwitch\.Process", outcome.Error);
        Assert.Contains("more than 500 (--lut)", outcome.Error);
        using var report = JsonDocument.Parse(File.ReadAllText(_folder["out/report.json"]));
        Assert.Contains(
            report.RootElement.GetProperty("diagnostics").EnumerateArray(),
            d => d.GetProperty("number").GetString() == "EMU0029" && d.GetProperty("line").GetInt32() > 0);
        Assert.DoesNotContain(
            "EMU0029", Commands.Emu("compile", "LearningSwitch", "--out", _folder["out"]).Succeeded().Error);
        Commands.Emu("compile", "LearningSwitch", "--lut", "0").Refused(2, "--lut", "1 to 100000000");
    }

    [Fact]
    public void The_steps_of_the_compiler_are_printed_in_order()
    {
        var steps = Commands.Emu("compile", "--passes").Succeeded().Output;
        string[] some =
        [
            "elaboration", "translation", "narrowing", "side-exits", "division", "stage-schedule", "verilog",
        ];
        Assert.Equal(
            some.Order(Comparer<string>.Create((a, b) =>
                steps.IndexOf(a, StringComparison.Ordinal) - steps.IndexOf(b, StringComparison.Ordinal))),
            some);
    }

    [Fact]
    public void The_IR_behind_a_pass_is_written()
    {
        Commands.Emu("compile", "LearningSwitch", "--out", _folder["out"], "--dump", "narrowing").Succeeded();
        var files = Directory.GetFiles(_folder["out/passes"]).Order(StringComparer.Ordinal).ToList();
        Assert.All(files, file => Assert.EndsWith("-narrowing.ir", file));
        // A pass that does something: two rounds, and the second has less to do with.
        Assert.True(File.ReadAllText(files[0]).Length > File.ReadAllText(files[1]).Length);
        // The state that it uses, then the function.
        Assert.StartsWith("memory Stations.", File.ReadAllText(files[0]));
        Assert.Contains("\nfunction Process\n", File.ReadAllText(files[0]));
    }

    [Fact]
    public void A_layout_can_be_asked_for()
    {
        foreach (var layout in new[] { "pipeline", "engine" })
        {
            using var report = JsonDocument.Parse(
                Commands.Emu("compile", "LearningSwitch", "--json", "--layout", layout, "--out", _folder["out"])
                    .Succeeded().Output);
            Assert.Equal(layout, Text(report, "layout"));
        }
    }

    [Fact]
    public void A_capture_says_what_is_measured_with()
    {
        // Without a MAC address among the arguments the capture is what is known of the host.
        using var report = JsonDocument.Parse(
            Commands.Emu([
                    "compile",
                    "IcmpEcho",
                    "--json",
                    "--out",
                    _folder["out"],
                    "--frames",
                    captures.Requested,
                    .. CaptureFixture.Host,
            ])
                .Succeeded().Output);
        var measurement = report.RootElement.GetProperty("measurement");
        Assert.Contains(Path.GetFileName(captures.Requested), measurement.GetProperty("frame").GetString());
        var kinds = measurement.GetProperty("kinds").EnumerateArray().ToList();
        Assert.NotEmpty(kinds);
        Assert.Equal(
            measurement.GetProperty("frames").GetInt32(), kinds.Sum(kind => kind.GetProperty("frames").GetInt32()));
        // The figures are those of the first kind of which a frame leaves, from its own length up.
        var main = kinds.First(kind => kind.GetProperty("latency_cycles").ValueKind == JsonValueKind.Number);
        foreach (var figure in new[] { "latency_cycles", "interval_cycles" })
            Assert.Equal(
                main.GetProperty(figure).GetRawText(),
                report.RootElement.GetProperty(figure).GetRawText(),
                ignoreAllWhiteSpace: true);
        Assert.Equal(
            main.GetProperty("bytes").GetInt32(),
            report.RootElement.GetProperty("interval_cycles").EnumerateObject()
                .Min(interval => int.Parse(interval.Name)));
        Commands.Emu("compile", "LearningSwitch", "--out", _folder["out"], "--frames", "/nonesuch.pcap")
            .Refused(1, "/nonesuch.pcap");
    }

    /// <summary>
    /// A switch that has learned at port 1 where a station is forwards to it; one that has at port 0 drops.
    /// </summary>
    [Theory]
    [InlineData(1, "IPv4 UDP to port 7")]
    [InlineData(0, "IPv4 UDP to port 7, dropped")]
    public void Frames_go_in_before_those_that_are_measured(int port, string kind)
    {
        var (station, other) = (MacAddress.Parse("02:00:00:00:00:01"), MacAddress.Parse("02:00:00:00:00:02"));
        var (address, another) = (IPv4Address.Parse("10.0.0.1"), IPv4Address.Parse("10.0.0.2"));
        var (before, measured) = (_folder["before.pcapng"], _folder["measured.pcap"]);
        using (var writer = CaptureWriter.Create(before))
        {
            writer.AddInterface("port 0");
            writer.AddInterface("port 1");
            writer.Write(port, Packet.Ethernet(station, other).IPv4(address, another).Udp(7, 7).PaddedTo(60), 0);
        }
        using (var writer = CaptureWriter.Create(measured))
        {
            writer.AddInterface("port 0");
            writer.Write(0, Packet.Ethernet(other, station).IPv4(another, address).Udp(7, 7).PaddedTo(60), 0);
        }
        using var report = JsonDocument.Parse(
            Commands.Emu(
                    "compile", "LearningSwitch", "--json", "--out", _folder["out"], "--frames", measured, "--before",
                    before)
                .Succeeded().Output);
        Assert.Equal(
            kind,
            report.RootElement.GetProperty("measurement").GetProperty("kinds")[0].GetProperty("name").GetString());
    }

    [Fact]
    public void A_capture_of_more_interfaces_than_ports_is_refused()
    {
        var capture = _folder["many.pcapng"];
        using (var writer = CaptureWriter.Create(capture))
        {
            for (var i = 0; i <= 4; i++) writer.AddInterface($"interface {i}");
            writer.Write(4, new byte[60], 0);
        }
        foreach (var option in (string[])["--frames", "--before"])
        {
            Commands.Emu("compile", "LearningSwitch", "--out", _folder["out"], option, capture)
                .Refused(1, capture, "interface 4", "the last port is 3", "editcap");
        }
    }

    [Fact]
    public void An_interval_that_cannot_be_had_is_answered_with_the_one_that_can()
    {
        var refused = Commands.Emu("compile", "LearningSwitch", "--out", _folder["out"], "--interval", "1");
        refused.Refused(1, "EMU0026", "LearningSwitch.cs:", "the time is divided", "--interval ");
        Assert.False(Directory.Exists(_folder["out"]));
        var possible = Regex.Match(refused.Error, @"--interval (\d+)").Groups[1].Value;
        Commands.Emu("compile", "LearningSwitch", "--out", _folder["out"], "--interval", possible).Succeeded();
    }

    [Fact]
    public void Wrong_options_say_what_there_is()
    {
        Commands.Emu("compile").Refused(2, "compile", "name a service");
        Commands.Emu("compile", "LearningSwitch", "--dump", "hoisting").Refused(2, "--dump", "'hoisting'", "narrowing");
        Commands.Emu("compile", "LearningSwitch", "--bus", "100").Refused(2, "--bus", "64, 128, 256, 512");
        Commands.Emu("compile", "LearningSwitch", "--bus", "wide").Refused(2, "--bus", "'wide'");
        Commands.Emu("compile", "LearningSwitch", "--ports", "9").Refused(2, "--ports", "1 to 8");
        Commands.Emu("compile", "LearningSwitch", "--clock", "0").Refused(2, "--clock", "1 to 1000");
        Commands.Emu("compile", "LearningSwitch", "--mtu", "9001").Refused(2, "--mtu", "68 to 9000");
        Commands.Emu("compile", "LearningSwitch", "--interval", "0").Refused(2, "--interval", "1 to ");
        Commands.Emu("compile", "LearningSwitch", "--layout", "spiral").Refused(2, "'spiral'", "pipeline, engine");
        Commands.Emu("compile", "LearningSwitch", "--capacity", "8").Refused(2, "'--capacity'", "behind --");
        Commands.Emu("compile", "LearningSwitch", "--", "--capacity", "7").Refused(2, "power of two");
        Commands.Emu("compile", "IcmpEcho").Refused(2, "--address");
        Commands.Emu("compile", "Nonesuch")
            .Refused(2, "'Nonesuch'", "Dns, Filter, Host, IcmpEcho, LearningSwitch, LruCache, Memcached, Nat, TcpPing");
    }

    private static string Text(JsonDocument report, string name) => report.RootElement.GetProperty(name).GetString()!;
}
