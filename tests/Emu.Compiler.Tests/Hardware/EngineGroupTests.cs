using Emu.Compiler.Diagnostics;
using Emu.Compiler.Layouts;
using Emu.Compiler.Reports;
using Emu.Fuzz;
using Emu.Simulation;
using Emu.Testing;
using Microsoft.CodeAnalysis;

namespace Emu.Compiler.Tests;

/// <summary>Several engines, to which frames are dealt in turn: together they do what one does.</summary>
public sealed class EngineGroupTests
{
    /// <summary>The events of so many are added up over several cycles.</summary>
    private const int Many = 30;

    private static readonly Dictionary<string, Subject> s_subjects =
        EngineGroupServices.All.ToDictionary(service => service.Key, service => new Subject(service.Value));

    private static readonly int[] s_engines = [2, 3, 5];

    public static TheoryData<string> Names => [.. EngineGroupServices.All.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public void They_do_what_CSharp_does(string name) =>
        Agreement.Check(s_subjects[name], Frames(120, seed: 1), [
            .. HardwareOptions.BusWidths.SelectMany(bits => s_engines.Select(engines => Rung(bits, engines))),
        ]);

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_stall_pattern_leaves_the_order_of_arrival(string name) =>
        Agreement.Check(s_subjects[name], Frames(120, seed: 2), [
            Rung(64, 3, StallPattern.Random(3, 0.3), StallPattern.Random(5, 0.4)),
            Rung(256, 4, StallPattern.Random(7, 0.8)),
            Rung(256, 4, null, StallPattern.Random(8, 0.9)),
            Rung(512, 2, StallPattern.BeforeLastBeat(9), StallPattern.Bursts(3, 400)),
        ]);

    [Fact]
    public void Random_programs_do_the_same()
    {
        List<ulong> seeds = [.. Enumerable.Range(0, Tier.IsAll ? 400 : 24).Select(i => 7000 + (ulong)i)];
        var subjects = Fuzzer.Subjects(seeds, OptimizationLevel.Release, ProgramGenerator.GenerateCounting);
        var refused = 0;
        foreach (var (seed, subject) in seeds.Zip(subjects))
        {
            var bits = HardwareOptions.BusWidths[(int)(seed % 4)];
            var difference = Fuzzer.Guarded(() => Ladder.Difference(
                subject, FrameGenerator.Generate(seed, 60),
                [
                    new DotNetRung(), Rung(bits, 2 + (int)(seed % 5)),
                    Rung(bits, 3, StallPattern.Random(seed, 0.3), StallPattern.Random(seed + 1, 0.4)),
                ]));
            // A sum that the compiler has put together with another is no accumulator any more.
            if (difference?.Contains("is written by a frame and read by others", StringComparison.Ordinal) == true)
                refused++;
            else
                Assert.True(
                    difference is null, $"seed {seed}: {difference}\n{ProgramGenerator.GenerateCounting(seed)}");
        }
        Assert.InRange(refused, 0, seeds.Count / 3);
    }

    [Theory]
    [MemberData(nameof(Simulators))]
    public void Simulators_of_the_field_show_the_same(string simulator)
    {
        var outside = OutsideSimulator.All[simulator];
        if (outside.WhyNot is { } whyNot) Assert.Skip(whyNot);
        foreach (var (i, subject) in s_subjects.Values.Share(3).Index())
            Agreement.Check(subject, Frames(30, seed: 3), [
                new OutsideRung(
                    outside, Layout.Engine, busBits: HardwareOptions.BusWidths[i % 4], engines: 2 + i % 3),
            ]);
    }

    /// <summary>Equal frames take an Nth of the cycles each, as far as the bus brings them.</summary>
    [Fact]
    public void So_many_engines_take_so_many_times_the_frames()
    {
        long Interval(int engines)
        {
            using var bench = new Bench(Circuit("turns by the frame", engines, 256).Another());
            for (var i = 0; i < 200; i++) bench.Send(Frame(60, 8), new PortId(0), 1000);
            bench.RunUntilIdle();
            return bench.IntervalsIn().Skip(50).Take(120).Sum();
        }

        var one = Interval(1);
        Assert.InRange(Interval(2), 0, one / 2 + 120);
        Assert.InRange(Interval(6), 0, one / 6 + 120);
        Assert.Equal(120 * 2, Interval(Many));
    }

    /// <summary>The sum of what all engines count in a cycle gets longer with each of them.</summary>
    [Theory]
    [InlineData(100)]
    [InlineData(200)]
    [InlineData(322)]
    public void Counts_of_many_engines_keep_to_the_budget(int clock)
    {
        var options = new HardwareOptions { Engines = Many, BusBits = 64, ClockMHz = clock };
        var circuit = s_subjects["turns by the frame"].Circuit(options, Layout.Engine).Circuit;
        Assert.DoesNotContain(
            LongPath.Of(circuit, options), path => path.What.Contains("counters", StringComparison.Ordinal));
    }

    [Fact]
    public void Many_do_what_CSharp_does() =>
        Agreement.Check(s_subjects["turns by the frame"], Frames(200, seed: 6), [Rung(64, Many), Rung(256, Many)]);

    [Theory]
    [InlineData(2)]
    [InlineData(3)]
    public void A_reset_in_a_frame_leaves_a_clean_machine(int engines)
    {
        List<IncomingFrame> frames = [.. Frames(80, seed: 4).Where(frame => frame.Bytes.Length < 1515)];
        var run = new ServiceRun(EngineGroupServices.All["copies"](), Subject.Ports);
        ResetInAFrame.Check(
            frames, [.. frames.SelectMany(f => run.Receive(f.Port, f.Bytes, f.Time))],
            Circuit("copies", engines, 64).Another);
    }

    /// <summary>By register: what was received before is handled, and counted, as by one engine.</summary>
    [Fact]
    public void A_reset_by_register_waits_for_the_frames_that_have_come()
    {
        var compiled = Compile("turns by the frame", 3, 256);
        using var bench = new Bench(new ManagedSimulator(compiled.Circuit.Design));
        var frames = compiled.Circuit.Registers.Single(register => register.Name == "frames_in").Address;
        for (var i = 0; i < 40; i++)
        {
            for (var k = 0; k < 5; k++) bench.Send(Frame(60 + 30 * k, 63), new PortId(0), 1000);
            bench.Run(100 + i);
            bench.Registers.Write(8, 1);
            bench.RunUntilIdle();
            Assert.Equal(5, bench.Received.Count);
            for (var k = 0; k < 4; k++) bench.Send(Frame(60, 1), new PortId(0), 1000);
            bench.RunUntilIdle();
            bench.Forget();
            Assert.InRange(bench.Registers.Read(frames).Data, 4u, 9u);
            bench.Registers.Write(8, 1);
            bench.RunUntilIdle();
            Assert.Equal(0u, bench.Registers.Read(frames).Data);
        }
    }

    /// <summary>While state is read no event is under way, and none is lost.</summary>
    [Fact]
    public void Tables_are_read_between_events()
    {
        var compiled = Compile("tables", 3, 256);
        using var bench = new Bench(new ManagedSimulator(compiled.Circuit.Design));
        var frames = Frames(60, seed: 5);
        foreach (var frame in frames) bench.Send(frame.Bytes, new PortId(frame.Port), frame.Time);
        int Address(string name) => compiled.Circuit.Registers.Single(register => register.Name == name).Address;
        for (var i = 0; i < 20; i++)
        {
            bench.Registers.Write(Address("table_index"), (uint)i);
            Assert.Equal((uint)(ushort)(i * 40503), bench.Registers.Read(Address("Codes.codes")).Data);
        }
        bench.RunUntilIdle();
        var run = new ServiceRun(EngineGroupServices.All["tables"](), Subject.Ports);
        HardwareSubject.AssertEqual(
            [.. frames.SelectMany(f => run.Receive(f.Port, f.Bytes, f.Time))],
            [.. bench.Received.Select(f => new SentFrame(f.Destinations, f.Bytes.ToArray(), f.User.Time))]);
    }

    [Fact]
    public void What_engines_cannot_share_is_named()
    {
        Assert.Contains("last is written by a frame and read by others", WhyNot(() => new Remembering()));
        Assert.Contains("a tick comes between two frames", WhyNot(() => new Ticking()));
        Assert.Contains("an event waits for a frame", WhyNot(() => new WaitingSwitch()));
        Assert.Contains("the service is a pipeline", WhyNot(() => new Services.LearningSwitch(), null));
        Assert.Contains("add --layout engine", WhyNot(() => new Services.LearningSwitch(), null));
    }

    public static TheoryData<string> Simulators => [.. OutsideSimulator.All.Keys];

    private static string WhyNot(Func<Service> service, Layout? layout = Layout.Engine) =>
        Assert.Throws<CompileException>(
            () => HardwareCompiler.Compile(service(), new HardwareOptions { Engines = 2 }, layout)).Reason;

    private static CompiledService Compile(string service, int engines, int bits) => s_subjects[service].Circuit(
        new HardwareOptions { Engines = engines, BusBits = bits }, Layout.Engine);

    private static ManagedSimulator Circuit(string service, int engines, int bits) =>
        s_subjects[service].Simulator(Compile(service, engines, bits));

    private static byte[] Frame(int length, byte first) =>
        [first, .. Enumerable.Range(1, length - 1).Select(i => (byte)i)];

    private static HardwareRung Rung(int bits, int engines, StallPattern? source = null, StallPattern? sink = null) =>
        new($"{engines} engines on {bits} bits", Layout.Engine, bits, source, sink, engines: engines);

    /// <summary>Random bytes: short and long frames mixed, some too short and some too long.</summary>
    private static List<IncomingFrame> Frames(int count, int seed)
    {
        var random = new Random(seed);
        var time = 5_000_000_000UL;
        var frames = new List<IncomingFrame>();
        for (var i = 0; i < count; i++)
        {
            var bytes = new byte[random.Next(12) switch
            {
                0 => random.Next(1, 20),
                1 => random.Next(200, 1515),
                2 => random.Next(1515, 1600),
                _ => random.Next(14, 130),
            }];
            random.NextBytes(bytes);
            time += random.Next(8) == 0 ? (ulong)random.NextInt64(1_500_000_000) : (ulong)random.Next(100);
            frames.Add(new IncomingFrame(random.Next(Subject.Ports), bytes, time));
        }
        return frames;
    }

    private sealed class Remembering : Service
    {
        private byte _last;

        public override void Process(ref Frame frame)
        {
            if (frame.Bytes[0] != _last) frame.Flood();
            _last = frame.Bytes[0];
        }
    }

    private sealed class Ticking : Service
    {
        public override ulong TickInterval => 1000;

        public override void Process(ref Frame frame) => frame.Flood();

        public override void Tick(ref Frame frame) => frame.Flood();
    }
}
