using Emu.Compiler.Layouts;
using Emu.Simulation;

namespace Emu.Compiler.Tests;

/// <summary>There are as many engines as a line needs, of those that there is room for.</summary>
public sealed class EngineCountTests
{
    private readonly List<int> _made = [];

    [Fact]
    public void As_many_as_the_line_needs()
    {
        var chosen = Within(mostCycles: 10, mostLuts: int.MaxValue, "turns by the frame");
        Assert.Equal(10, chosen.Main.Interval);
        Assert.Equal(6, chosen.Compiled.Options.Engines);
    }

    [Fact]
    public void As_many_as_there_is_room_for()
    {
        var one = Measured("turns by the frame", 1);
        var room = one.Luts + 2 * one.OneMoreEngine!.Luts + one.OneMoreEngine.Luts / 2;
        var chosen = Within(2, room, "turns by the frame");
        Assert.InRange(chosen.Luts, one.Luts, room);
        Assert.InRange(chosen.Compiled.Options.Engines, 2, 3);
    }

    [Fact]
    public void One_where_that_is_enough_or_there_is_no_room_or_frames_share_state()
    {
        foreach (var (cycles, luts) in new[] { (1000, long.MaxValue), (2, 10L) })
            Assert.Equal(1, Within(cycles, luts, "turns by the frame").Compiled.Options.Engines);
        var sharing = Measure(new Services.LearningSwitch(), 1);
        Assert.Same(sharing, EngineCount.Within(sharing, 1, long.MaxValue, _ => throw new InvalidOperationException()));
        Assert.Empty(_made);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public void One_more_brings_what_was_said(int engines)
    {
        var (now, then) = (Measured("turns by the frame", engines), Measured("turns by the frame", engines + 1));
        var said = now.OneMoreEngine!;
        Assert.Equal(engines + 1, said.Engines);
        Assert.InRange(then.Main.Interval, said.IntervalCycles - 1, said.IntervalCycles + 1);
        Assert.InRange(then.Luts - now.Luts, said.Luts / 2, 2 * said.Luts);
    }

    private Measurement Within(int mostCycles, long mostLuts, string service) => EngineCount.Within(
        Measured(service, 1), mostCycles, mostLuts, engines =>
        {
            _made.Add(engines);
            return Measured(service, engines);
        });

    private static Measurement Measured(string service, int engines) =>
        Measure(EngineGroupServices.All[service](), engines);

    private static Measurement Measure(Service service, int engines) => Measurement.Of(
        HardwareCompiler.Compile(service, new HardwareOptions { Engines = engines }, Layout.Engine),
        TestTraffic.Given("test.pcap", [new ReadOnlyMemory<byte>([8, .. Enumerable.Repeat((byte)1, 59)])]));
}
