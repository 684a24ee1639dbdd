using Emu.Compiler.Diagnostics;
using Emu.Compiler.Layouts;
using Emu.Compiler.Reports;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>
/// A slow path of several engines: frames are dealt to those that are free, others go by, and all leave in order.
/// </summary>
public sealed class SlowPathGroupTests
{
    private static readonly Dictionary<string, Subject> s_subjects =
        SlowPathGroupServices.All.ToDictionary(service => service.Key, service => new Subject(service.Value));

    public static TheoryData<string> Names => [.. SlowPathGroupServices.All.Keys];

    public static TheoryData<string> Simulators => [.. OutsideSimulator.All.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public void They_do_what_CSharp_does(string name) => Agreement.Check(s_subjects[name], Frames(90, seed: 1), [
        Rung(64, 2), Rung(128, 5), Rung(256, 3), Rung(512, 4),
    ]);

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_stall_pattern_leaves_the_order_of_arrival(string name) =>
        Agreement.Check(s_subjects[name], Frames(90, seed: 2), [
            Rung(64, 3, StallPattern.Random(3, 0.3), StallPattern.Random(5, 0.4)),
            Rung(256, 4, StallPattern.Random(7, 0.8)),
            Rung(256, 4, null, StallPattern.Random(8, 0.9)),
            Rung(512, 2, StallPattern.BeforeLastBeat(9), StallPattern.Bursts(3, 400)),
        ]);

    [Theory]
    [MemberData(nameof(Simulators))]
    public void Simulators_of_the_field_show_the_same(string simulator)
    {
        var outside = OutsideSimulator.All[simulator];
        if (outside.WhyNot is { } whyNot) Assert.Skip(whyNot);
        foreach (var (i, subject) in s_subjects.Values.Share(3).Index())
            Agreement.Check(subject, Frames(30, seed: 3), [
                new OutsideRung(
                    outside, Layout.Pipeline, busBits: HardwareOptions.BusWidths[i % 4], engines: 2 + i % 3),
            ]);
    }

    /// <summary>At a fast clock what is counted and chosen has flops between.</summary>
    [Fact]
    public void At_a_fast_clock_they_do_the_same() => Agreement.Check(s_subjects["chains"], Frames(90, seed: 4), [
        Rung(64, 3, null, StallPattern.Random(5, 0.4), clockMHz: 322), Rung(256, 6, clockMHz: 322),
    ]);

    /// <summary>Frames of the slow path alone take an Nth of the cycles each.</summary>
    [Fact]
    public void So_many_engines_take_so_many_times_the_frames()
    {
        long Interval(int engines)
        {
            using var bench = new Bench(Circuit("chains", engines, 256));
            for (var i = 0; i < 200; i++) bench.Send(Chain(50), new PortId(0), 1000);
            bench.RunUntilIdle();
            return bench.IntervalsIn().Skip(60).Take(120).Sum();
        }

        var one = Interval(1);
        Assert.InRange(Interval(4), 0, one / 4 + 240);
        Assert.InRange(Interval(12), 0, one / 12 + 240);
    }

    /// <summary>Others enter at their own pace while one that takes long is worked on.</summary>
    [Fact]
    public void Others_do_not_wait_for_the_work_of_one()
    {
        using var bench = new Bench(Circuit("chains", 2, 256));
        bench.Send(Chain(140), new PortId(0), 1000);
        for (var i = 0; i < 12; i++) bench.Send(new byte[60], new PortId(0), 1000);
        bench.RunUntilIdle();
        Assert.Equal(13, bench.Received.Count);
        Assert.InRange(bench.IntervalsIn().Skip(1).Sum(), 1, 30);
        Assert.InRange(bench.Latencies()[1].Latency, 100, 10_000);
    }

    [Theory]
    [InlineData(100)]
    [InlineData(200)]
    [InlineData(322)]
    public void No_path_of_many_engines_is_over_the_budget(int clock)
    {
        var options = new HardwareOptions { Engines = 30, ClockMHz = clock };
        Assert.Empty(LongPath.Of(s_subjects["chains"].Circuit(options, Layout.Pipeline).Circuit, options));
    }

    [Fact]
    public void A_reset_in_a_frame_leaves_a_clean_machine()
    {
        List<IncomingFrame> frames = [.. Frames(80, seed: 5).Where(frame => frame.Bytes.Length < 1515)];
        var run = new ServiceRun(SlowPathGroupServices.All["copies"](), Subject.Ports);
        ResetInAFrame.Check(
            frames, [.. frames.SelectMany(f => run.Receive(f.Port, f.Bytes, f.Time))], () => Circuit("copies", 3, 64));
    }

    /// <summary>By register: what was received before is handled, and counted.</summary>
    [Fact]
    public void A_reset_by_register_waits_for_the_frames_that_have_come()
    {
        var compiled = Compile("chains", 3, 256);
        using var bench = new Bench(new ManagedSimulator(compiled.Circuit.Design));
        int Address(string name) => compiled.Circuit.Registers.Single(register => register.Name == name).Address;
        for (var i = 0; i < 40; i++)
        {
            for (var k = 0; k < 5; k++) bench.Send(Chain(5 + 5 * k), new PortId(0), 1000);
            bench.Run(100 + i);
            bench.Registers.Write(8, 1);
            bench.RunUntilIdle();
            Assert.Equal(5, bench.Received.Count);
            for (var k = 0; k < 4; k++) bench.Send(Chain(5), new PortId(0), 1000);
            bench.RunUntilIdle();
            bench.Forget();
            Assert.InRange(bench.Registers.Read(Address("frames_in")).Data, 4u, 9u);
            bench.Registers.Write(8, 1);
            bench.RunUntilIdle();
            Assert.Equal(0u, bench.Registers.Read(Address("turns")).Data);
        }
    }

    [Fact]
    public void What_engines_of_a_slow_path_cannot_share_is_named()
    {
        Assert.Contains("without a slow path", WhyNot(() => new Services.LearningSwitch()));
        Assert.Contains(
            "last is used by frames of the slow path and written by frames", WhyNot(() => new Remembering()));
    }

    private static string WhyNot(Func<Service> service) => Assert.Throws<CompileException>(
        () => HardwareCompiler.Compile(service(), new HardwareOptions { Engines = 2 })).Reason;

    private static CompiledService Compile(string service, int engines, int bits) => s_subjects[service].Circuit(
        new HardwareOptions { Engines = engines, BusBits = bits }, Layout.Pipeline);

    private static ManagedSimulator Circuit(string service, int engines, int bits) =>
        s_subjects[service].Simulator(Compile(service, engines, bits));

    private static HardwareRung Rung(
        int bits, int engines, StallPattern? source = null, StallPattern? sink = null, int clockMHz = 200) =>
        new(
            $"{engines} engines in the slow path, {bits} bits", Layout.Pipeline, bits, source, sink,
            clockMHz: clockMHz, engines: engines);

    /// <summary>A frame whose chain has about so many turns.</summary>
    private static byte[] Chain(int turns)
    {
        var bytes = new byte[64];
        (bytes[0], bytes[1]) = (1, 14);
        for (var i = 14; i < 64; i++) bytes[i] = turns > 50 || i < turns + 14 ? (byte)(15 + i % 48) : (byte)0;
        return bytes;
    }

    /// <summary>Chains and others mixed, of random bytes.</summary>
    private static List<IncomingFrame> Frames(int count, int seed)
    {
        var random = new Random(seed);
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
            for (var k = 14; k < bytes.Length; k++) bytes[k] &= 127;
            frames.Add(new IncomingFrame(random.Next(Subject.Ports), bytes, 5_000_000_000UL + (ulong)i));
        }
        return frames;
    }

    private sealed class Remembering : Service
    {
        private byte _last;

        public override void Process(ref Frame frame)
        {
            var at = frame.Bytes[1] & 63;
            if (frame.Bytes[0] == 1)
            {
                while (at > 13 && at < frame.Length) at = frame.Bytes[at];
            }
            frame.Bytes[13] = _last;
            _last = (byte)at;
            frame.Flood();
        }
    }
}
