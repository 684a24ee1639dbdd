using Emu.Compiler.Layouts;
using Emu.Compiler.Rtl;
using Emu.Services;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Frames that meet in the state of a service while all of them are in the pipeline.</summary>
public sealed class StateTests
{
    private const int Small = FlowTraffic.Flows;
    private const int Large = 1024;

    private static readonly Dictionary<string, Func<Service>> s_services = new()
    {
        ["FlowCounts"] = () => new FlowCounts(Small),
        ["FlowCounts, block RAM"] = () => new FlowCounts(Large),
        ["DeepFlowCounts"] = () => new DeepFlowCounts(Small),
        ["DeepFlowCounts, block RAM"] = () => new DeepFlowCounts(Large),
        ["OddFlowCounts"] = () => new OddFlowCounts(Small),
        ["OddFlowCounts, block RAM"] = () => new OddFlowCounts(Large),
        ["FlowBeforeOdd"] = () => new FlowBeforeOdd(Small),
        ["Policer"] = () => new Policer(Small),
        ["Policer, block RAM"] = () => new Policer(Large),
        ["Pairs"] = () => new Pairs(Small),
        ["Pairs, block RAM"] = () => new Pairs(Large),
        ["TwoTables"] = () => new TwoTables(Small),
        ["TwoTables, block RAM"] = () => new TwoTables(Large),
        ["OneOfTwoPlaces"] = () => new OneOfTwoPlaces(Small),
        ["OneOfTwoPlaces, block RAM"] = () => new OneOfTwoPlaces(Large),
        ["Either"] = () => new Either(Small),
        ["Either, block RAM"] = () => new Either(Large),
        ["LearnsAtNews"] = () => new LearnsAtNews(Small),
        ["LearnsAtNews, block RAM"] = () => new LearnsAtNews(Large),
        ["Residues"] = () => new Residues(Small),
        ["Residues, block RAM"] = () => new Residues(Large),
        ["Changes"] = () => new Changes(Small),
        ["Changes, block RAM"] = () => new Changes(Large),
        ["Digests"] = () => new Digests(Small),
        ["Digests, block RAM"] = () => new Digests(Large),
        ["LearningSwitch, block RAM"] = () => new LearningSwitch(4096),
        ["Products"] = () => new Products(Small),
        ["Products, block RAM"] = () => new Products(Large),
        ["SmoothedRates"] = () => new SmoothedRates(Small),
        ["SmoothedRates, block RAM"] = () => new SmoothedRates(Large),
        ["Conversations"] = () => new Conversations(Small),
        ["Conversations, block RAM"] = () => new Conversations(Large),
        ["NamedPlaces"] = () => new NamedPlaces(),
        ["ClearedPorts"] = () => new ClearedPorts(),
        ["Links"] = () => new Links(Small),
        ["Links, block RAM"] = () => new Links(Large),
        ["SetsOfWays"] = () => new SetsOfWays(16),
        ["SetsOfWays, block RAM"] = () => new SetsOfWays(Large),
    };

    private static readonly Dictionary<string, Subject> s_subjects =
        s_services.ToDictionary(service => service.Key, service => new Subject(service.Value));

    private static readonly StallPattern[] s_sources =
    [
        StallPattern.None, StallPattern.Random(1, 0.2), StallPattern.Random(2, 0.5),
        StallPattern.Random(3, 0.8), StallPattern.Bursts(4, 9), StallPattern.OneIn(3),
    ];

    private static readonly int[] s_intervals = [3, 4, 7];

    public static TheoryData<string> Services => [.. s_services.Keys];

    public static TheoryData<string> InIcarus => [.. s_services.Keys.Share(4)];

    /// <summary>Service, latency and interval at 60 bytes, all frames of one flow.</summary>
    public static TheoryData<string, long, long> Cycles => new()
    {
        { "FlowCounts", 2, 2 },
        { "FlowCounts, block RAM", 3, 2 },
        { "DeepFlowCounts", 3, 2 },
        { "DeepFlowCounts, block RAM", 4, 2 },
        { "OddFlowCounts", 8, 2 },
        { "OddFlowCounts, block RAM", 9, 2 },
        { "Policer", 5, 2 },
        { "Policer, block RAM", 6, 2 },
        { "Pairs", 3, 2 },
        { "Pairs, block RAM", 3, 2 },
        { "TwoTables", 2, 2 },
        { "TwoTables, block RAM", 2, 2 },
        { "OneOfTwoPlaces", 2, 2 },
        { "OneOfTwoPlaces, block RAM", 2, 2 },
        { "Either", 3, 2 },
        { "Either, block RAM", 3, 2 },
        { "LearnsAtNews", 2, 2 },
        { "LearnsAtNews, block RAM", 2, 2 },
        { "Residues", 3, 2 },
        { "Residues, block RAM", 4, 2 },
        { "Changes", 3, 2 },
        { "Changes, block RAM", 4, 2 },
        { "Digests", 6, 2 },
        { "Digests, block RAM", 6, 2 },
        { "LearningSwitch, block RAM", 4, 2 },
        { "NamedPlaces", 2, 2 },
        { "ClearedPorts", 3, 2 },
        { "SetsOfWays", 4, 2 },
        { "SetsOfWays, block RAM", 5, 2 },
    };

