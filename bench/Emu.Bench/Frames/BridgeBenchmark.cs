using Emu.Testing;

namespace Emu.Bench;

/// <summary>
/// LearningSwitch on packet sockets, beside the bridge of Linux on equal pairs of virtual interfaces.
/// </summary>
internal static class BridgeBenchmark
{
    public static IEnumerable<Ratio> Run(int rounds, double seconds) =>
        Benchmarks.PortCounts.SelectMany(ports => Run(ports, rounds, seconds));

    private static IEnumerable<Ratio> Run(int ports, int rounds, double seconds)
    {
        using var bare = new Topology(ports);
        using var bridged = new Topology(ports);
        using var switched = new Topology(ports);
        bridged.Bridge();
        using var emu = switched.Switch();

        var generator = new Generator(seconds);
        new Generator(Benchmarks.WarmUpSeconds).Run(switched.Device, 60, switched.Through);
        foreach (var length in Benchmarks.Lengths)
        {
            var all = new List<Round>();
            foreach (var _ in Benchmarks.Rounds($"{ports} ports, {length} B", rounds))
            {
                all.Add(new Round(
                    generator.Run(switched.Device, length, switched.Through, emu.ProcessId),
                    generator.Run(bridged.Device, length, bridged.Through),
                    generator.Run(bare.Device, length, bare.OneWay)));
            }
            yield return Ratio.Of(
                $"switch, {ports} ports, {length} B: frames, Emu / bridge", all.Select(r => r.Emu.Rate / r.Bridge.Rate),
                "≥ 1.00",
                $"{Ratio.MedianOf(all.Select(r => r.Emu.Rate)) / 1e3:F0} / "
                + $"{Ratio.MedianOf(all.Select(r => r.Bridge.Rate)) / 1e3:F0} thousand frames a second, "
                + $"of {Ratio.MedianOf(all.Select(r => r.Emu.SentRate)) / 1e3:F0} "
                + $"/ {Ratio.MedianOf(all.Select(r => r.Bridge.SentRate)) / 1e3:F0} sent");
            yield return Ratio.Of(
                $"switch, {ports} ports, {length} B: CPU time, Emu / bridge", all.Select(r => r.EmuCpu / r.BridgeCpu),
                null,
                $"{Ratio.MedianOf(all.Select(r => r.EmuCpu)) * 1e6:F2} / "
                + $"{Ratio.MedianOf(all.Select(r => r.BridgeCpu)) * 1e6:F2} µs a frame");
        }
    }

    /// <summary>
    /// One round: the generator's own CPU time a frame, and that of one crossing of a pair,
    /// is what it takes without a bridge.
    /// </summary>
    private sealed record Round(Load Emu, Load Bridge, Load Bare)
    {
        private double Own => Bare.GeneratorCpu / Bare.Sent;

        public double EmuCpu => Emu.GeneratorCpu / Emu.Sent - Own + Emu.ServiceCpu / Emu.Arrived;

        public double BridgeCpu => Bridge.GeneratorCpu / Bridge.Sent - Own;
    }

    /// <summary>Hosts around a device: the first sends to the second, the third to the fourth.</summary>
    private sealed class Topology : IDisposable
    {
        private readonly TestNetwork _network = new();
        private readonly string[] _ports;

        public Topology(int ports) =>
            _ports = [.. Enumerable.Range(0, ports).Select(i => _network.Connect(_network.AddHost($"h{i}")))];

        public TestHost Device => _network.Device;

        /// <summary>Through the device.</summary>
        public IEnumerable<Flow> Through =>
            Senders.Select(i => new Flow(_network.Hosts[i], "eth0", _network.Hosts[i + 1], "eth0"));

        /// <summary>To the device.</summary>
        public IEnumerable<Flow> OneWay => Senders.Select(i => new Flow(_network.Hosts[i], "eth0", Device, _ports[i]));

        private IEnumerable<int> Senders => Enumerable.Range(0, _ports.Length / 2).Select(i => 2 * i);

        public void Bridge()
        {
            Device.Run("ip", ["link", "add", "bridge", "type", "bridge", "mcast_snooping", "0"]).EnsureSuccess();
            foreach (var port in _ports) Device.Run("ip", ["link", "set", port, "master", "bridge"]).EnsureSuccess();
            Device.Run("ip", ["link", "set", "bridge", "up"]).EnsureSuccess();
        }

        public RunningCommand Switch()
        {
            var command = Device.Start(Pinned.Program, Pinned.Arguments(
                Pinned.ServiceCore, [
                    "dotnet",
                    Places.Service("LearningSwitch"),
                    .. _ports.SelectMany(p => new[] { "--port", $"raw:{p}" }),
                ]));
            command.WaitForLine("ready");
            return command;
        }

        public void Dispose() => _network.Dispose();
    }
}
