using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Pipelines from which frames leave longer or shorter than they came, or several times.</summary>
public sealed class ResizingTests
{
    private static readonly Dictionary<string, Func<Service>> s_services = new()
    {
        ["VlanEdge"] = () => new VlanEdge(),
        ["Answerer"] = () => new Answerer(),
        ["Cutter"] = () => new Cutter(),
        ["Filler"] = () => new Filler(),
        ["Labels"] = () => new Labels(),
        ["TwoTags"] = () => new TwoTags(),
        ["CutAndFilled"] = () => new CutAndFilled(),
        ["CutAndRead"] = () => new CutAndRead(),
        ["Hop"] = () => new Hop(),
        ["StackedTags"] = () => new StackedTags(),
        ["Encapsulation"] = () => new Encapsulation(),
        ["TrimmedTunnel"] = () => new TrimmedTunnel(),
        ["TwiceTrimmed"] = () => new TwiceTrimmed(),
        ["OddSum"] = () => new OddSum(),
        ["ChosenHeaders"] = () => new ChosenHeaders(),
        ["Quoter"] = () => new Quoter(),
        ["Excerpts"] = () => new Excerpts(),
        ["RoomMaker"] = () => new RoomMaker(),
        ["Sections"] = () => new Sections(),
        ["PortMirror"] = () => new PortMirror(),
        ["Multicast"] = () => new Multicast(),
        ["TaggedCopies"] = () => new TaggedCopies(),
        ["SummedCopies"] = () => new SummedCopies(),
    };

    private static readonly Dictionary<string, Subject> s_subjects =
        s_services.ToDictionary(service => service.Key, service => new Subject(service.Value));

    private static readonly StallPattern[] s_stalls =
    [
        StallPattern.None, StallPattern.Random(1, 0.2), StallPattern.Random(2, 0.5), StallPattern.Random(3, 0.8),
        StallPattern.Bursts(4, 9), StallPattern.OneIn(3),
    ];

    public static TheoryData<string> Services => [.. s_services.Keys];

    public static TheoryData<string> InIcarus => [.. s_services.Keys.Share(4)];

    [Theory]
    [MemberData(nameof(Services))]
    public void A_frame_leaves_with_its_new_length(string service) =>
        Agreement.Check(s_subjects[service], Traffic(300), [
            .. Ladder.Rungs.Skip(1),
            .. s_stalls.Select(source =>
                new HardwareRung($"pipeline, source {source}", Layout.Pipeline, source: source)),
            .. s_stalls.Select(sink => new HardwareRung($"pipeline, sink {sink}", Layout.Pipeline, sink: sink)),
            new HardwareRung(
                "pipeline, both",
                Layout.Pipeline,
                source: StallPattern.Random(5, 0.4),
                sink: StallPattern.Random(6, 0.4)),
            new HardwareRung("pipeline, 64 bits", Layout.Pipeline, busBits: 64),
            new HardwareRung(
                "pipeline, 64 bits, stalls",
                Layout.Pipeline,
                busBits: 64,
                source: StallPattern.Random(7, 0.4),
                sink: StallPattern.Random(8, 0.4)),
            new HardwareRung("pipeline, 512 bits", Layout.Pipeline, busBits: 512, sink: StallPattern.Random(9, 0.4)),
        ]);

    [Theory]
    [MemberData(nameof(InIcarus))]
    [Slow("Icarus")]
    public void It_does_in_Icarus(string service) =>
        Agreement.CheckOutside(s_subjects[service], Traffic(40), OutsideSimulator.Icarus);

    [Theory]
    [InlineData("VlanEdge")]
    [InlineData("Answerer")]
    [InlineData("Filler")]
    [Slow("Verilator")]
    public void It_does_in_Verilator(string service) =>
        Agreement.CheckOutside(s_subjects[service], Traffic(40), OutsideSimulator.Verilator);

