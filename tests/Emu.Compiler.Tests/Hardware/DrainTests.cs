using Emu.Compiler.Layouts;
using Emu.Services;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>
/// Pipelines whose frames share state beside a slow path: a deferred frame is served before any frame behind it, by the
/// state that the frames ahead of it left.
/// </summary>
public sealed class DrainTests
{
    private const int Small = FlowTraffic.Flows;
    private const int Large = 1024;

    /// <summary>Its decision is known too late for a frame every two cycles.</summary>
    private const string Slower = "Policer";

    /// <summary>One frame in 16 or so, and one in two.</summary>
    private static readonly (string Share, byte Mask)[] s_shares = [("some", 0x70), ("many", 1)];

    private static readonly Dictionary<string, Func<Service>> s_inner = new()
    {
        ["FlowCounts"] = () => new FlowCounts(Small),
        ["FlowCounts, block RAM"] = () => new FlowCounts(Large),
        ["DeepFlowCounts, block RAM"] = () => new DeepFlowCounts(Large),
        ["OddFlowCounts"] = () => new OddFlowCounts(Small),
        ["OddFlowCounts, block RAM"] = () => new OddFlowCounts(Large),
        [Slower] = () => new Policer(Small),
        ["Pairs"] = () => new Pairs(Small),
        ["Pairs, block RAM"] = () => new Pairs(Large),
        ["TwoTables, block RAM"] = () => new TwoTables(Large),
        ["Either"] = () => new Either(Small),
        ["Changes, block RAM"] = () => new Changes(Large),
        ["Digests"] = () => new Digests(Small),
        ["LearningSwitch"] = () => new LearningSwitch(Small),
    };

    private static readonly string[] s_intact = ["FlowCounts, block RAM", "OddFlowCounts", "LearningSwitch"];

    private static readonly (string Check, bool IsWhole)[] s_checks =
        [("checked by the header", false), ("checked by all bytes", true)];

    private static readonly Dictionary<string, Subject> s_subjects =
        s_inner.SelectMany(service => s_shares.Select(share => (
                Name: $"{share.Share} of {service.Key}",
                Subject: new Subject(() => new RareFrames(service.Value(), share.Mask)))))
            .Concat(s_inner.Where(service => service.Key != Slower).Select(service => (
                Name: $"verdicts of {service.Key}", Subject: new Subject(() => new RareVerdicts(service.Value())))))
            .Concat(s_intact.SelectMany(service => s_shares.SelectMany(share => s_checks.Select(check => (
                Name: $"{share.Share} of intact {service}, {check.Check}",
                Subject: new Subject(() => new RareIntact(s_inner[service](), share.Mask, check.IsWhole)))))))
            .ToDictionary(subject => subject.Name, subject => subject.Subject);

    private static readonly StallPattern[] s_sources =
        [StallPattern.None, StallPattern.Random(1, 0.2), StallPattern.Random(2, 0.5), StallPattern.Bursts(4, 9)];

    /// <summary>With --all each; else one of three.</summary>
    public static TheoryData<string> Services => [.. s_subjects.Keys.Share(3)];

    [Theory]
    [MemberData(nameof(Services))]
    public void A_deferred_frame_is_served_in_its_turn(string service) => Check(service, [
        .. Ladder.Rungs.Skip(1),
        .. s_sources.Select(source => new HardwareRung($"pipeline, {source}", Layout.Pipeline, source: source)),
        new HardwareRung("pipeline, sink stalls", Layout.Pipeline, sink: StallPattern.Random(3, 0.4)),
        new HardwareRung("pipeline, 64 bits", Layout.Pipeline, busBits: 64),
        new HardwareRung("pipeline, 512 bits", Layout.Pipeline, busBits: 512, sink: StallPattern.Random(5, 0.4)),
        new SharedCallRung(stalls: true, layout: Layout.Pipeline),
    ]);

