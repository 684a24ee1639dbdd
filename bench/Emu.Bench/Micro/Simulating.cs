using BenchmarkDotNet.Attributes;
using Emu.Compiler;
using Emu.Compiler.Layouts;
using Emu.Services;
using Emu.Simulation;

namespace Emu.Bench;

/// <summary>Cycles of circuits in the managed simulator.</summary>
public sealed class Simulating : IDisposable
{
    private readonly ManagedSimulator _switch = Simulator(new LearningSwitch());
    private readonly ManagedSimulator _echo =
        Simulator(new IcmpEcho(new IPv4Address(0x0A00_0002), new MacAddress(0x0200_0000_0002)));
    private readonly Emu.Simulation.Bench _bench = new(Simulator(new LearningSwitch()));

    [Benchmark(Baseline = true, Description = "a cycle of the switch")]
    public void Switch() => _switch.Step();

    [Benchmark(Description = "a cycle of the switch, streams checked")]
    public void CheckedSwitch() => _bench.Step();

    [Benchmark(Description = "a cycle of the echo server")]
    public void Echo() => _echo.Step();

    [GlobalCleanup]
    public void Dispose()
    {
        _switch.Dispose();
        _echo.Dispose();
        _bench.Dispose();
    }

    private static ManagedSimulator Simulator(Service service) =>
        new(HardwareCompiler.Compile(service, new HardwareOptions()).Circuit.Design) { IsInReset = false };
}
