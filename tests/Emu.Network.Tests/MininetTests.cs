using System.Diagnostics;
using System.Text.RegularExpressions;

namespace Emu.Network.Tests;

/// <summary>
/// tools/mininet with Mininet itself and <c>./emu</c>. Mininet ends processes by name and clears files under /tmp, so
/// it runs in namespaces of its own, where it can see nothing else.
/// </summary>
public sealed partial class MininetTests
{
    /// <summary>Seconds, after which it hangs.</summary>
    private const string Limit = "1800";

    private static readonly string[] s_tree = Tree("service=LearningSwitch");

    [Fact]
    public void Every_host_of_a_tree_of_switches_reaches_every_other() =>
        Assert.Contains("0% dropped (12/12 received)", Isolated([.. s_tree, "pingall"]));

    [Theory]
    [InlineData("managed")]
    [InlineData("verilator", "verilator", "g++", "make")]
    public void So_it_does_when_the_switches_are_simulated_hardware(string simulator, params string[] programs)
    {
        Needs.Network(programs);
        Assert.Contains("0% dropped (12/12 received)", Isolated([.. Tree($"hardware={simulator}"), "pingall"]));
    }

    /// <summary>Reports come from the wire, and no frame but them has moved the circuit's time on.</summary>
    [Fact]
    public void A_switch_of_simulated_hardware_has_its_ticks()
    {
        Needs.Network("tcpdump");
        var printed = Isolated(
            "sh",
            "-c",
            "printf '%s\\n' 'h1 timeout 60 tcpdump -ni h1-eth0 -c 3 ether proto 0x88b5 2>&1' "
            + "'sh cat /tmp/emu-s1-*.txt' >/tmp/look && "
            + "mn --custom tools/mininet/emu.py --topo single,2 --test none --post /tmp/look "
            + "--switch 'emu,service=TrafficReport,args=--collector 02:00:00:00:00:0c,hardware=managed'");
        Assert.Contains("3 packets captured", printed);
        Assert.Contains("ready: TrafficReport in hardware", printed);
    }

    [Fact]
    public void TCP_gets_through_a_tree_of_switches() =>
        Assert.Matches(MegabitsAtBothEnds, Isolated([.. s_tree, "iperf"]));

    [Fact]
    public void The_example_script_has_every_ping_answered() =>
        Assert.Equal(
            2,
            Isolated("/usr/bin/python3", "tools/mininet/example.py").Split('\n')
                .Count(line => line.Contains("3 received, 0% packet loss", StringComparison.Ordinal)));

    [GeneratedRegex(@"Results: \['[1-9][\d.]* [MG]bits/sec', '[1-9][\d.]* [MG]bits/sec'\]")]
    private static partial Regex MegabitsAtBothEnds { get; }

    private static string[] Tree(string parameters) =>
        [
            "mn", "--custom", "tools/mininet/emu.py", "--switch", $"emu,{parameters}", "--topo",
            "tree,depth=2,fanout=2", "--test",
        ];

    /// <summary>Runs a command to its end, and expects exit code 0.</summary>
    /// <returns>All that it printed.</returns>
    private static string Isolated(params string[] command)
    {
        Needs.Network("mn", "iperf", "killall", "unshare", "timeout", "ping");
        // builds it, if that is to be done: in there the registry cannot be reached
        Run(Path.Combine(ServiceProgram.Root, "emu"), "list");
        return Run(
            "timeout",
            ["-k", "5", Limit, "unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "--net", "--mount",
                "sh", Path.Combine(AppContext.BaseDirectory, "isolated.sh"), ServiceProgram.Root, .. command]);
    }

    private static string Run(string program, params string[] arguments)
    {
        using var process = Process.Start(
            new ProcessStartInfo(program, arguments)
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            })!;
        process.StandardInput.Close();
        var error = process.StandardError.ReadToEndAsync();
        var text = process.StandardOutput.ReadToEnd() + error.Result;
        process.WaitForExit();
        Assert.True(process.ExitCode == 0, $"exit code {process.ExitCode}\n{text}");
        return text;
    }
}
