using System.Text.RegularExpressions;
using Emu.Compiler;
using Emu.Compiler.Layouts;
using Emu.Hosting;
using Emu.Services;
using Emu.Simulation;
using Emu.Testing;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace Emu.Tool;

/// <summary>
/// Four hosts on a switch, one on an echo host and one on the same as simulated hardware, each in a network namespace
/// of its own, and the system's ping between them.
/// </summary>
internal static partial class NetworkDemo
{
    private const int SwitchPorts = 4;
    private const int PingCount = 5;
    private const int HardwareHost = 6;

    private static readonly (int From, string To, string What)[] s_pings =
    [
        (1, "10.0.0.2", "host 1 pings host 2 through LearningSwitch"),
        (3, "10.0.0.4", "host 3 pings host 4"),
        (1, "10.0.0.4", "host 1 pings host 4"),
        (2, "fd00::3", "host 2 pings host 3 over IPv6"),
        (5, "10.0.1.2", "host 5 pings IcmpEcho"),
        (5, "fd01::2", "host 5 pings IcmpEcho over IPv6"),
        (HardwareHost, "10.0.2.2", "host 6 pings IcmpEcho as simulated hardware"),
        (HardwareHost, "fd02::2", "host 6 pings the same over IPv6"),
    ];

    public static int Run(CancellationToken stop)
    {
        try
        {
            using var network = new TestNetwork();
            using var learningSwitch = StartSwitch(network, stop);
            using var echo = StartEcho(network, stop);
            using var hardware = StartHardware(network, stop);
            var show = new Show(learningSwitch, echo);
            var code = show.During(() => Ping(network, show, hardware.Latencies, stop));
            Console.WriteLine(
                "Both are one C# class each: services/LearningSwitch and services/IcmpEcho. "
                + "The hosts and interfaces are gone again.");
            Console.WriteLine("The hardware that was simulated is Verilog: ./emu compile IcmpEcho --example");
            return code;
        }
        catch (OperationCanceledException)
        {
            Console.Error.WriteLine("emu: stopped; the demo's namespaces and interfaces are gone");
            return 0;
        }
    }

    private static RunningService StartSwitch(TestNetwork network, CancellationToken stop)
    {
        var ports = Enumerable.Range(0, SwitchPorts).Select(i => OpenTap(network, $"emu{i}")).ToList();
        var service = new RunningService(new LearningSwitch(), ports);
        for (var i = 0; i < SwitchPorts; i++)
            network.AdoptTap(
                network.AddHost($"host{i + 1}", $"10.0.0.{i + 1}/24", $"fd00::{i + 1}/64"),
                $"emu{i}",
                cancellationToken: stop);
        return service;
    }

    private static RunningService StartEcho(TestNetwork network, CancellationToken stop)
    {
        var service = new RunningService(
            new IcmpEcho(
                IPv4Address.Parse("10.0.1.2"), MacAddress.Parse("02:00:00:00:01:02"), IPv6Address.Parse("fd01::2")),
            [OpenTap(network, $"emu{SwitchPorts}")]);
        network.AdoptTap(
            network.AddHost("host5", "10.0.1.1/24", "fd01::1/64"), $"emu{SwitchPorts}", cancellationToken: stop);
        return service;
    }

    /// <summary>The same class as for host 5, compiled, and simulated cycle by cycle.</summary>
    private static RunningDevice StartHardware(TestNetwork network, CancellationToken stop)
    {
        const int Tap = SwitchPorts + 1;
        var service = new IcmpEcho(
            IPv4Address.Parse("10.0.2.2"), MacAddress.Parse("02:00:00:00:02:02"), IPv6Address.Parse("fd02::2"));
        var device = new RunningDevice(
            HardwareCompiler.Compile(service, new HardwareOptions { Ports = 1 }), [OpenTap(network, $"emu{Tap}")]);
        network.AdoptTap(
            network.AddHost($"host{HardwareHost}", "10.0.2.1/24", "fd02::1/64"), $"emu{Tap}", cancellationToken: stop);
        return device;
    }

    /// <summary>
    /// A tap that is made where no other interface is; it keeps working when its other end moves to a host.
    /// </summary>
    private static Port OpenTap(TestNetwork network, string name) =>
        network.Device.Inside(() => PortSpecification.Open($"tap:{name}"));

    private static int Ping(TestNetwork network, Show show, CycleCounts cycles, CancellationToken stop)
    {
        var lost = 0;
        foreach (var (from, to, what) in s_pings)
        {
            stop.ThrowIfCancellationRequested();
            var result = network.Hosts[from - 1].Run(
                "ping", ["-n", "-c", $"{PingCount}", "-i", "0.2", "-W", "5", to], TimeSpan.FromSeconds(20), stop);
            if (result.ExitCode != 0) lost++;
            var summary = Summary(result.Output) + (from == HardwareHost ? Cycles(cycles) : "");
            show.Add(
                $"{(result.ExitCode == 0 ? "[green]✓[/]" : "[red]✗[/]")} {Markup.Escape(what),-44} "
                + $"{Markup.Escape(summary)}");
        }
        return lost == 0 ? 0 : 1;
    }

    /// <summary>The summary that ping prints at its end: packets, and round-trip times.</summary>
    private static string Summary(string output) =>
        $"{Received().Match(output).Groups[1].Value} of {PingCount} came back, "
        + $"{Times().Match(output).Groups[1].Value} ms (least/average/most)";

    private static string Cycles(CycleCounts cycles) => $"; a reply took {cycles.Least} to {cycles.Most} cycles";

    [GeneratedRegex(@"(\d+) received")]
    private static partial Regex Received();

    [GeneratedRegex(@"= ([\d.]+/[\d.]+/[\d.]+)/")]
    private static partial Regex Times();

    /// <summary>
    /// The display for a person: the pings so far above the two services, twice a second;
    /// lines only where there is no terminal.
    /// </summary>
    private sealed class Show(RunningService learningSwitch, RunningService echo)
    {
        private static readonly TimeSpan s_period = TimeSpan.FromSeconds(0.5);

        private readonly List<string> _lines = [];
        private (RunSnapshot Switch, RunSnapshot Echo)? _before;

        public int During(Func<int> work)
        {
            if (Console.IsOutputRedirected)
            {
                var code = work();
                AnsiConsole.Write(Picture());
                return code;
            }
            var running = Task.Run(work);
            AnsiConsole.Live(Picture()).Start(context =>
            {
                while (!running.IsCompleted)
                {
                    Task.WaitAny([running], s_period);
                    context.UpdateTarget(Picture());
                }
            });
            return running.GetAwaiter().GetResult();
        }

        public void Add(string markup)
        {
            lock (_lines) _lines.Add(markup);
            if (Console.IsOutputRedirected) Console.WriteLine(Markup.Remove(markup));
        }

        private Rows Picture()
        {
            var now = (learningSwitch.Look(), echo.Look());
            var rows = new List<IRenderable>();
            if (!Console.IsOutputRedirected)
            {
                lock (_lines) rows.AddRange(_lines.Select(line => new Markup(line)));
            }
            rows.Add(LiveView.Render(learningSwitch.Title, now.Item1, _before?.Switch));
            rows.Add(LiveView.Render(echo.Title, now.Item2, _before?.Echo));
            _before = now;
            return new Rows(rows);
        }
    }
}
