using Emu.Compiler.Layouts;
using Emu.Compiler.Reports;
using Emu.Fuzz;
using Emu.Services;
using Emu.Simulation;
using Emu.Testing;
using Microsoft.CodeAnalysis;

namespace Emu.Compiler.Tests;

/// <summary>
/// Whatever the clock, no stage of a pipeline takes longer than a cycle of it, and services do the same.
/// </summary>
public sealed class FastClockTests
{
    private const int OneOf = 6;

    private static readonly int s_programs = Tier.IsFast ? 2 : Tier.IsAll ? 100 : 6;

    private static readonly int[] s_clocks = Tier.IsAll ? [100, 200, 322] : [322];

    /// <summary>The fastest clock of those that miss the last of these.</summary>
    private static readonly Dictionary<string, int> s_slower = new()
    {
        ["Dns, Pipeline"] = 290,
        ["Memcached, Engine"] = 284,
        ["Memcached, Pipeline"] = 275,
    };

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
            if (s_slower.GetValueOrDefault(name, clock) is var reached && reached < clock)
            {
                Assert.Equal(reached, over.Min(path => path.ClockMHz));
                continue;
            }
            Assert.True(over.Count == 0, $"{clock} MHz: {string.Join("; ", over)}");
            Assert.All(compiled.Circuit.Steps, step => Assert.InRange(step.Levels, 0, options.Levels));
        }
    }

    /// <summary>
    /// The longest path of an engine: bytes that are read at one computed offset and written at another. And of a
    /// pipeline: writes of a table, decided by its own words.
    /// </summary>
    [Theory]
    [InlineData("Dns", Layout.Engine)]
    [InlineData("Nat", Layout.Pipeline)]
    [Slow("time")]
    public void All_of_the_largest_circuits_keeps_to_the_budget(string service, Layout layout)
    {
        var options = new HardwareOptions();
        var recorded = RecordedCircuit.All.Last(c => c.Service == service && c.Layout == layout);
        Assert.Empty(LongPath.Of(HardwareCompiler.Compile(recorded.Construct(), options, layout).Circuit, options));
    }

    /// <summary>
    /// Some units are cut otherwise at a fast clock: the count of a frame FIFO, sums over both paths, checksums.
    /// </summary>
    [Theory]
    [InlineData("LearningSwitch")]
    [InlineData("IcmpEcho")]
    [InlineData("BlockedNames")]
    [InlineData("ConnectionGuard")]
    [InlineData("ExactPolicer")]
    [InlineData("NameGuard")]
    [InlineData("OptionStripper")]
    [InlineData("TimeTrailer")]
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

    /// <summary>These are within the budget at the fastest clock as well, units and slow paths included.</summary>
    [Theory]
    [InlineData("LearningSwitch")]
    [InlineData("IcmpEcho")]
    [InlineData("TcpPing")]
    [InlineData("Filter")]
    [InlineData("ArpGuard")]
    [InlineData("ArpWatch")]
    [InlineData("Balancer")]
    [InlineData("BlockedNames")]
    [InlineData("ConnectionGuard")]
    [InlineData("EcnMarker")]
    [InlineData("ExactPolicer")]
    [InlineData("FloodGuard")]
    [InlineData("FlowMeter")]
    [InlineData("GapMonitor")]
    [InlineData("LabelSwitch")]
    [InlineData("LowerCase")]
    [InlineData("Mirror")]
    [InlineData("NameGuard")]
    [InlineData("Nat")]
    [InlineData("Netstrings")]
    [InlineData("OptionStripper")]
    [InlineData("NetworkMap")]
    [InlineData("Policer")]
    [InlineData("Router")]
    [InlineData("Sampler")]
    [InlineData("SignatureSearch")]
    [InlineData("StaticSwitch")]
    [InlineData("StationSwitch")]
    [InlineData("SyslogFilter")]
    [InlineData("TimeServer")]
    [InlineData("TimeTrailer")]
    [InlineData("TrafficReport")]
    [InlineData("VlanAccess")]
    [InlineData("VlanRouter")]
    [InlineData("VxlanTunnel")]
    public void All_of_it_keeps_to_the_budget_at_a_fast_clock(string service)
    {
        var options = new HardwareOptions { ClockMHz = s_clocks[^1] };
        var recorded = RecordedCircuit.Of(service, Layout.Pipeline);
        Assert.Empty(LongPath.Of(HardwareCompiler.Compile(recorded.Construct(), options).Circuit, options));
    }

    /// <summary>
    /// At a fast clock bytes at computed offsets are asked for in one cycle, read in the next and used in a third, and
    /// written a cycle later: by engines, and by slow paths.
    /// </summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Random_programs_do_the_same_at_a_fast_clock(bool moves)
    {
        List<ulong> seeds =
        [
            .. Enumerable.Range(500, 500).Select(seed => (ulong)seed)
                .Where(seed => ProgramGenerator.MovesFrame(seed) == moves).Take(s_programs),
        ];
        List<Rung> rungs =
        [
            new DotNetRung(),
            new HardwareRung("the engine", Layout.Engine, clockMHz: 322),
            new HardwareRung(
                "64 bits, with stalls", null, busBits: 64, source: StallPattern.Random(3, 0.3),
                sink: StallPattern.Random(5, 0.4), clockMHz: 322),
            new HardwareRung("512 bits", null, busBits: 512, clockMHz: 322),
        ];
        var subjects = Fuzzer.Subjects(seeds, OptimizationLevel.Release);
        var failures = Fuzzer.Run(seeds, subjects, 40, OptimizationLevel.Release, rungs, rungs).ToList();
        Assert.True(failures.Count == 0, string.Join("\n\n", failures.Select(f => $"seed {f.Seed}: {f.Difference}")));
    }

    /// <summary>Options of IP are read and written at computed offsets, by the slow path.</summary>
    [Fact]
    public void Options_are_answered_alike_at_a_fast_clock()
    {
        var service = new Subject(() => new IcmpEcho(LadderFrames.IP, LadderFrames.Mac, LadderFrames.IP6));
        List<Rung> rungs =
        [
            new HardwareRung("pipeline", Layout.Pipeline, clockMHz: 322),
            new HardwareRung(
                "with stalls", Layout.Pipeline, source: StallPattern.Random(1, 0.3),
                sink: StallPattern.Random(2, 0.4), clockMHz: 322),
            new HardwareRung("engine", Layout.Engine, clockMHz: 322),
        ];
        Agreement.Check(service, FrameSequence.Like([.. LadderFrames.WithOptions()], 150), rungs);
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
                    new HardwareRung("engine", Layout.Engine, clockMHz: clock),
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
            [
                new OutsideRung(outside, Layout.Pipeline, clockMHz: 322),
                new OutsideRung(outside, Layout.Engine, clockMHz: 322),
            ]);
    }

    /// <summary>Of an engine, too: a product is there three cycles after its factors.</summary>
    [Fact]
    public void An_engine_takes_the_registers_of_a_multiplier()
    {
        var options = new HardwareOptions { ClockMHz = s_clocks[^1] };
        var circuit = HardwareCompiler.Compile(new ByHash(), options, Layout.Engine).Circuit;
        Assert.DoesNotContain(
            LongPath.Of(circuit, options), path => path.What.Contains("product", StringComparison.Ordinal));
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