    [Theory]
    [MemberData(nameof(Services))]
    public void A_frame_sees_what_the_frames_before_it_wrote(string service) => Check(service, [
        .. Ladder.Rungs.Skip(1),
        .. s_sources.Select(source => new HardwareRung($"pipeline, {source}", Layout.Pipeline, source: source)),
        new HardwareRung("pipeline, 64 bits", Layout.Pipeline, busBits: 64),
        new HardwareRung("pipeline, 512 bits", Layout.Pipeline, busBits: 512, sink: StallPattern.Random(5, 0.4)),
    ]);

    [Theory]
    [MemberData(nameof(Services))]
    [Slow("time")]
    public void So_it_does_at_other_intervals(string service)
    {
        Check(service, [.. s_intervals.SelectMany(interval => new[] { StallPattern.None, StallPattern.Random(2, 0.5) }
            .Select(source =>
                new HardwareRung(
                    $"pipeline, interval {interval}, {source}",
                    Layout.Pipeline,
                    source: source,
                    interval: interval)))]);
    }

    /// <summary>Without the time's quotient, which waits, and with less to do between two frames.</summary>
    [Theory]
    [InlineData("OneOfTwoPlaces")]
    [InlineData("OneOfTwoPlaces, block RAM")]
    [InlineData("TwoTables")]
    [InlineData("TwoTables, block RAM")]
    [InlineData("Changes")]
    [InlineData("Changes, block RAM")]
    [InlineData("Digests")]
    [InlineData("Digests, block RAM")]
    [InlineData("Pairs")]
    [InlineData("Pairs, block RAM")]
    [Slow("time")]
    public void So_it_does_with_a_frame_in_every_cycle(string service)
    {
        Check(service, [
            .. s_sources.Select(source =>
                new HardwareRung(
                    $"pipeline, 512 bits, {source}", Layout.Pipeline, busBits: 512, source: source, interval: 1)),
        ]);
    }

    [Theory]
    [MemberData(nameof(InIcarus))]
    [Slow("Icarus")]
    public void It_does_in_Icarus(string service) => CheckOutside(service, OutsideSimulator.Icarus);

    [Theory]
    [InlineData("Policer, block RAM")]
    [InlineData("Pairs, block RAM")]
    [InlineData("TwoTables, block RAM")]
    [InlineData("Residues, block RAM")]
    [InlineData("Conversations, block RAM")]
    [Slow("Verilator")]
    public void It_does_in_Verilator(string service) => CheckOutside(service, OutsideSimulator.Verilator);

    [Theory]
    [MemberData(nameof(Cycles))]
    public void Frames_of_one_flow_come_as_fast_as_the_bus_brings_them(string service, long latency, long interval)
    {
        var design = s_subjects[service].Circuit(new HardwareOptions(), Layout.Pipeline).Circuit.Design;
        Assert.Equal([latency], Latencies(design).Distinct());

        using var saturated = new Bench(new ManagedSimulator(design));
        for (var i = 0; i < 200; i++) saturated.Send(FlowTraffic.Frame(1, 2, 60), new PortId(0), 1000);
        saturated.RunUntilIdle();
        Assert.All(saturated.IntervalsIn().Skip(5), measured => Assert.Equal(interval, measured));
    }

