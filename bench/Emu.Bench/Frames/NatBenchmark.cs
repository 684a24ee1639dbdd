using Emu.Testing;

namespace Emu.Bench;

/// <summary>Nat on packet sockets, beside the address translation of Linux on equal pairs of virtual interfaces.</summary>
internal static class NatBenchmark
{
    private const int FlowCount = 256;

    public static IEnumerable<Ratio> Run(int rounds, double seconds)
    {
        using var kernel = new Topology();
        using var ours = new Topology();
        kernel.Masquerade();
        using var emu = ours.Translate();

        var generator = new Generator(seconds);
        var files = Benchmarks.Lengths.ToDictionary(length => length, Write);
        new Generator(Benchmarks.WarmUpSeconds).RunFile(ours.Device, files[60], ours.Through);
        foreach (var length in Benchmarks.Lengths)
        {
            var all = Enumerable.Range(0, rounds).Select(_ => (
                Emu: generator.RunFile(ours.Device, files[length], ours.Through, emu.ProcessId),
                Kernel: generator.RunFile(kernel.Device, files[length], kernel.Through))).ToList();
            yield return Ratio.Of(
                $"NAT, {FlowCount} flows, {length} B: frames, Emu / kernel", all.Select(r => r.Emu.Rate / r.Kernel.Rate), "≥ 1.00",
                $"{Ratio.MedianOf(all.Select(r => r.Emu.Rate)) / 1e3:F0} / {Ratio.MedianOf(all.Select(r => r.Kernel.Rate)) / 1e3:F0} thousand frames a second, "
                + $"of {Ratio.MedianOf(all.Select(r => r.Emu.Sent / r.Emu.Seconds)) / 1e3:F0} "
                + $"/ {Ratio.MedianOf(all.Select(r => r.Kernel.Sent / r.Kernel.Seconds)) / 1e3:F0} sent");
        }

        var client = new RoundTrip(seconds);
        ours.Ask(new RoundTrip(Benchmarks.WarmUpSeconds));
        var delays = Enumerable.Range(0, rounds).Select(_ => (Emu: ours.Ask(client), Kernel: kernel.Ask(client))).ToList();
        yield return Compare("median", delay => delay.Median);
        yield return Compare("99th percentile", delay => delay.Percentile99);

        Ratio Compare(string name, Func<Delay, double> of) => Ratio.Of(
            $"NAT, 60 B there and back: {name}, Emu / kernel", delays.Select(d => of(d.Emu) / of(d.Kernel)), "≤ 1.00",
            $"{Ratio.MedianOf(delays.Select(d => of(d.Emu))):F1} / {Ratio.MedianOf(delays.Select(d => of(d.Kernel))):F1} µs, "
            + $"{delays.Sum(d => d.Emu.Lost)} / {delays.Sum(d => d.Kernel.Lost)} lost");
    }

    /// <summary>Writes the frames of that length to a file, and returns its path.</summary>
    private static string Write(int length)
    {
        var path = Path.Combine(Places.Build, $"nat-{length}.frames");
        File.WriteAllLines(path, NatFrames.Outbound(length, FlowCount).Select(Convert.ToHexString));
        return path;
    }

    /// <summary>A host without addresses on either side of the device: nobody answers but who measures.</summary>
    private sealed class Topology : IDisposable
    {
        private readonly TestNetwork _network = new();
        private readonly string[] _ports;

        public Topology() => _ports =
        [
            _network.Connect(_network.AddHost("inside", mac: NatFrames.InsideMac)), _network.Connect(_network.AddHost("outside", mac: NatFrames.OutsideMac)),
        ];

        public TestHost Device => _network.Device;

        public IEnumerable<Flow> Through => [new Flow(_network.Hosts[0], "eth0", _network.Hosts[1], "eth0")];

        public Delay Ask(RoundTrip client) =>
            client.Run(_network.Hosts[0], NatFrames.Outbound(60, 1)[0], NatFrames.Answer, _network.Hosts[1], NatFrames.Passed);

        public RunningCommand Translate()
        {
            string[] arguments =
            [
                "dotnet", Places.Service("Nat"), .. _ports.SelectMany(p => new[] { "--port", $"raw:{p}" }),
                "--", "--inside", NatFrames.InsideAddress, "--outside", NatFrames.OutsideAddress, "--mac", $"{NatFrames.DeviceMac}",
                "--neighbor", $"{NatFrames.Server}={NatFrames.OutsideMac}",
            ];
            var command = Device.Start(Pinned.Program, Pinned.Arguments(Pinned.ServiceCore, arguments));
            command.WaitForLine("ready");
            return command;
        }

        /// <summary>The kernel as a router that hides everyone behind its address outside.</summary>
        public void Masquerade()
        {
            string[] sides = [NatFrames.InsideAddress, NatFrames.OutsideAddress];
            foreach (var (port, address) in _ports.Zip(sides))
            {
                Do("ip", "link", "set", port, "address", $"{NatFrames.DeviceMac}");
                Do("ip", "address", "add", $"{address}/24", "dev", port);
            }
            Do("ip", "neighbor", "add", NatFrames.Client, "lladdr", $"{NatFrames.InsideMac}", "dev", _ports[0]);
            Do("ip", "neighbor", "add", NatFrames.Server, "lladdr", $"{NatFrames.OutsideMac}", "dev", _ports[1]);
            Do("sh", "-c", "echo 1 >/proc/sys/net/ipv4/ip_forward");
            Do("nft", "add", "table", "ip", "nat");
            Do("nft", "add chain ip nat out { type nat hook postrouting priority 100; }");
            Do("nft", "add", "rule", "ip", "nat", "out", "oifname", _ports[1], "masquerade");
        }

        public void Dispose() => _network.Dispose();

        private void Do(string program, params string[] arguments) => Device.Run(program, arguments).EnsureSuccess();
    }
}
