using Emu.Testing;

namespace Emu.Tool.Tests;

/// <summary>
/// Design §10: what cannot be done ends with one line that says what is wrong and what there is,
/// and never with a stack trace.
/// </summary>
[Slow("time")]
public sealed class WrongUseTests(CaptureFixture captures) : IClassFixture<CaptureFixture>
{
    private const string Verbs = "demo, test, bench, fuzz, list, new, run, compile, check, simulate";

    [Fact]
    public void No_verb_shows_the_help()
    {
        var outcome = Commands.Emu();
        Assert.Equal((2, ""), (outcome.ExitCode, outcome.Output));
        Assert.Equal(Commands.Emu("--help").Succeeded().Output, outcome.Error);
    }

    [Fact]
    public void An_unknown_verb_says_which_there_are()
    {
        Commands.Emu("runn", "IcmpEcho").Refused(2, "'runn'", Verbs);
        Commands.Emu("").Refused(2, Verbs);
    }

    [Fact]
    public void An_unknown_option_says_which_there_are()
    {
        Commands.Emu("list", "--jsn").Refused(2, "'--jsn'", "--json");
        Commands.Emu("run", "IcmpEcho", "--prot", "tap:x").Refused(2, "'--prot'", "--port");
        Commands.Service("IcmpEcho", "--prot", "tap:x").Refused(2, "'--prot'", "--port");
    }

    [Fact]
    public void A_service_argument_before_the_hyphens_says_where_it_belongs() =>
        Commands.Emu("run", "IcmpEcho", "--port", In, "--address", "10.0.0.2").Refused(2, "'--address'", "behind --");

    [Fact]
    public void An_unknown_service_says_which_there_are()
    {
        Commands.Emu("run", "IcmpEco", "--port", In)
            .Refused(
                2, "'IcmpEco'",
                "Dns, Filter, Host, IcmpEcho, LearningSwitch, LruCache, Memcached, Nat, TcpPing", ".csproj");
        Commands.Emu("run", "Nope")
            .Refused(2, "'Nope'", "Dns, Filter, Host, IcmpEcho, LearningSwitch, LruCache, Memcached, Nat, TcpPing");
        Commands.Emu("run", "IcmpEco", "--help")
            .Refused(2, "'IcmpEco'", "Dns, Filter, Host, IcmpEcho, LearningSwitch, LruCache, Memcached, Nat, TcpPing");
        Commands.Emu("run", "./nonesuch.csproj", "--port", In).Refused(2, "'./nonesuch.csproj'");
        Commands.Emu("run", "src", "--port", In).Refused(2, ".csproj");
    }

    [Theory]
    [InlineData("NAME is missing", "new")]
    [InlineData("SERVICE is missing: A service's name", "run")]
    [InlineData("SHELL is missing: One of bash, zsh, fish", "completion")]
    public void A_missing_argument_is_named_and_described(string what, params string[] line) =>
        Commands.Emu(line).Refused(2, what);

    [Theory]
    [InlineData("--minutes: 'x' is not a number", "fuzz", "--minutes", "x")]
    [InlineData("--frames: '1.5' is not a whole number", "fuzz", "--frames", "1.5")]
    [InlineData("--frames: '99999999999' is out of range", "fuzz", "--frames", "99999999999")]
    [InlineData("--listen: 'x' is not a whole number", "dap", "--listen", "x")]
    [InlineData("--listen: a TCP port from 0 to 65535", "dap", "--listen", "70000")]
    [InlineData("--direct-hold: 'x' is not a whole number", "run", "LearningSwitch", "--direct-hold", "x")]
    [InlineData("--direct-hold: from 1 to 256", "run", "LearningSwitch", "--direct-hold", "0")]
    public void What_is_no_number_is_said_in_words_of_people(string why, params string[] line) =>
        Commands.Emu(line).Refused(2, why);

    [Fact]
    public void A_choice_that_there_is_not_is_answered_by_those_that_there_are_in_one_line() =>
        Commands.Emu("bench", "nope").Refused(2, "'nope' not recognized. Must be one of: 'tap' 'bridge'");

    [Fact]
    public void An_assembly_without_services_and_what_is_no_assembly_are_refused()
    {
        Commands.Emu("run", Commands.Built("src/Emu.Core", "Emu.Core"), "--port", In)
            .Refused(2, "no public class derived from Emu.Service");
        var text = captures.New(".dll");
        File.WriteAllText(text, "not an assembly");
        Commands.Emu("run", text, "--port", In).Refused(1, text, "cannot be loaded");
    }

    [Fact]
    public void A_missing_or_impossible_port_says_how_ports_are_written()
    {
        Commands.Emu("run", "LearningSwitch").Refused(2, "--port");
        Commands.Emu("run", "LearningSwitch", "--port").Refused(2, "--port");
        Commands.Emu("run", "LearningSwitch", "--port", "eth0")
            .Refused(2, "'eth0'", "tap:NAME", "raw:IFACE", "pcap:IN,OUT");
        Commands.Emu("run", "LearningSwitch", "--port", "usb:0").Refused(2, "'usb'", "tap:NAME");
        Commands.Emu("run", "LearningSwitch", "--port", "tap:a-name-that-is-too-long").Refused(2, "1 to 15 bytes");
    }

