using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>A switch between two hosts is directed over the interface of one of them.</summary>
public sealed class DirectionTests
{
    private const string Address = "02:00:00:00:00:ee";

    private static readonly string[] s_session =
    [
        "print Reserved", "set Reserved = 40", "count calls Process if frame.Length > 1000",
        "trace start Reserved if Reserved > 41",
    ];

    [Fact]
    public void A_switch_between_hosts_is_directed_while_they_talk()
    {
        Needs.Network("ping");
        using var folder = new TemporaryFolder();
        File.WriteAllText(folder["key"], "00112233445566778899aabbccddeeff\n");
        File.WriteAllLines(folder["session"], s_session);
        using var network = new TestNetwork();
        var (h1, h2) = (network.AddHost("h1", "10.0.0.1/24"), network.AddHost("h2", "10.0.0.2/24"));
        string[] ports = ["--port", $"raw:{network.Connect(h1)}", "--port", $"raw:{network.Connect(h2)}"];
        using var program = network.Device.Start(
            "dotnet",
            [
                ServiceProgram.Emu, "run", "LearningSwitch", .. ports, "--direct-key", folder["key"],
                "--direct-address", Address,
                "--direct", "print,set:Reserved,count:calls Process+frame.Length,trace:Reserved",
            ]);
        program.WaitForLine("ready: ", Until.Limit, TestContext.Current.CancellationToken);

        using var flood = h2.Start("ping", ["-f", "-q", "10.0.0.1"]);
        Assert.Equal(
            """
            direct> print Reserved
            Reserved = 0
            direct> set Reserved = 40
            Reserved = 40
            direct> count calls Process if frame.Length > 1000
            direct> trace start Reserved if Reserved > 41

            """,
            Direct(h1, folder, "-f", folder["session"]));
        h2.Ping("10.0.0.1", "-c", "5", "-i", "0.05", "-s", "1400");
        var calls = Direct(h1, folder, "-c", "count print calls Process");
        Assert.Contains("10 calls", calls);
        Assert.Contains("Reserved = 40", Direct(h2, folder, "-c", "print Reserved"));
        Assert.Contains("Reserved: 0 kept, 0 missed", Direct(h2, folder, "-c", "trace print Reserved"));
    }

    [Theory]
    [InlineData("run")]
    [InlineData("simulate")]
    public void A_switch_is_stopped_at_a_line_and_goes_on(string target)
    {
        Needs.Network("ping");
        using var folder = new TemporaryFolder();
        File.WriteAllText(folder["key"], "00112233445566778899aabbccddeeff\n");
        using var network = new TestNetwork();
        var (h1, h2) = (network.AddHost("h1", "10.0.0.1/24"), network.AddHost("h2", "10.0.0.2/24"));
        string[] ports = ["--port", $"raw:{network.Connect(h1)}", "--port", $"raw:{network.Connect(h2)}"];
        using var program = network.Device.Start(
            "dotnet",
            [
                ServiceProgram.Emu, target, "LearningSwitch", .. ports, "--direct-key", folder["key"],
                "--direct-address", Address,
                "--direct", "print:Process,set:Process,break:Forwarded.Increment+frame.Length",
            ]);
        program.WaitForLine("ready: ", Until.Limit, TestContext.Current.CancellationToken);
        h2.Ping("10.0.0.1", "-c", "3", "-i", "0.05");

        Assert.Equal("", Direct(h1, folder, "-c", "break Forwarded.Increment if frame.Length > 1000"));
        using var ping = h2.Start("ping", ["-c", "1", "-W", "60", "-s", "1400", "10.0.0.1"]);
        Until.Holds(
            () => Direct(h1, folder, "-c", "status")
                .Contains("stopped at break Forwarded.Increment", StringComparison.Ordinal),
            "the switch is stopped");
        Assert.Equal("Process.ports = {0}\n", Direct(h1, folder, "-c", "print Process.ports"));
        Assert.Equal("", Direct(h1, folder, "-c", "unbreak Forwarded.Increment", "-c", "continue"));

        Assert.Equal(0, ping.WaitForExit(Until.Limit, TestContext.Current.CancellationToken).ExitCode);
        h2.Ping("10.0.0.1", "-c", "3", "-i", "0.05", "-s", "1400");
    }

    [Fact]
    public void Where_nothing_answers_the_director_says_so()
    {
        Needs.Network();
        using var folder = new TemporaryFolder();
        File.WriteAllText(folder["key"], "00112233445566778899aabbccddeeff\n");
        using var network = new TestNetwork();
        var host = network.AddHost("h1", "10.0.0.1/24");
        network.Connect(host);
        Assert.Contains("no answer", Direct(host, folder, "-c", "status"));
    }

    /// <summary>Directs over a host's interface; gives all that the command prints.</summary>
    private static string Direct(TestHost host, TemporaryFolder folder, params string[] what)
    {
        using var direct = host.Start(
            "dotnet",
            [
                ServiceProgram.Emu, "direct", "--port", $"raw:{host.Interface}", "--to", Address,
                "--key", folder["key"], .. what,
            ]);
        var result = direct.WaitForExit(Until.Limit, TestContext.Current.CancellationToken);
        return result.Output + result.Error;
    }
}