    /// <summary>A source of nothing else has the rate of an engine, and every frame is served.</summary>
    [Theory]
    [InlineData("many of FlowCounts, block RAM")]
    [InlineData("many of LearningSwitch")]
    public void So_it_is_when_all_are_deferred(string service)
    {
        var frames = FlowTraffic.Of(100);
        foreach (var frame in frames) frame.Bytes[13] |= 1;
        Agreement.Check(s_subjects[service], frames, [
            .. s_sources.Select(source => new HardwareRung($"pipeline, {source}", Layout.Pipeline, source: source)),
        ]);
    }

    [Theory]
    [InlineData("some of Pairs, block RAM")]
    [InlineData("many of OddFlowCounts")]
    [InlineData("some of LearningSwitch")]
    [InlineData("verdicts of TwoTables, block RAM")]
    [Slow("Icarus")]
    public void It_is_in_Icarus(string service) =>
        Agreement.CheckOutside(s_subjects[service], FlowTraffic.Of(40), OutsideSimulator.Icarus);

    [Theory]
    [InlineData("many of FlowCounts, block RAM")]
    [InlineData("some of Policer")]
    [Slow("Verilator")]
    public void It_is_in_Verilator(string service) =>
        Agreement.CheckOutside(s_subjects[service], FlowTraffic.Of(40), OutsideSimulator.Verilator);

    [Fact]
    public void A_decision_that_comes_too_late_keeps_frames_apart()
    {
        var compiled = HardwareCompiler.Compile(new RareVerdicts(new Policer(Small)), new HardwareOptions());
        Assert.Equal(Layout.Pipeline, compiled.Layout);
        Assert.Equal(3, compiled.Options.Interval);
    }

    /// <summary>
    /// Frames behind a deferred one wait until it is served, others are as fast as without a slow path.
    /// </summary>
    [Fact]
    public void Only_a_deferred_frame_costs_time()
    {
        const byte Rare = 0x70;
        var service = new RareFrames(new FlowCounts(Large), Rare);
        var design = HardwareCompiler.Compile(service, new HardwareOptions(), Layout.Pipeline).Circuit.Design;
        using var bench = new Bench(new ManagedSimulator(design));
        void Send(int frames, byte kind)
        {
            for (var i = 0; i < frames; i++)
            {
                var frame = FlowTraffic.Frame(1, 2, 60);
                (frame[12], frame[13]) = (20, kind);
                bench.Send(frame, new PortId(0), 1000);
            }
        }

        Send(100, 0);
        bench.RunUntilIdle();
        Assert.All(bench.IntervalsIn().Skip(5), interval => Assert.Equal(2, interval));

        bench.Forget();
        Send(20, 0);
        Send(1, Rare);
        Send(100, 0);
        bench.RunUntilIdle();
        Assert.Single(bench.IntervalsIn(), interval => interval > 2);
    }

    [Fact]
    public void A_register_is_read_between_two_frames()
    {
        var circuit = HardwareCompiler.Compile(new RareSequence(), new HardwareOptions(), Layout.Pipeline).Circuit;
        using var bench = new Bench(new ManagedSimulator(circuit.Design)) { QuietCycles = 5_000 };
        var frames = FlowTraffic.Of(40);
        foreach (var frame in frames) bench.Send(frame.Bytes, new PortId(frame.Port), frame.Time);
        uint Read(string name) => bench.Registers.Read(circuit.Registers.Single(r => r.Name == name).Address).Data;
        var (last, reads) = (0u, 0);
        for (; !bench.Source.IsIdle; reads++)
        {
            var low = Read("Sequence");
            Assert.Equal(low, Read("Sequence.high"));
            Assert.InRange(low, last, (uint)frames.Count);
            last = low;
            bench.Run(reads % 7);
        }
        Assert.True(reads > 20, $"{reads} reads");
        bench.RunUntilIdle();
        Assert.Equal((uint)frames.Count, Read("Sequence"));
    }

    private static void Check(string service, IReadOnlyList<Rung> rungs) =>
        Agreement.Check(s_subjects[service], FlowTraffic.Of(60), rungs);
}