    [Theory]
    [InlineData("raw:b0")]
    [InlineData("tap:emu0")]
    public void An_interface_is_one_port(string port) =>
        Commands.Emu("run", "LearningSwitch", "--port", port, "--port", "raw:b1", "--port", port)
            .Refused(2, port, "twice");

    [Fact]
    public void A_file_that_is_written_is_no_other_ports_and_not_the_recording()
    {
        var (kept, link) = (captures.New(".pcapng"), captures.New(".pcapng"));
        File.WriteAllText(kept, "kept");
        File.CreateSymbolicLink(link, kept);
        Refused("--port", $"{In},{kept}", "--port", $"{In},{link}");
        Refused("--port", $"pcap:{kept}#0", "--port", $"pcap:,{link}");
        Refused("--port", $"{In},{kept}", "--record", link);
        Assert.Equal("kept", File.ReadAllText(kept));

        void Refused(params string[] ports) =>
            Commands.Emu(["run", "LearningSwitch", .. ports])
                .Refused(2, kept, link, "would overwrite", "name another file");
    }

    [Fact]
    public void One_input_may_be_several_ports_and_what_is_written_nowhere_too() =>
        Commands.Emu("run", "LearningSwitch", "--port", $"{In},/dev/null", "--port", $"{In}#0,/dev/null").Succeeded();

    [Fact]
    public void An_interface_that_a_capture_does_not_describe_is_named()
    {
        Commands.Emu("run", "LearningSwitch", "--port", $"{In}#1")
            .Refused(1, $"{In}#1", "no interface 1", "interface 0 only");
        var recorded = captures.New(".pcapng");
        Commands.Emu("run", "LearningSwitch", "--port", In, "--port", In, "--record", recorded).Succeeded();
        Commands.Emu("run", "LearningSwitch", "--port", $"pcap:{recorded}#7")
            .Refused(1, $"{recorded}#7", "no interface 7", "interfaces 0 to 1");
        Commands.Emu("run", "LearningSwitch", "--port", $"pcap:{recorded}#1").Succeeded();
    }

    [Fact]
    public void A_missing_interface_is_named()
    {
        if (!Environment.IsPrivilegedProcess) Assert.Skip("needs root: others are told that first");
        Commands.Emu("run", "LearningSwitch", "--port", "raw:nonesuch0")
            .Refused(1, "raw:nonesuch0", "no such interface");
    }

    [Fact]
    public void Without_privilege_a_live_port_says_what_it_needs()
    {
        Commands.EmuUnprivileged("run", "LearningSwitch", "--port", "tap:emutool0")
            .Refused(1, "tap:emutool0", "needs root or CAP_NET_ADMIN");
        Commands.EmuUnprivileged("run", "LearningSwitch", "--port", "raw:lo")
            .Refused(1, "raw:lo", "needs root or CAP_NET_RAW");
    }

    [Fact]
    public void A_port_that_is_taken_says_so()
    {
        if (TestNetwork.WhyNot is { } reason) Assert.Skip($"a network of namespaces {reason}");
        using var network = new TestNetwork();
        using var first = network.Device.Start(
            "dotnet", [Commands.EmuAssembly, "run", "LearningSwitch", "--port", "tap:emu0"]);
        first.WaitForLine("ready: ", Commands.Limit, TestContext.Current.CancellationToken);
        var second = network.Device.Run(
            "dotnet", [Commands.EmuAssembly, "run", "LearningSwitch", "--port", "tap:emu0"],
            Commands.Limit, TestContext.Current.CancellationToken);
        new Outcome(second.ExitCode, second.Output, second.Error).Refused(1, "tap:emu0", "already in use");
    }

    [Fact]
    public void A_capture_that_is_absent_broken_or_none_is_named()
    {
        string[] host = CaptureFixture.Host;
        Commands.Emu(["run", "IcmpEcho", "--port", "pcap:/nonesuch.pcap", .. host])
            .Refused(1, "/nonesuch.pcap", "no such file");
        var text = captures.New(".pcap");
        File.WriteAllText(text, "hello, world");
        Commands.Emu(["run", "IcmpEcho", "--port", $"pcap:{text}", .. host])
            .Refused(1, text, "neither pcap nor pcapng");
        File.WriteAllText(text, "");
        Commands.Emu(["run", "IcmpEcho", "--port", $"pcap:{text}", .. host]).Refused(1, text, "empty");
        Commands.Emu(["run", "IcmpEcho", "--port", $"{In},/nonesuch/out.pcap", .. host])
            .Refused(1, "/nonesuch/out.pcap", "cannot be written");
        Commands.Emu(["run", "IcmpEcho", "--port", $"{In},{captures.Requested}", .. host]).Refused(2, "overwrite");
    }

