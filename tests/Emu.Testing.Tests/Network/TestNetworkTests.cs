using System.Diagnostics;

namespace Emu.Testing.Tests;

[Slow("namespaces")]
public class TestNetworkTests
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(10);
    private static readonly CancellationToken s_cancel = TestContext.Current.CancellationToken;

    [Fact]
    public void Two_hosts_on_one_link_reach_each_other_by_IPv4_and_IPv6_at_once()
    {
        SkipUnlessUsable("ping");
        using var network = new TestNetwork();
        var first = network.AddHost("h1", "10.0.0.1/24", "2001:db8::1/64");
        var second = network.AddHost("h2", "10.0.0.2/24", "2001:db8::2/64");
        network.Connect(first, second);

        foreach (var address in (string[])[second.IPv4.ToString()!, second.IPv6.ToString()!])
            first.Run("ping", ["-c", "1", "-W", "60", address], cancellationToken: s_cancel).EnsureSuccess();
    }

    [Fact]
    public void A_link_of_the_device_has_its_other_end_there_without_offloads_and_without_IPv6()
    {
        SkipUnlessUsable("ethtool");
        using var network = new TestNetwork();
        var host = network.AddHost("h1", "10.0.0.1/24");

        Assert.Equal("port0", network.Connect(host));
        Assert.Equal("eth0", host.Interface);
        Assert.Contains(
            "link/ether 02:00:00:00:00:01",
            host.Run("ip", ["link", "show", "eth0"], cancellationToken: s_cancel).Output);
        Assert.Contains(
            "tcp-segmentation-offload: off",
            network.Device.Run("ethtool", ["-k", "port0"], cancellationToken: s_cancel).Output);
        Assert.Equal(
            "",
            network.Device.Run("ip", ["-6", "address", "show", "dev", "port0"], cancellationToken: s_cancel).Output);
        Assert.DoesNotContain("port0", string.Join(' ', Directory.GetFileSystemEntries("/sys/class/net")));
    }

    [Fact]
    public void Hosts_reach_each_other_through_what_runs_on_the_device()
    {
        SkipUnlessUsable("ping");
        using var network = new TestNetwork();
        var first = network.AddHost("h1", "10.0.0.1/24");
        var second = network.AddHost("h2", "10.0.0.2/24");
        if (network.Device.Run("ip", ["link", "add", "bridge", "up", "type", "bridge"], cancellationToken: s_cancel)
            is { ExitCode: not 0 } refused)
            Assert.Skip($"needs a kernel with bridges: {refused.Error}");
        foreach (var port in new[] { network.Connect(first), network.Connect(second) })
            network.Device.Run("ip", ["link", "set", port, "master", "bridge"], cancellationToken: s_cancel)
                .EnsureSuccess();

        first.Run("ping", ["-c", "1", "-W", "60", "10.0.0.2"], cancellationToken: s_cancel).EnsureSuccess();
    }

    [Fact]
    public void Nothing_is_left_of_a_network_that_was_disposed()
    {
        SkipUnlessUsable();
        string name;
        int id;
        using (var network = new TestNetwork())
        {
            name = network.AddHost("h1").Namespace;
            id = network.Hosts[0].Start("sleep", ["1000"]).ProcessId;
            Assert.Contains(name, Namespaces());
        }

        Assert.DoesNotContain(name[..^2], string.Join(' ', Namespaces()));
        Assert.False(Directory.Exists($"/proc/{id}"));
    }

    [Fact]
    public void A_tap_made_on_the_device_becomes_the_interface_of_a_host()
    {
        SkipUnlessUsable();
        using var network = new TestNetwork();
        var host = network.AddHost("h1", "10.0.0.1/24");
        network.Device.Run("ip", ["tuntap", "add", "emutap0", "mode", "tap"], cancellationToken: s_cancel)
            .EnsureSuccess();

        network.AdoptTap(host, "emutap0", cancellationToken: s_cancel);

        Assert.Contains(
            "inet 10.0.0.1/24", host.Run("ip", ["address", "show", "emutap0"], cancellationToken: s_cancel).Output);
    }

    [Fact]
    public void A_tap_that_nobody_makes_is_reported_in_time()
    {
        SkipUnlessUsable();
        using var network = new TestNetwork();
        var host = network.AddHost("h1");

        var failure = Assert.Throws<TestFailedException>(() =>
            network.AdoptTap(host, "emutap1", TimeSpan.FromMilliseconds(50), s_cancel));

        Assert.Contains("emutap1", failure.Message);
    }

    [Fact]
    public void What_runs_inside_a_host_sees_its_network_and_leaves_the_caller_where_it_was()
    {
        SkipUnlessUsable();
        using var network = new TestNetwork();
        var host = network.AddHost("h1");
        var before = File.ReadAllText("/proc/thread-self/net/dev");

        var inside = host.Inside(() => File.ReadAllLines("/proc/thread-self/net/dev"));

        Assert.Equal(3, inside.Length); // two lines of headings, and lo
        Assert.Equal(before.Split('\n').Length, File.ReadAllText("/proc/thread-self/net/dev").Split('\n').Length);
        Assert.Throws<InvalidDataException>(() => host.Inside<int>(() => throw new InvalidDataException()));
    }

    [Fact]
    public void A_command_that_takes_too_long_is_ended_with_all_its_children()
    {
        SkipUnlessUsable();
        using var network = new TestNetwork();

        var failure = Assert.Throws<TestFailedException>(() =>
            network.Device.Run(
                "sh", ["-c", "echo begun; sleep 1000 & sleep 1000"], TimeSpan.FromMilliseconds(300), s_cancel));

        Assert.Contains("begun", failure.Message);
        Assert.DoesNotContain("sleep", ProcessesIn(network.Device));
    }

    [Fact]
    public void A_background_command_is_waited_for_by_what_it_prints_and_stopped_as_by_Ctrl_C()
    {
        SkipUnlessUsable();
        using var network = new TestNetwork();
        using var command = network.Device.Start(
            "sh", ["-c", "trap 'echo bye; exit 3' INT; echo ready now >&2; while :; do sleep 0.01; done"]);

        Assert.Equal("ready now", command.WaitForLine("ready", cancellationToken: s_cancel));
        var result = command.Stop();

        Assert.Equal(3, result.ExitCode);
        Assert.Equal("bye\n", result.Output);
    }

    [Fact]
    public void A_command_that_ends_before_it_is_ready_is_reported_with_what_it_said()
    {
        SkipUnlessUsable();
        using var network = new TestNetwork();
        using var command = network.Device.Start("sh", ["-c", "echo no such interface >&2; exit 1"]);

        var failure = Assert.Throws<TestFailedException>(() =>
            command.WaitForLine("ready", cancellationToken: s_cancel));

        Assert.Contains("exit code 1", failure.Message);
        Assert.Contains("no such interface", failure.Message);
    }

    [Fact]
    public void Cancelling_ends_a_command()
    {
        SkipUnlessUsable();
        using var network = new TestNetwork();
        using var cancellation = new CancellationTokenSource(TimeSpan.FromMilliseconds(100));

        Assert.ThrowsAny<OperationCanceledException>(() =>
            network.Device.Run("sleep", ["1000"], cancellationToken: cancellation.Token));

        Assert.DoesNotContain("sleep", ProcessesIn(network.Device));
    }

    [Fact]
    public void A_leftover_of_a_process_that_no_longer_runs_is_removed_by_the_next_network()
    {
        SkipUnlessUsable();
        // The process with this number runs, but started at another time.
        var name = $"emu-{Environment.ProcessId}-1-1-h1";
        using (var command = RunningCommand.Start("ip", ["netns", "add", name]))
            command.WaitForExit(cancellationToken: s_cancel).EnsureSuccess();

        using var network = new TestNetwork();

        Assert.DoesNotContain(name, Namespaces());
    }

    [Fact]
    public void Nothing_is_left_of_a_network_whose_process_is_killed()
    {
        SkipUnlessUsable();
        // This same test in another process plays the one that is killed.
        const string Role = "EMU_TEST_IS_TO_BE_KILLED";
        if (Environment.GetEnvironmentVariable(Role) is not null)
        {
            using var network = new TestNetwork();
            network.AddHost("h1").Run("sleep", ["1000"], s_limit, s_cancel);
            return;
        }

        var start = new ProcessStartInfo(
            "dotnet",
            [
                typeof(TestNetworkTests).Assembly.Location,
                "--filter-method",
                $"*.{nameof(Nothing_is_left_of_a_network_whose_process_is_killed)}",
            ])
        {
            RedirectStandardOutput = true,
        };
        start.Environment[Role] = "1";
        using var other = Process.Start(start)!;
        var names = $"emu-{other.Id}-";
        bool HasHost() => Namespaces().Any(name => name!.StartsWith(names) && name.EndsWith("-h1"));
        Assert.True(Wait.Until(HasHost, s_limit, s_cancel));

        other.Kill();

        Assert.True(Wait.Until(() => !Namespaces().Any(name => name!.StartsWith(names)), s_limit, s_cancel));
    }

    private static void SkipUnlessUsable(params string[] programs)
    {
        if (TestNetwork.WhyNotWith(programs) is { } reason) Assert.Skip($"a network of namespaces {reason}");
    }

    private static IEnumerable<string?> Namespaces() => Directory.GetFiles("/run/netns").Select(Path.GetFileName);

    private static string ProcessesIn(TestHost host)
    {
        using var command = RunningCommand.Start("ip", ["netns", "pids", host.Namespace]);
        var ids = command.WaitForExit(cancellationToken: s_cancel).Output
            .Split('\n', StringSplitOptions.RemoveEmptyEntries);
        return string.Join(
            ' ', ids.Select(id => File.Exists($"/proc/{id}/comm") ? File.ReadAllText($"/proc/{id}/comm").Trim() : ""));
    }
}
