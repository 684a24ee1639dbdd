using Emu.Services;
using Emu.Simulation;

namespace Emu.Compiler.Tests;

/// <summary>What a frame costs in cycles: a change that makes it worse has to say so here.</summary>
public sealed class CycleTests
{
    [Theory]
    [InlineData(60, 4, 2)]
    [InlineData(1514, 4, 48)]
    public void LearningSwitch_takes_a_frame_as_fast_as_the_bus_brings_it(int length, long latency, long interval) =>
        Measure(nameof(LearningSwitch), length, latency, interval);

    [Theory]
    [InlineData(60, 58, 59)]
    public void IcmpEcho_as_an_engine(int length, long latency, long interval) => Measure(nameof(IcmpEcho), length, latency, interval);

    private static void Measure(string service, int length, long latency, long interval)
    {
        using var isolated = new Bench(HardwareSubject.Simulator(service, null, 256));
        isolated.Run(300); // memories are cleared
        isolated.Send(HardwareSubject.Frame(service, length, 1), new PortId(0), 1000);
        isolated.RunUntilIdle();
        Assert.Equal(latency, isolated.Latencies().Single().Latency);

        using var saturated = new Bench(HardwareSubject.Simulator(service, null, 256));
        for (var i = 0; i < 50; i++) saturated.Send(HardwareSubject.Frame(service, length, 1), new PortId(0), 1000);
        saturated.RunUntilIdle();
        Assert.All(saturated.IntervalsIn().Skip(5), measured => Assert.Equal(interval, measured));
    }
}
