using Emu.Compiler.Layouts;
using Emu.Services;
using Emu.Simulation;

namespace Emu.Compiler.Tests;

/// <summary>The cost of a frame in cycles: a change that makes it worse has to say so here.</summary>
public sealed class CycleTests
{
    [Theory]
    [InlineData(60, 4, 2)]
    [InlineData(1514, 4, 48)]
    public void LearningSwitch_takes_a_frame_as_fast_as_the_bus_brings_it(int length, long latency, long interval) =>
        Measure(nameof(LearningSwitch), length, latency, interval);

    [Theory]
    [InlineData(60, 7, 2)]
    [InlineData(1514, 53, 48)]
    public void IcmpEcho_answers_as_fast_as_the_bus_brings_requests(int length, long latency, long interval) =>
        Measure(nameof(IcmpEcho), length, latency, interval);

    [Theory]
    [InlineData(64, 8)]
    [InlineData(512, 1)]
    public void IcmpEcho_on_other_buses(int busBits, long interval)
    {
        using var saturated = Saturated(nameof(IcmpEcho), 60, null, busBits);
        Assert.All(saturated.IntervalsIn().Skip(5), measured => Assert.Equal(interval, measured));
    }

    [Theory]
    [InlineData(60, 59, 60)]
    public void IcmpEcho_as_an_engine(int length, long latency, long interval) =>
        Measure(nameof(IcmpEcho), length, latency, interval, Layout.Engine);

    private static void Measure(string service, int length, long latency, long interval, Layout? layout = null)
    {
        using var isolated = new Bench(HardwareSubject.Simulator(service, layout, 256));
        isolated.Run(300); // memories are cleared
        isolated.Send(HardwareSubject.Frame(service, length, 1), new PortId(0), 1000);
        isolated.RunUntilIdle();
        Assert.Equal(latency, isolated.Latencies().Single().Latency);

        using var saturated = Saturated(service, length, layout, 256);
        Assert.All(saturated.IntervalsIn().Skip(5), measured => Assert.Equal(interval, measured));
    }

    private static Bench Saturated(string service, int length, Layout? layout, int busBits)
    {
        var bench = new Bench(HardwareSubject.Simulator(service, layout, busBits));
        for (var i = 0; i < 50; i++) bench.Send(HardwareSubject.Frame(service, length, 1), new PortId(0), 1000);
        bench.RunUntilIdle();
        return bench;
    }
}