    /// <summary>Frames that meet in a row wait for each other, and no others do.</summary>
    [Theory]
    [InlineData("Products")]
    [InlineData("Products, block RAM")]
    [InlineData("SmoothedRates")]
    [InlineData("SmoothedRates, block RAM")]
    public void Only_frames_that_meet_in_a_row_wait(string service)
    {
        var circuit = s_subjects[service].Circuit(
            new HardwareOptions { IsIntervalAsked = true }, Layout.Pipeline).Circuit;
        var wait = circuit.Interlocks.Max(interlock => interlock.Interval);
        Assert.True(wait > 2);
        // So many flows that each is over before it comes again.
        Assert.All(Intervals(i => i % Small), measured => Assert.Equal(2, measured));
        // The bus feels the queue: an interval may be one shorter, and the next one longer.
        Assert.Equal(wait, Intervals(_ => 1).Average(), 0.1);

        List<long> Intervals(Func<int, int> flow)
        {
            using var bench = new Bench(new ManagedSimulator(circuit.Design));
            bench.Run(5000); // memories are cleared
            for (var i = 0; i < 400; i++) bench.Send(FlowTraffic.Frame(flow(i), 2, 60), new PortId(0), 1000);
            bench.RunUntilIdle();
            // The queue fills up before the door feels that frames wait.
            return bench.IntervalsIn().Skip(150).ToList();
        }
    }

    /// <summary>
    /// A set that depends on what was found is one of a few that the header tells, so frames of others do not wait.
    /// </summary>
    [Theory]
    [InlineData("Conversations")]
    [InlineData("Conversations, block RAM")]
    public void Rows_that_state_chooses_are_listed_by_the_ways_to_them(string service)
    {
        var compiled = s_subjects[service].Circuit(new HardwareOptions(), Layout.Pipeline);
        Assert.Equal(2, compiled.Options.Interval);
        Assert.NotEmpty(compiled.Circuit.Interlocks);
        Assert.DoesNotContain(compiled.Circuit.Interlocks, interlock => interlock.Interval <= 2);
    }

    /// <summary>Of frames alone; some are dropped.</summary>
    private static List<long> Latencies(Design design)
    {
        using var bench = new Bench(new ManagedSimulator(design));
        var latencies = new List<long>();
        bench.Run(5000); // memories are cleared
        for (var i = 0; i < 8; i++)
        {
            bench.Forget();
            bench.Send(FlowTraffic.Frame(1, 2, 60), new PortId(0), 1000);
            bench.RunUntilIdle();
            if (bench.Received.Count > 0) latencies.Add(bench.Latencies().Single().Latency);
        }
        return latencies;
    }

    [Fact]
    public void A_loop_that_is_too_long_is_named()
    {
        var compiled = HardwareCompiler.Compile(new Products(Large), new HardwareOptions());
        Assert.True(compiled.Options.Interval > 2);
        Assert.Contains("products", compiled.Bounds[0].What, StringComparison.Ordinal);
        Assert.Equal(LineOf("product = product * "), compiled.Bounds[0].Location!.Line);
    }

    [Fact]
    public void A_frame_that_writes_a_memory_often_is_named()
    {
        var compiled = HardwareCompiler.Compile(new ManyPlaces(Large), new HardwareOptions());
        Assert.Equal(Layout.Engine, compiled.Layout);
        Assert.Contains("seen is written at 9 places", compiled.Bounds[0].What, StringComparison.Ordinal);
        Assert.Equal(LineOf("_seen[Flow.From(frame, flows) + i & flows - 1] = (byte)i"),
            compiled.Bounds[0].Location!.Line);
    }

    private static int LineOf(string code, [System.Runtime.CompilerServices.CallerFilePath] string path = "")
    {
        var lines = File.ReadAllLines(Path.Combine(Path.GetDirectoryName(path)!, "StatefulServices.cs"));
        return 1 + Array.FindIndex(lines, line => line.Contains(code, StringComparison.Ordinal));
    }

    /// <summary>
    /// Contents from the constructor are there again after a reset, and take no ROM where they follow from the index.
    /// </summary>
    [Theory]
    [InlineData(Small)]
    [InlineData(Large)]
    public void After_a_reset_words_are_those_of_the_constructor(int flows)
    {
        Service Create() => new Links(flows);
        ResetInAFrame.Check(new Subject(Create), FlowTraffic.Of(60));
        var design = HardwareCompiler.Compile(Create(), new HardwareOptions()).Circuit.Design;
        Assert.DoesNotContain(design.Rams, ram => ram.Write is null);
    }

    private static void Check(string service, IReadOnlyList<Rung> rungs) =>
        Agreement.Check(s_subjects[service], FlowTraffic.Of(400), rungs);

    private static void CheckOutside(string service, OutsideSimulator outside) =>
        Agreement.CheckOutside(s_subjects[service], FlowTraffic.Of(40), outside);
}
