using Emu.Compiler.Devices;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Reports;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;
using Emu.Services;

namespace Emu.Compiler.Tests;

/// <summary>
/// Logic that the clock has no time for is said, with its line; and the clock decides how much a stage does.
/// </summary>
public sealed class TimingTests
{
    [Fact]
    public void A_product_that_the_clock_has_no_time_for_is_named_with_its_line_and_the_clock_that_is_left()
    {
        var path = OfLine(new ByRemainder());
        Assert.Equal("a product of 41 bits", path.What);
        Assert.Equal(MeasuredServices.LineOf("source % 3"), path.Location!.Line);
        Assert.InRange(path.ClockMHz, 200, 699);
        var device = Device.Default;
        Assert.True(device.LevelsIn(path.ClockMHz) >= path.Levels);
        Assert.True(device.LogicTime(path.ClockMHz) >= path.Picoseconds);
    }

    [Fact]
    public void A_path_in_a_library_is_named_by_the_users_line_that_calls_it()
    {
        var path = OfLine(new ByTimeOfDay());
        Assert.Equal("what is computed", path.What);
        Assert.Equal(MeasuredServices.LineOf("TimeOfDay.Milliseconds"), path.Location!.Line);
    }

    /// <summary>They are written out, so that stages come between their parts.</summary>
    [Fact]
    public void Remainders_and_wide_products_keep_to_the_budget()
    {
        Assert.Empty(PathsOf(new ByRemainder(), Layout.Pipeline));
        Assert.Empty(PathsOf(new ByHash(), Layout.Pipeline));
    }

    [Fact]
    public void Low_bits_of_a_sum_come_before_its_high_ones()
    {
        var n = new Netlist(new Design("sum"));
        n.Begin("sum");
        var (a, b) = (n.AddFlop("a", 32, 0), n.AddFlop("b", 32, 0));
        var low = n.Registered("low", n.Extract(n.AddWire("sum", n.Add(a, b)), 0, 2), 0);
        var timing = new StaticTiming(n.Design, Device.Default);
        Assert.Equal(2, timing.LevelsOf(low.Next));
    }

    [Theory]
    [InlineData(Layout.Pipeline)]
    [InlineData(Layout.Engine)]
    public void The_switch_keeps_to_the_budget_in_all_of_the_circuit(Layout layout) =>
        Assert.Empty(PathsOf(new LearningSwitch(), layout));

    [Fact]
    public void A_state_of_an_engine_keeps_to_the_budget_of_stages() =>
        Assert.Empty(PathsOf(HardwareSubject.Construct(nameof(IcmpEcho)), Layout.Engine));

    [Fact]
    public void A_faster_clock_makes_more_stages_and_a_slower_one_fewer()
    {
        var stages = new List<int>();
        foreach (var clock in new[] { 100, 200, 322 })
        {
            var options = new HardwareOptions { ClockMHz = clock };
            var compiled = HardwareCompiler.Compile(new ByHash(), options, Layout.Pipeline);
            Assert.All(compiled.Circuit.Steps, step => Assert.InRange(step.Levels, 0, options.Levels));
            stages.Add(compiled.Circuit.Steps.Count);
        }
        Assert.True(stages[0] < stages[1] && stages[1] < stages[2], string.Join(", ", stages));
    }

    [Theory]
    [InlineData(100, 22)]
    [InlineData(200, 11)]
    [InlineData(322, 6)]
    public void The_budget_is_that_of_the_clock(int clock, int levels) =>
        Assert.Equal(levels, new HardwareOptions { ClockMHz = clock }.Levels);

    [Fact]
    public void A_flop_that_is_set_to_its_reset_value_has_a_pin_for_that()
    {
        var n = new Netlist(new Design("count"));
        n.Begin("count");
        var (clears, count) = (n.AddFlop("clears", 1, 0), n.AddFlop("count", 64, 0));
        var next = n.Add(count, new Constant(64, 3));
        (clears.Next, count.Next) = (clears, n.Select(clears, new Constant(64, 0), next));
        Assert.Equal(5.75, new StaticTiming(n.Design, Device.Default).Longest);
        count.Next = n.Select(clears, new Constant(64, 7), next);
        Assert.InRange(new StaticTiming(n.Design, Device.Default).Longest, 6, 7);
    }

    [Fact]
    public void A_comparison_of_few_bits_with_a_constant_is_a_LUT()
    {
        var n = new Netlist(new Design("less"));
        n.Begin("less");
        var few = n.AddFlop("few", 5, 0);
        few.Next = few;
        n.Registered("is_less", n.Less(few, new Constant(5, 21)), 0);
        Assert.Equal(1, new StaticTiming(n.Design, Device.Default).Longest);
    }

    /// <summary>A LUT is a level, and so is the first carry cell; those behind it are a quarter each.</summary>
    [Theory]
    [InlineData(16, 2.75)]
    [InlineData(32, 3.75)]
    [InlineData(64, 5.75)]
    public void A_sum_has_the_levels_of_its_carry_chain(int width, double levels)
    {
        var n = new Netlist(new Design("sum"));
        n.Begin("sum");
        var (a, b) = (n.AddFlop("a", width, 0), n.AddFlop("b", width, 0));
        var sum = n.Registered("sum", n.Add(a, b), 0);
        var timing = new StaticTiming(n.Design, Device.Default);
        Assert.Equal(levels, timing.LevelsOf(sum.Next));
        Assert.Equal(levels, timing.Longest);
        Assert.Equal(0, timing.LevelsOf(sum));
    }

    /// <summary>The longest path of a line in an engine for a clock that has no time for half a multiplier.</summary>
    private static LongPath OfLine(Service service) =>
        PathsOf(service, Layout.Engine, clock: 700).First(path => path.Location is not null);

    private static IReadOnlyList<LongPath> PathsOf(Service service, Layout layout, int clock = 200)
    {
        var compiled = HardwareCompiler.Compile(service, new HardwareOptions { ClockMHz = clock }, layout);
        return LongPath.Of(compiled.Circuit, compiled.Options);
    }
}