    /// <summary>
    /// Service, port, bytes of the frames, cycles of each: beats that come or beats that leave, whichever are more.
    /// </summary>
    [Theory]
    [InlineData("VlanEdge", 1, 60, 2)]
    [InlineData("VlanEdge", 1, 62, 3)]
    [InlineData("VlanEdge", 0, 64, 2)]
    [InlineData("VlanEdge", 0, 66, 3)]
    [InlineData("VlanEdge", 0, 1514, 48)]
    [InlineData("Answerer", 0, 60, 2)]
    [InlineData("Answerer", 0, 14, 2)]
    [InlineData("Answerer", 0, 90, 3)]
    [InlineData("Labels", 0, 60, 2)]
    [InlineData("TwoTags", 0, 56, 2)]
    [InlineData("TwoTags", 0, 1506, 48)]
    [InlineData("Hop", 0, 60, 2)]
    [InlineData("Hop", 0, 1510, 48)]
    [InlineData("StackedTags", 0, 60, 2)]
    [InlineData("TwiceTrimmed", 0, 60, 2)]
    [InlineData("TwiceTrimmed", 0, 1510, 48)]
    [InlineData("ChosenHeaders", 0, 60, 2)]
    [InlineData("ChosenHeaders", 0, 1510, 48)]
    [InlineData("Encapsulation", 0, 60, 4)]
    [InlineData("Encapsulation", 0, 1460, 48)]
    [InlineData("Encapsulation", 1, 110, 4)]
    [InlineData("Encapsulation", 1, 1514, 48)]
    [InlineData("RoomMaker", 0, 50, 2)]
    [InlineData("RoomMaker", 0, 60, 2)]
    [InlineData("Quoter", 0, 60, 3)]
    [InlineData("Quoter", 0, 1510, 48)]
    [InlineData("Excerpts", 0, 60, 2)]
    public void Frames_take_the_cycles_of_their_beats(string service, byte port, int length, long cycles)
    {
        var compiled = s_subjects[service].Circuit(new HardwareOptions(), null);
        Assert.Equal(Layout.Pipeline, compiled.Layout);
        using var bench = new Bench(s_subjects[service].Simulator(compiled));
        for (var i = 0; i < 200; i++) bench.Send(Frame(length, 1, 1), new PortId(port), 1000);
        bench.RunUntilIdle();
        Assert.Equal(200, bench.Received.Count);
        // In the end the FIFO is full, and frames come as fast as they leave.
        Assert.Equal(cycles, bench.IntervalsIn().TakeLast(100).Average(), 0.02);
    }

    /// <summary>
    /// Service, a byte of the frames, their length, cycles of each: as many as beats leave with the copies that are
    /// sent.
    /// </summary>
    [Theory]
    [InlineData("PortMirror", 0, 60, 2)]
    [InlineData("PortMirror", 1, 60, 4)]
    [InlineData("PortMirror", 1, 1514, 96)]
    [InlineData("PortMirror", 3, 1514, 48)]
    [InlineData("Multicast", 16, 60, 2)]
    [InlineData("Multicast", 17, 1514, 50)]
    [InlineData("Multicast", 31, 1514, 99)]
    [InlineData("TaggedCopies", 3, 60, 12)]
    public void Copies_take_the_cycles_of_their_beats(string service, int kind, int length, long cycles)
    {
        var compiled = s_subjects[service].Circuit(new HardwareOptions(), null);
        Assert.Equal(Layout.Pipeline, compiled.Layout);
        using var bench = new Bench(s_subjects[service].Simulator(compiled));
        for (var i = 0; i < 200; i++) bench.Send(Frame(length, kind, 1), new PortId(2), 1000);
        bench.RunUntilIdle();
        Assert.Equal(cycles, bench.IntervalsIn().TakeLast(100).Average(), 0.02);
    }

    /// <summary>Every other frame leaves twice, in 96 beats, and those between are dropped: 96 beats come.</summary>
    [Fact]
    public void What_nobody_wants_of_a_frame_is_jumped_over()
    {
        var compiled = s_subjects["PortMirror"].Circuit(new HardwareOptions(), null);
        using var bench = new Bench(s_subjects["PortMirror"].Simulator(compiled));
        for (var i = 0; i < 200; i++) bench.Send(Frame(1514, i % 2 + 1, 1), new PortId(2), 1000);
        bench.RunUntilIdle();
        Assert.InRange(bench.IntervalsIn().TakeLast(100).Average(), 48, 50);
    }

    [Fact]
    public void What_no_pipeline_does_is_done_beside_it()
    {
        foreach (var (service, reason) in new (Service, string)[]
        {
            (new Sections(), "bytes are moved, but not all up to the frame's end"),
            (new CutAndFilled(), "the frame changes its length again after it was cut"),
        })
        {
            var compiled = HardwareCompiler.Compile(service, new HardwareOptions());
            Assert.Equal(Layout.Pipeline, compiled.Layout);
            Assert.Contains(reason, Printer.Print(compiled.Compilation.Process), StringComparison.Ordinal);
        }
    }

    /// <summary>Frames of all lengths around one, two and three beats, and of the longest; tagged and not.</summary>
    private static List<IncomingFrame> Traffic(int count)
    {
        var random = new Random(1);
        int[] long_ = [1480, 1500, 1511, 1514, 1515, 1518];
        List<int> lengths = [.. Enumerable.Range(14, 120), .. long_];
        lengths.AddRange(Enumerable.Range(0, count).Select(_ => random.Next(14, 140)));
        var time = 1_700_000_000_000_000_000ul;
        return [.. lengths.Select(length => new IncomingFrame(
            random.Next(3) == 0 ? 0 : random.Next(Subject.Ports), Frame(length, random.Next(256), random.Next(4)),
            time += (ulong)random.Next(200)))];
    }

    private static byte[] Frame(int length, int kind, int tag)
    {
        var frame = Enumerable.Range(0, length).Select(i => (byte)(i * 7 + 1)).ToArray();
        frame[0] = 2;
        (frame[5], frame[12], frame[13]) = ((byte)kind, (byte)(kind * 3), (byte)kind);
        if (tag > 0) (frame[12], frame[13]) = (0x81, 0);
        return frame;
    }
}
