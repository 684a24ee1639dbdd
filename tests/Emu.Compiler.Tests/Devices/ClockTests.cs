using Emu.Compiler.Devices;
using Emu.Compiler.Layouts;
using Emu.Services;
using Emu.Simulation;

namespace Emu.Compiler.Tests;

/// <summary>
/// The clock and the device decide how much a stage does: more stages of less logic, or fewer of more.
/// </summary>
public sealed class ClockTests
{
    private static readonly int[] s_clocks = [100, 200, 322];

    [Theory]
    [InlineData(nameof(IcmpEcho))]
    [InlineData(nameof(LearningSwitch))]
    public void A_faster_clock_makes_more_stages_of_less_logic(string service)
    {
        var circuits = s_clocks.Select(clock => Compile(service, clock).Circuit).ToList();
        var stages = circuits.ConvertAll(c => c.Steps.Count);
        Assert.True(stages.SequenceEqual(stages.Order()) && stages[0] < stages[^1], string.Join(", ", stages));
        AssertShrinks(circuits.ConvertAll(c => c.Steps.Max(step => step.Levels)));
        AssertShrinks(circuits.ConvertAll(c => c.Steps.Max(step => step.Picoseconds)));
    }

    [Fact]
    public void A_faster_device_makes_fewer_stages()
    {
        var slow = Compile(nameof(IcmpEcho), 322);
        var fast = Compile(nameof(IcmpEcho), 322, "ultrascaleplus");
        Assert.True(fast.Circuit.Steps.Count < slow.Circuit.Steps.Count);
    }

    /// <summary>Each synthesis takes up to a minute.</summary>
    [Theory]
    [InlineData(nameof(LearningSwitch), 100, 322)]
    [InlineData(nameof(IcmpEcho), 100, 200, 322)]
    [Campaign("Yosys")]
    public void The_depth_that_synthesis_finds_follows_the_clock(string service, params int[] clocks)
    {
        if (Synthesis.WhyNot is { } why) Assert.Skip(why);
        var depths = clocks.Select(clock => Synthesis.Run(Compile(service, clock).Circuit.Design).Depth).ToList();
        Assert.True(
            depths.Zip(depths.Skip(1)).All(pair => pair.First > pair.Second), string.Join(", ", depths));
    }

    private static void AssertShrinks(List<double> depths) => Assert.True(
        depths.SequenceEqual(depths.OrderDescending()) && depths[0] > depths[^1], string.Join(", ", depths));

    private static CompiledService Compile(string service, int clock, string device = "7series") =>
        HardwareCompiler.Compile(
            HardwareSubject.Construct(service),
            new HardwareOptions { ClockMHz = clock, Device = Device.Of(device) },
            Layout.Pipeline);
}
