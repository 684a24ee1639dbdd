using Emu.Compiler.Layouts;
using Emu.Services;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>The distance of frames in a <see cref="Filter"/> that follows connections and has a limit.</summary>
public sealed class FilterIntervalTests
{
    private const int Flows = 200;

    [Fact]
    [Slow("time")]
    public void Frames_of_other_connections_do_not_wait_for_one_another()
    {
        string[] rules =
        [
            "-P FORWARD DROP", "-A FORWARD -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT",
            "-A FORWARD -p tcp --dport 80 -m conntrack --ctstate NEW -j ACCEPT",
            "-A FORWARD -p icmp -m limit --limit 10/second -j ACCEPT",
        ];
        var compiled = HardwareCompiler.Compile(
            new Filter(rule: rules, connections: 1 << 16), new HardwareOptions { Ports = 2 }, Layout.Pipeline);
        Assert.Equal(2, compiled.Options.Interval);
        var measured = Measurement.Of(
            compiled, TestTraffic.Given("SYNs", Enumerable.Range(0, Flows).Select(Syn)));
        // In 8192 rows a few meet by chance.
        Assert.InRange(measured.Cycles, 2 * Flows, 2.4 * Flows);
        // Those of one connection see what each has done to it.
        Assert.InRange(measured.Main.Interval, 10, 16);
    }

    private static ReadOnlyMemory<byte> Syn(int flow) => Packet.Ethernet(new MacAddress(1), new MacAddress(2))
        .IPv4(new IPv4Address(0x0A000000u + (uint)flow * 40503u), IPv4Address.Parse("192.0.2.1"))
        .Tcp((ushort)(1024 + flow), 80, 1, flags: Packet.Syn).PaddedTo(60).ToArray();
}
