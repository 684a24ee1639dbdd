using Emu.Compiler.Layouts;
using Emu.Services;
using Emu.Simulation;

namespace Emu.Compiler.Tests;

/// <summary>
/// The cost of a frame in cycles is the recorded one, of other frames than those of <c>./emu bench hardware</c>, and
/// that of the bus where nothing else bounds it.
/// </summary>
public sealed class CycleTests
{
    private const int Shortest = 60, Longest = 1514;

    [Theory]
    [InlineData(nameof(LearningSwitch), Layout.Pipeline)]
    [InlineData(nameof(IcmpEcho), Layout.Pipeline)]
    [InlineData(nameof(IcmpEcho), Layout.Engine)]
    public void A_frame_takes_the_recorded_cycles(string service, Layout layout)
    {
        var recorded = RecordedCircuit.Of(service, layout);
        Assert.Equal(recorded.Latency, Latency(service, Shortest, layout));
        foreach (var length in (int[])[Shortest, Longest])
            Assert.All(
                Intervals(service, length, layout, recorded.BusBits),
                measured => Assert.Equal(recorded.Interval(length), measured));
    }

    /// <summary>A switch asks only for the header; an answer has a checksum over the frame.</summary>
    [Fact]
    public void A_long_frame_leaves_as_soon_as_a_short_one_where_its_end_is_not_asked_for()
    {
        Assert.Equal(
            RecordedCircuit.Of(nameof(LearningSwitch), Layout.Pipeline).Latency,
            Latency(nameof(LearningSwitch), Longest, Layout.Pipeline));
        Assert.Equal(
            RecordedCircuit.Of(nameof(IcmpEcho), Layout.Pipeline).Latency + Beats(Longest, 256) - Beats(Shortest, 256),
            Latency(nameof(IcmpEcho), Longest, Layout.Pipeline));
    }

    [Theory]
    [InlineData(64)]
    [InlineData(512)]
    public void IcmpEcho_answers_as_fast_as_any_bus_brings_requests(int busBits) =>
        Assert.All(
            Intervals(nameof(IcmpEcho), Shortest, Layout.Pipeline, busBits),
            measured => Assert.Equal(Beats(Shortest, busBits), measured));

    private static long Beats(int bytes, int busBits) => (8 * bytes + busBits - 1) / busBits;

    /// <summary>A pipeline is what these services become unless they are asked to be an engine.</summary>
    private static ManagedSimulator Simulator(string service, Layout layout, int busBits) =>
        HardwareSubject.Simulator(service, layout == Layout.Pipeline ? null : layout, busBits);

    private static long Latency(string service, int length, Layout layout)
    {
        using var isolated = new Bench(Simulator(service, layout, 256));
        isolated.Run(300); // memories are cleared
        isolated.Send(HardwareSubject.Frame(service, length, 1), new PortId(0), 1000);
        isolated.RunUntilIdle();
        return isolated.Latencies().Single().Latency;
    }

    private static IEnumerable<long> Intervals(string service, int length, Layout layout, int busBits)
    {
        using var saturated = new Bench(Simulator(service, layout, busBits));
        for (var i = 0; i < 50; i++) saturated.Send(HardwareSubject.Frame(service, length, 1), new PortId(0), 1000);
        saturated.RunUntilIdle();
        return saturated.IntervalsIn().Skip(5);
    }
}
