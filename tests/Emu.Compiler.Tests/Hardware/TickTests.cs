using System.Buffers.Binary;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Layouts;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>
/// Ticks in hardware: those that are due by the time of a beat run before the beat is taken,
/// and the first beat after reset begins the run.
/// </summary>
public sealed class TickTests
{
    private const ulong Second = 1_000_000_000;

    public static TheoryData<int, StallPattern, StallPattern> Circuits
    {
        get
        {
            var data = new TheoryData<int, StallPattern, StallPattern>();
            foreach (var bits in HardwareOptions.BusWidths)
            {
                data.Add(bits, StallPattern.None, StallPattern.None);
                data.Add(bits, StallPattern.Random(1, 0.5), StallPattern.Random(2, 0.5));
                data.Add(bits, StallPattern.BeforeLastBeat(9), StallPattern.Bursts(3, 40));
            }
            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Circuits))]
    public void Every_bus_and_stall_pattern_does_what_DotNet_does(int busBits, StallPattern source, StallPattern sink)
    {
        var random = new Random(busBits);
        var time = 5 * Second;
        ulong Later() => time += (ulong)random.NextInt64(3) * 350_000_000;
        var frames = Enumerable.Range(0, 80)
            .Select(i => new IncomingFrame(i % Subject.Ports, FrameOf(random), Later())).ToList();
        foreach (var construct in new Func<Service>[]
        {
            () => new Beacon(Second),
            () => new Keepalive(),
            () => new Faulty(),
            () => new Census(),
        })
        {
            var difference = Ladder.Difference(
                new Subject(construct),
                frames,
                [new DotNetRung(), new HardwareRung("the engine", Layout.Engine, busBits, source, sink)]);
            Assert.True(difference is null, difference);
        }
    }

    [Theory]
    [MemberData(nameof(Circuits))]
    public void Pipelines_do_what_DotNet_does(int busBits, StallPattern source, StallPattern sink)
    {
        var random = new Random(busBits + 1);
        foreach (var step in new ulong[] { 1_000_000, 40_000_000, 350_000_000 })
        {
            var time = 5 * Second;
            var frames = Enumerable.Range(0, 120).Select(i => new IncomingFrame(
                i % Subject.Ports, FrameOf(random), time += (ulong)random.NextInt64(3) * step)).ToList();
            foreach (var construct in new Func<Service>[]
            {
                () => new Beacon(Second),
                () => new Faulty(),
                () => new Census(),
            })
            {
                var difference = Ladder.Difference(
                    new Subject(construct),
                    frames,
                    [new DotNetRung(), new HardwareRung("the pipeline", Layout.Pipeline, busBits, source, sink)]);
                Assert.True(difference is null, difference);
            }
        }
    }

    [Theory]
    [InlineData(Layout.Engine)]
    [InlineData(Layout.Pipeline)]
    public void A_tick_is_due_at_its_very_nanosecond_and_not_before(Layout layout)
    {
        using var bench = BenchOf(new Beacon(Second), layout);
        Assert.Empty(Drive(bench, Null(7)));
        Assert.Empty(Drive(bench, Null(7 + Second - 1)));
        Assert.Equal([7 + Second], Drive(bench, Null(7 + Second)).Select(f => f.Time));
        Assert.Equal([7 + 2 * Second, 7 + 3 * Second], Drive(bench, Null(7 + 4 * Second - 1)).Select(f => f.Time));
    }

    [Theory]
    [InlineData(ulong.MaxValue - 11, 1)]
    [InlineData(ulong.MaxValue - 11, 10)]
    [InlineData(ulong.MaxValue - 11, 11)]
    [InlineData(ulong.MaxValue - 11, 12)]
    [InlineData(ulong.MaxValue - 1, 1)]
    [InlineData(ulong.MaxValue, 1)]
    [InlineData(ulong.MaxValue, ulong.MaxValue)]
    [InlineData(0, ulong.MaxValue)]
    [InlineData(0, ulong.MaxValue - 1)]
    [InlineData(1, ulong.MaxValue - 1)]
    [InlineData(0, (1UL << 63) - 1)]
    public void Near_the_end_of_time(ulong start, ulong interval)
    {
        ulong[] times =
        [
            start, Math.Max(start, ulong.MaxValue - 8), Math.Max(start, ulong.MaxValue - 1), ulong.MaxValue,
            ulong.MaxValue,
        ];
        var frames = times.Select(time => new IncomingFrame(0, new byte[60], time)).ToList();
        var difference = Ladder.Difference(
            new Subject(() => new Beacon(interval)),
            frames,
            [
                new DotNetRung(),
                new HardwareRung("the engine", Layout.Engine),
                new HardwareRung("the pipeline", Layout.Pipeline),
            ]);
        Assert.True(difference is null, difference);
    }

    [Theory]
    [InlineData(Layout.Engine)]
    [InlineData(Layout.Pipeline)]
    public void A_beat_without_bytes_carries_time_alone(Layout layout)
    {
        using var bench = BenchOf(new Beacon(Second), layout);
        var run = new ServiceRun(new Beacon(Second), Subject.Ports, start: 100);
        List<SentFrame> expected = [];
        for (var time = 100UL; time < 20 * Second; time += 777_777_777)
        {
            bench.Send(ReadOnlyMemory<byte>.Empty, PortId.None, time);
            expected.AddRange(run.AdvanceTo(time));
        }
        bench.RunUntilIdle();
        HardwareSubject.AssertEqual(
            expected, [.. bench.Received.Select(f => new SentFrame(f.Destinations, f.Bytes.ToArray(), f.User.Time))]);
        Assert.All(bench.Received, frame => Assert.Equal(0, frame.User.Source));
        Assert.Equal(19, expected.Count);
    }

    [Theory]
    [InlineData(Layout.Engine)]
    [InlineData(Layout.Pipeline)]
    public void A_frame_that_is_too_long_or_too_short_carries_time_too(Layout layout)
    {
        using var bench = BenchOf(new Beacon(Second), layout);
        Assert.Empty(Drive(bench, new IncomingFrame(0, new byte[60], 0)));
        Assert.Equal([Second], Drive(bench, new IncomingFrame(0, new byte[13], Second)).Select(f => f.Time));
        Assert.Equal([2 * Second], Drive(bench, new IncomingFrame(0, new byte[1600], 2 * Second)).Select(f => f.Time));
    }

    [Theory]
    [InlineData(Layout.Engine, false)]
    [InlineData(Layout.Engine, true)]
    [InlineData(Layout.Pipeline, false)]
    [InlineData(Layout.Pipeline, true)]
    public void Reset_begins_a_new_run(Layout layout, bool isByRegister)
    {
        const int ResetRegister = 0x08;
        // In the middle of whatever it does then: a tick, its frame on the bus, a frame that is received.
        for (var cycle = 300; cycle < 420; cycle += 7)
        {
            using var bench = BenchOf(new Beacon(Second), layout);
            for (var time = 0UL; time < 10; time++) bench.Send(new byte[200], new PortId(0), time * Second);
            bench.Run(cycle);
            if (isByRegister) bench.Registers.Write(ResetRegister, 1);
            else bench.Reset(3);
            bench.RunUntilIdle();
            if (isByRegister) bench.Registers.Write(ResetRegister, 1);
            else bench.Reset(3);
            bench.Forget();
            // Ticks are counted from the first beat behind the reset.
            var frames = new[] { Null(20 * Second + 5), Null(22 * Second) };
            Assert.Equal([21 * Second + 5], frames.SelectMany(frame => Drive(bench, frame)).Select(f => f.Time));
        }
    }

    [Theory]
    [InlineData(Layout.Engine)]
    [InlineData(Layout.Pipeline)]
    public void Ticks_are_no_frames_received_and_no_drops(Layout layout)
    {
        using var bench = BenchOf(new Faulty(), layout);
        foreach (var time in new[] { 0UL, 4 * Second, 8 * Second }) bench.Send(new byte[60], new PortId(1), time);
        bench.RunUntilIdle();
        var run = new ServiceRun(new Faulty(), Subject.Ports);
        foreach (var time in new[] { 0UL, 4 * Second, 8 * Second }) run.Receive(1, new byte[60], time);
        var registers = HardwareCompiler.Compile(new Faulty(), new HardwareOptions(), layout).Circuit.Registers
            .ToDictionary(r => r.Name, r => r.Address);
        uint Read(string name) => bench.Registers.Read(registers[name]).Data;
        Assert.Equal(
            (run.Sequence.FramesIn.Value, run.Sequence.FramesOut.Value, run.Sequence.Drops.Value, run.Sequence.Faults(
                FaultKind.IndexOutOfRange).Value),
            (Read("frames_in"), Read("frames_out"), Read("drops"), Read("fault_IndexOutOfRange")));
        Assert.True(Read("fault_IndexOutOfRange") > 0);
    }

    [Fact]
    public void Frames_between_ticks_pass_the_stages()
    {
        using var bench = BenchOf(new Census(), Layout.Pipeline);
        Drive(bench, new IncomingFrame(0, new byte[60], 0));
        bench.Forget();
        for (var i = 0; i < 100; i++) bench.Send(new byte[60], new PortId(0), 1 + (ulong)i);
        bench.RunUntilIdle();
        Assert.Equal(100, bench.Received.Count);
        var cycles = bench.Received[^1].Visible - bench.Received[0].Visible;
        Assert.Equal(2 * 99, cycles);
    }

    [Fact]
    public void Beside_events_that_wait_for_frames_they_make_an_engine_that_says_why()
    {
        var refused = Assert.Throws<CompileException>(() =>
            HardwareCompiler.Compile(new WaitingClock(), new HardwareOptions(), Layout.Pipeline));
        Assert.Equal(DiagnosticNumber.Layout, refused.Number);
        var compiled = HardwareCompiler.Compile(new WaitingClock(), new HardwareOptions());
        Assert.Equal(Layout.Engine, compiled.Layout);
        Assert.Contains("periodic work", compiled.Bounds[0].What);
    }

    private static IncomingFrame Null(ulong time) => new(PortId.None.Index, [], time);

    private static Bench BenchOf(Service service, Layout layout) =>
        new(new ManagedSimulator(HardwareCompiler.Compile(service, new HardwareOptions(), layout).Circuit.Design))
        {
            QuietCycles = 2_000,
            StallLimit = 100_000,
        };

    private static List<SentFrame> Drive(Bench bench, IncomingFrame frame)
    {
        bench.Forget();
        bench.Send(frame.Bytes, new PortId(frame.Port), frame.Time);
        bench.RunUntilIdle();
        return [.. bench.Received.Select(f => new SentFrame(f.Destinations, f.Bytes.ToArray(), f.User.Time))];
    }

    private static byte[] FrameOf(Random random)
    {
        var frame = new byte[random.Next(8) == 0 ? random.Next(1, 14) : random.Next(14, 200)];
        random.NextBytes(frame);
        return frame;
    }

    /// <summary>Says the time on every port at each tick; drops what comes.</summary>
    private sealed class Beacon(ulong interval) : Service
    {
        public override ulong TickInterval { get; } = interval;

        public override void Process(ref Frame frame) => frame.Drop();

        public override void Tick(ref Frame frame)
        {
            frame.Resize(60);
            BinaryPrimitives.WriteUInt64BigEndian(frame.Bytes[14..], frame.Time);
            BinaryPrimitives.WriteUInt64BigEndian(frame.Bytes[22..], frame.Seconds);
            frame.Flood();
        }
    }

    /// <summary>
    /// Repeats what it saw last on a port where nothing was heard since the tick before;
    /// frames are answered by a copy and themselves.
    /// </summary>
    private sealed class Keepalive : Service
    {
        private readonly byte[] _last = new byte[40];
        private readonly bool[] _isQuiet = new bool[4];
        private int _ticks;
        private int _length;

        public override ulong TickInterval => 300_000_000;

        public override void Process(ref Frame frame)
        {
            _isQuiet[frame.Ingress.Index & 3] = false;
            _length = Math.Min(frame.Length, _last.Length);
            for (var i = 0; i < _length; i++) _last[i] = frame.Bytes[i];
            frame.Send(PortSet.Of(frame.Ingress));
            frame.Bytes[0] = (byte)_ticks;
            frame.Flood();
        }

        public override void Tick(ref Frame frame)
        {
            _ticks++;
            frame.Resize(_length);
            for (var i = 0; i < _length; i++) frame.Bytes[i] = _last[i];
            for (var i = 0; i < _isQuiet.Length; i++)
            {
                if (_isQuiet[i]) frame.Send(PortSet.Of(new PortId(i)));
                _isQuiet[i] = true;
            }
            // The bytes that a frame had there before are gone.
            frame.Resize(frame.Length + 20);
            if ((_ticks & 3) == 0) frame.Flood();
        }
    }

    /// <summary>
    /// Counts frames by their first byte's lowest bits; a tick sends the counts and begins anew, and how many there
    /// were in the tick before decides which frames pass.
    /// </summary>
    private sealed class Census : Service
    {
        private readonly ushort[] _counts = new ushort[4];
        private ushort _before;

        public override ulong TickInterval => 200_000_000;

        public override void Process(ref Frame frame)
        {
            _counts[frame.Bytes[0] & 3]++;
            frame.Bytes[1] = (byte)_before;
            if ((_before & 7) != 5) frame.Flood();
        }

        public override void Tick(ref Frame frame)
        {
            frame.Resize(60);
            _before = 0;
            for (var i = 0; i < _counts.Length; i++)
            {
                BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[(14 + 2 * i)..], _counts[i]);
                _before += _counts[i];
                _counts[i] = 0;
            }
            frame.ForwardTo(frame.Ports);
        }
    }

    /// <summary>Ticks that write, send and then fault, now and then.</summary>
    private sealed class Faulty : Service
    {
        private readonly int[] _counts = new int[4];
        private int _ticks;

        public override ulong TickInterval => 500_000_000;

        public override void Process(ref Frame frame) => frame.ForwardTo(new PortSet((ulong)_counts[0]));

        public override void Tick(ref Frame frame)
        {
            frame.Resize(14);
            frame.Bytes[13] = (byte)_ticks;
            if ((_ticks & 1) == 0) frame.Send(frame.Ports);
            frame.Flood();
            _counts[_ticks % 6]++;
            _ticks++;
        }
    }
}
