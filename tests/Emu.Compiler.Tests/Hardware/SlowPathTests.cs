using Emu.Compiler.Layouts;
using Emu.Services;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>
/// Pipelines with a slow path beside what is no state between frames: what only the constructor wrote, and what is only
/// added to.
/// </summary>
public sealed class SlowPathTests
{
    private const int Small = 16;
    private const int Large = 256;

    private static readonly Dictionary<string, Func<Service>> s_services = new()
    {
        ["PrefixRouter"] = () => new PrefixRouter(),
        ["MethodFilter"] = () => new MethodFilter(),
        ["ClassLimits"] = () => new ClassLimits(),
        ["ByteCounts"] = () => new ByteCounts(),
        ["FieldCounts"] = () => new FieldCounts(),
        ["LabelCounts"] = () => new LabelCounts(),
        ["PortCounts"] = () => new PortCounts(),
        ["ShownTable"] = () => new ShownTable(Small),
        ["ShownTable, block RAM"] = () => new ShownTable(Large),
    };

    private static readonly Dictionary<string, Subject> s_subjects =
        s_services.ToDictionary(service => service.Key, service => new Subject(service.Value));

    public static TheoryData<string> Services => [.. s_services.Keys];

    public static TheoryData<string> InIcarus => [.. s_services.Keys.Share(3)];

    [Theory]
    [MemberData(nameof(Services))]
    public void It_is_a_pipeline_with_a_slow_path(string service)
    {
        var compiled = s_subjects[service].Circuit(new HardwareOptions(), null);
        Assert.True(compiled.Layout == Layout.Pipeline, compiled.Bounds[0].What);
        Assert.Contains(compiled.Circuit.Design.Sections, section => section.Title == "states of the program");
    }

    [Theory]
    [MemberData(nameof(Services))]
    public void It_does_the_same_on_every_rung(string service) => Agreement.Check(s_subjects[service], Traffic(400), [
        .. Ladder.Rungs.Skip(1),
        new HardwareRung("pipeline", Layout.Pipeline),
        new HardwareRung("pipeline, source stalls", Layout.Pipeline, source: StallPattern.Random(1, 0.4)),
        new HardwareRung("pipeline, 64 bits", Layout.Pipeline, busBits: 64),
        new HardwareRung(
            "pipeline, 512 bits", Layout.Pipeline, busBits: 512, sink: StallPattern.Random(5, 0.4), interval: 1),
        new SharedCallRung(stalls: true, layout: Layout.Pipeline),
    ]);

    [Theory]
    [MemberData(nameof(InIcarus))]
    [Slow("Icarus")]
    public void It_does_in_Icarus(string service) =>
        Agreement.CheckOutside(s_subjects[service], Traffic(40), OutsideSimulator.Icarus);

    [Theory]
    [InlineData("PrefixRouter")]
    [InlineData("ByteCounts")]
    [InlineData("ShownTable, block RAM")]
    [Slow("Verilator")]
    public void It_does_in_Verilator(string service) =>
        Agreement.CheckOutside(s_subjects[service], Traffic(40), OutsideSimulator.Verilator);

    /// <summary>Frames that share nothing need no distance; Ethernet's shortest are one beat of 512 bits.</summary>
    [Theory]
    [InlineData("PrefixRouter")]
    [InlineData("ByteCounts")]
    public void A_frame_may_come_in_every_cycle(string service)
    {
        var options = new HardwareOptions { BusBits = 512, Interval = 1 };
        var design = s_subjects[service].Circuit(options, Layout.Pipeline).Circuit.Design;
        using var bench = new Bench(new ManagedSimulator(design));
        bench.Run(2_000); // memories are cleared
        for (var i = 0; i < 100; i++) bench.Send(new byte[60], new PortId(0), 1000);
        bench.RunUntilIdle();
        Assert.All(bench.IntervalsIn().Skip(5), interval => Assert.Equal(1, interval));
    }

    [Fact]
    public void Counters_that_are_added_to_are_in_the_register_map_and_reset()
    {
        const int ResetRegister = 0x08;
        var circuit = HardwareCompiler.Compile(new ByteCounts(), new HardwareOptions()).Circuit;
        using var bench = new Bench(new ManagedSimulator(circuit.Design)) { QuietCycles = 5_000 };
        var run = new ByteCounts();
        var host = new ServiceRun(run, Subject.Ports);
        foreach (var frame in Traffic(100))
        {
            host.Receive(frame.Port, frame.Bytes, frame.Time);
            bench.Send(frame.Bytes, new PortId(frame.Port), frame.Time);
        }
        bench.RunUntilIdle();
        ulong Read(string name)
        {
            var low = circuit.Registers.Single(r => r.Name == name);
            Assert.StartsWith("counter of the service", low.Meaning, StringComparison.Ordinal);
            var high = circuit.Registers.Single(r => r.Name == $"{name}.high");
            var bits = (ulong)bench.Registers.Read(low.Address).Data;
            return bits | (ulong)bench.Registers.Read(high.Address).Data << 32;
        }

        (string Name, Counter Counter)[] counters =
        [
            ("FramesIn", run.FramesIn), ("BytesUp", run.BytesUp), ("BytesDown", run.BytesDown),
            ("PayloadBytes", run.PayloadBytes), ("Weights", run.Weights), ("Classes", run.Classes),
        ];
        Assert.All(counters, c => Assert.True(c.Counter.Value > 0));
        Assert.All(counters, c => Assert.Equal(c.Counter.Value, Read(c.Name)));
        bench.Registers.Write(ResetRegister, 1);
        bench.Run(1_000);
        Assert.All(counters, c => Assert.Equal(0u, Read(c.Name)));
    }