    [Fact]
    public void A_truncated_capture_is_run_as_far_as_it_goes_and_then_reported()
    {
        var (cut, output) = (captures.New(".pcap"), captures.New(".pcap"));
        File.WriteAllBytes(cut, File.ReadAllBytes(captures.Requested)[..^5]);
        Commands.Emu(["run", "IcmpEcho", "--port", $"pcap:{cut},{output}", .. CaptureFixture.Host])
            .Refused(1, cut, $"after {CaptureFixture.Requests - 1} packets");
        Assert.Equal(CaptureFixture.Requests - 1, CaptureFiles.Read(output).Count);
    }

    [Theory]
    [InlineData("IcmpEcho", "--address", "--address", "x")]
    [InlineData("IcmpEcho", "--address", "--mac", "02:00:00:00:00:02")]
    [InlineData("IcmpEcho", "--address")]
    [InlineData("IcmpEcho", "--address", "--address")]
    [InlineData("IcmpEcho", "--address", "--address", "10.0.0.2", "--address", "10.0.0.3")]
    [InlineData("IcmpEcho", "--mac", "--address", "10.0.0.2", "--mac", "02:00")]
    [InlineData("IcmpEcho", "--adress", "--adress", "10.0.0.2")]
    [InlineData("Nat", "--forward", "--inside", "10.0.0.254", "--outside", "192.0.2.1", "--forward", "tcp:80=10.0.0.5")]
    [InlineData("Nat", "--filtering", "--inside", "10.0.0.254", "--outside", "192.0.2.1", "--filtering", "none")]
    [InlineData("Nat", "--filtering", "--inside", "10.0.0.254", "--outside", "192.0.2.1", "--filtering", "7")]
    [InlineData("Nat", "120 or more", "--inside", "10.0.0.254", "--outside", "192.0.2.1", "--udp-seconds", "119")]
    [InlineData(
        "Nat", "as many mappings as ways, 8", "--inside", "10.0.0.254", "--outside", "192.0.2.1", "--mappings", "4")]
    [InlineData("Filter", "--rule", "--rule", "-A FORWARD -p tcpp -j DROP")]
    [InlineData("Filter", "--rule6", "--rule6", "-A FORWARD -f -j DROP")]
    [InlineData("Filter", "nosuch.txt", "--rules", "nosuch.txt")]
    [InlineData("TcpPing", "--listen", "--address", "10.0.0.2", "--listen", "65536")]
    [InlineData("TcpPing", "--key", "--address", "10.0.0.2", "--key", "secret")]
    [InlineData("TcpPing", "--key", "--address", "10.0.0.2", "--key", "0x100000000000000000000000000000000")]
    [InlineData("LearningSwitch", "power of two", "--capacity", "100")]
    [InlineData("LearningSwitch", "--capacity", "--capacity", "many")]
    [InlineData("LearningSwitch", "--capacity", "--capacity", "99999999999")]
    [InlineData("LearningSwitch", "10 to 1000000", "--ageing-seconds", "9")]
    [InlineData("LearningSwitch", "--static", "--static", "here=1")]
    [InlineData("LearningSwitch", "'extra'", "extra")]
    public void A_wrong_argument_of_a_service_is_named(string service, string word, params string[] arguments) =>
        Commands.Emu(["run", service, "--port", In, "--", .. arguments]).Refused(2, word);

    [Fact]
    public void A_wrong_option_of_run_says_what_it_takes()
    {
        Commands.Emu("run", "LearningSwitch", "--port", In, "--mtu", "abc").Refused(2, "--mtu", "'abc'");
        Commands.Emu("run", "LearningSwitch", "--port", In, "--mtu", "67").Refused(2, "--mtu", "68 to 9000");
        foreach (var spin in (string[])["-1", "x", "1000001", "0.5"])
            Commands.Emu("run", "LearningSwitch", "--port", In, "--spin", spin)
                .Refused(2, "--spin", $"'{spin}'", "0 to 1000000");
        Commands.Emu("run", "LearningSwitch", "--port", In, "--impair", "loss=2").Refused(2, "loss", "0 to 1");
        Commands.Emu("run", "LearningSwitch", "--port", In, "--impair", "rain=1").Refused(2, "'rain'", "loss=");
        Commands.Emu("run", "LearningSwitch", "--port", In, "--record", "run.pcap").Refused(2, "run.pcap", ".pcapng");
        Commands.Emu("test", "--only", "Nonesuch").Refused(2, "Nonesuch", "Emu.Core.Tests");
    }

    [Fact]
    public void Live_ports_and_captures_are_not_mixed()
    {
        if (!Environment.IsPrivilegedProcess) Assert.Skip("needs root to open a live port");
        Commands.Emu("run", "LearningSwitch", "--port", In, "--port", "raw:lo").Refused(2, "live ports and captures");
    }

    private string In => $"pcap:{captures.Requested}";
}
