using Emu.Compiler.Layouts;
using Emu.Compiler.Reports;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>
/// Whatever the clock, no stage of a pipeline takes longer than a cycle of it, and services do the same.
/// </summary>
public sealed class FastClockTests
{
    private const int OneOf = 6;

    private static readonly int[] s_clocks = [100, 200, 322];

    /// <summary>The slowest clock, in MHz, at which a circuit is over the budget, and said to be (EMU0028).</summary>
    private const int SlowClock = 200;

    /// <summary>
    /// Circuits of bench/hardware.json with each clock, by their place there; a few of them but in <c>--all</c>.
    /// </summary>
    public static TheoryData<int, string> Recorded
    {
        get
        {
            var data = new TheoryData<int, string>();
            foreach (var (i, circuit) in RecordedCircuit.All.Index())
            {
                if (Tier.IsAll || i % OneOf == 0) data.Add(i, $"{circuit.Service}, {circuit.Layout}");
            }
            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Recorded))]
    [Slow("time")]
    public void Every_stage_of_a_service_of_the_repository_keeps_to_the_budget(int place, string name)
    {
        var recorded = RecordedCircuit.All[place];
        Assert.StartsWith(recorded.Service, name, StringComparison.Ordinal);
        foreach (var clock in s_clocks)
        {
            var options = new HardwareOptions { BusBits = recorded.BusBits, ClockMHz = clock };
            var layout = recorded.Layout == Layout.Pipeline ? (Layout?)null : recorded.Layout;
            var compiled = HardwareCompiler.Compile(recorded.Construct(), options, layout);
            var over = LongPath.Of(compiled.Circuit, options);
            // At the fastest, states of an engine and parts of the layout are over, and said to be.
            if (IsSlow(recorded)) Assert.Equal(clock >= SlowClock, over.Count > 0);
            else if (clock < s_clocks[^1]) Assert.True(over.Count == 0, $"{clock} MHz: {string.Join("; ", over)}");
            if (compiled.Layout == Layout.Pipeline)
                Assert.All(compiled.Circuit.Steps, step => Assert.InRange(step.Levels, 0, options.Levels));
        }
    }

    private static bool IsSlow(RecordedCircuit circuit) => circuit switch
    {
        { Service: "Dns" or "LruCache" } => true,
        { Service: "Nat", Layout: Layout.Pipeline } =>
            !circuit.Arguments.Contains("--passive", StringComparison.Ordinal),
        _ => false,
    };

    /// <summary>
    /// Some units are cut otherwise at a fast clock: the count of a frame FIFO, sums over both paths, checksums.
    /// </summary>
    [Theory]
    [InlineData("LearningSwitch")]
    [InlineData("IcmpEcho")]
    [InlineData("ConnectionGuard")]
    [InlineData("NameGuard")]
    public void Services_do_the_same_at_a_fast_clock(string service)
    {
        Agreement.Check(
            new Subject(RecordedCircuit.Of(service, Layout.Pipeline).Construct), FrameSequence.Random(300),
            [
                new HardwareRung("pipeline", Layout.Pipeline, clockMHz: 322),
                new HardwareRung(
                    "with stalls", Layout.Pipeline, source: StallPattern.Random(1, 0.3),
                    sink: StallPattern.Random(2, 0.4), clockMHz: 322),
            ]);
    }

    [Fact]
    public void All_of_the_switch_keeps_to_the_budget_at_a_fast_clock()
    {
        var options = new HardwareOptions { ClockMHz = 322 };
        var service = RecordedCircuit.Of("LearningSwitch", Layout.Pipeline).Construct();
        Assert.Empty(LongPath.Of(HardwareCompiler.Compile(service, options).Circuit, options));
    }

    [Theory]
    [InlineData(200)]
    [InlineData(322)]
    [InlineData(400)]
    public void Products_are_right_at_any_clock(int clock)
    {
        var frames = FrameSequence.Random(400, seed: (ulong)clock);
        foreach (var service in new Func<Service>[]
        {
            () => new Multiplies(), () => new ByRemainder(), () => new ByHash(),
        })
        {
            Agreement.Check(
                new Subject(service), frames,
                [
                    new HardwareRung("pipeline", null, interval: 1, clockMHz: clock),
                    new HardwareRung(
                        "with stalls", null, source: StallPattern.Random(1, 0.3), sink: StallPattern.Random(2, 0.4),
                        clockMHz: clock),
                ]);
        }
    }

    [Fact]
    [Slow("Icarus")]
    public void Products_over_two_stages_are_right_in_Verilog()
    {
        var outside = OutsideSimulator.Icarus;
        if (outside.WhyNot is { } why) Assert.Skip(why);
        Agreement.Check(
            new Subject(() => new Multiplies()), FrameSequence.Random(60),
            [new OutsideRung(outside, Layout.Pipeline, clockMHz: 322)]);
    }

    [Fact]
    public void A_product_takes_two_stages_where_a_cycle_has_no_time_for_a_multiplier()
    {
        var (slow, fast) = (Compile(200), Compile(322));
        Assert.All(fast.Circuit.Steps, step => Assert.InRange(step.Levels, 0, fast.Options.Levels));
        Assert.DoesNotContain(
            LongPath.Of(fast.Circuit, fast.Options), path => path.What.Contains("product", StringComparison.Ordinal));
        Assert.True(fast.Circuit.Steps.Count > slow.Circuit.Steps.Count);
    }

    private static CompiledService Compile(int clock) => HardwareCompiler.Compile(
        new ByHash(), new HardwareOptions { ClockMHz = clock }, Layout.Pipeline);
}