    [Fact]
    public void Accumulators_of_any_width_are_read_as_wide_as_they_are()
    {
        var circuit = HardwareCompiler.Compile(new FieldCounts(), new HardwareOptions()).Circuit;
        using var bench = new Bench(new ManagedSimulator(circuit.Design)) { QuietCycles = 5_000 };
        var frames = Traffic(300);
        foreach (var frame in frames) bench.Send(frame.Bytes, new PortId(frame.Port), frame.Time);
        bench.RunUntilIdle();
        uint Read(string name) => bench.Registers.Read(circuit.Registers.Single(r => r.Name == name).Address).Data;
        var balance = -frames.Sum(frame => (long)frame.Bytes.Length);
        Assert.Equal((ushort)(frames.Sum(frame => frame.Bytes.Length) * 999), Read("lengths"));
        Assert.InRange(Read("labels"), 1u, byte.MaxValue);
        Assert.Equal((uint)balance, Read("balance"));
        Assert.Equal((uint)(balance >> 32), Read("balance.high"));
        Assert.DoesNotContain(circuit.Registers, r => r.Name is "words.high" or "lengths.high");
    }

    /// <summary>The slow path goes at once from one place that a parser reads to the next, however far it is.</summary>
    [Fact]
    public void A_deferred_frame_does_not_take_a_cycle_for_each_byte_that_its_parser_passes_over()
    {
        var compiled = HardwareCompiler.Compile(
            new RareFrames(new LearningSwitch(), 1), new HardwareOptions(), Layout.Pipeline);
        long CyclesOf(int length)
        {
            var frame = new byte[length];
            (frame[12], frame[13]) = (10, 1);
            using var bench = new Bench(new ManagedSimulator(compiled.Circuit.Design));
            bench.Run(2_000); // memories are cleared
            for (var i = 0; i < 20; i++) bench.Send(frame, new PortId(0), 1000);
            bench.RunUntilIdle();
            return (long)bench.IntervalsIn().Skip(10).Average();
        }

        // What is left of the difference is the frame's way in and out, some cycles a beat.
        Assert.InRange(CyclesOf(1514), 100, CyclesOf(64) + (1514 - 64) / 4);
    }

    /// <summary>A read waits for the frame in the slow path, which does not wait for the read.</summary>
    [Theory]
    [InlineData(Small)]
    [InlineData(Large)]
    public void A_table_can_be_read_while_frames_are_in_the_slow_path(int entries)
    {
        var circuit = HardwareCompiler.Compile(new ShownTable(entries), new HardwareOptions(), Layout.Pipeline).Circuit;
        using var bench = new Bench(new ManagedSimulator(circuit.Design)) { QuietCycles = 5_000 };
        var frames = Traffic(400);
        var host = new ServiceRun(new ShownTable(entries), Subject.Ports);
        var expected = frames.SelectMany(frame => host.Receive(frame.Port, frame.Bytes, frame.Time)).ToList();
        foreach (var frame in frames) bench.Send(frame.Bytes, new PortId(frame.Port), frame.Time);
        int AddressOf(string name) => circuit.Registers.Single(r => r.Name == name).Address;
        var codes = new Codes(entries);
        var reads = 0;
        for (; !bench.Source.IsIdle; reads++)
        {
            bench.Registers.Write(AddressOf("table_index"), (uint)(reads % entries));
            Assert.Equal(codes.Of(reads % entries), bench.Registers.Read(AddressOf("Codes.codes")).Data);
            bench.Run(reads % 7);
        }
        Assert.True(reads > 20, $"{reads} reads");
        bench.RunUntilIdle();
        HardwareSubject.AssertEqual(
            expected,
            [.. bench.Received.Select(f => new SentFrame(f.Destinations, f.Bytes.ToArray(), f.User.Time))]);
    }

    /// <summary>IPv4 with and without options, some too short, requests among the payloads.</summary>
    private static List<IncomingFrame> Traffic(int count)
    {
        const int FirstPayload = 34;
        string[] texts = ["GET / HTTP", "get /", "PUT /x", "gET x", "POST"];
        uint[] addresses = [0x0A01_0203, 0x0A01_0777, 0x0A99_0102, 0xC0A8_0101, 0x0102_0300];
        var random = new Random(2);
        return [.. Enumerable.Range(0, count).Select(i =>
        {
            var frame = new byte[random.Next(10) == 0 ? random.Next(14, 40) : random.Next(44, 110)];
            random.NextBytes(frame);
            var options = random.Next(6) == 0 ? random.Next(1, 4) : 0;
            var text = System.Text.Encoding.ASCII.GetBytes(texts[random.Next(texts.Length)]);
            Put(14, (byte)(0x45 + (random.Next(40) == 0 ? -1 : options)));
            var address = addresses[random.Next(addresses.Length)];
            for (var at = 0; at < 4; at++) Put(30 + at, (byte)(address >> 24 - 8 * at));
            if (random.Next(3) == 0) Put(15, 0);
            for (var at = 0; at < text.Length; at++) Put(FirstPayload + 4 * options + at, text[at]);
            return new IncomingFrame(random.Next(Subject.Ports), frame, 1000 * (ulong)i);

            void Put(int at, byte octet)
            {
                if (at < frame.Length) frame[at] = octet;
            }
        })];
    }
}
