using BenchmarkDotNet.Attributes;
using Emu.Compiler;
using Emu.Compiler.Layouts;
using Emu.Services;
using Emu.Simulation;

namespace Emu.Bench;

/// <summary>Cycles of circuits in the managed simulator.</summary>
public class Simulating
{
    private readonly Action _switch = Simulator(new LearningSwitch()).Step;
    private readonly Action _checkedSwitch = new Emu.Simulation.Bench(Simulator(new LearningSwitch())).Step;
    private readonly Action _echo =
        Simulator(new IcmpEcho(new IPv4Address(0x0A00_0002), new MacAddress(0x0200_0000_0002))).Step;

    [Benchmark(Baseline = true, Description = "a cycle of the switch")]
    public void Switch() => _switch();

    [Benchmark(Description = "a cycle of the switch, streams checked")]
    public void CheckedSwitch() => _checkedSwitch();

    [Benchmark(Description = "a cycle of the echo server")]
    public void Echo() => _echo();

    private static ManagedSimulator Simulator(Service service) =>
        new(HardwareCompiler.Compile(service, new HardwareOptions()).Circuit.Design) { IsInReset = false };
}
