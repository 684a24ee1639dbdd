using System.Collections.Concurrent;
using Emu.Compiler;
using Emu.Compiler.Layouts;
using Emu.Hosting;
using Emu.Services;

namespace Emu.Simulation.Tests;

/// <summary>
/// A simulated circuit on captures sends what a run of the service sends, in the same order, at the same
/// times, by the same ports.
/// </summary>
public sealed class SimulatedDeviceTests
{
    [Theory]
    [InlineData(Layout.Engine, 1, 256, false)]
    [InlineData(Layout.Engine, 2, 64, true)]
    [InlineData(Layout.Pipeline, 3, 256, false)]
    [InlineData(Layout.Pipeline, 4, 512, true)]
    public void A_switch_of_four_ports_does_what_its_run_does(Layout layout, int seed, int busBits, bool stalls) =>
        DoesTheSame(
            () => new LearningSwitch(capacity: 8, ageingSeconds: 10), DeviceTraffic.ForSwitch(4, 300, seed),
            busBits, stalls ? (ulong)seed : null, layout);

    [Fact]
    public void A_switch_of_two_ports_floods_by_one() =>
        DoesTheSame(
            () => new LearningSwitch(capacity: 8, ageingSeconds: 10), DeviceTraffic.ForSwitch(2, 60, 4), 128, null);

    [Theory]
    [InlineData(128, null)]
    [InlineData(256, 7UL)]
    public void An_echo_host_does_what_its_run_does(int busBits, ulong? stallSeed) =>
        DoesTheSame(
            () => new IcmpEcho(DeviceTraffic.HostAddress, DeviceTraffic.HostMac, DeviceTraffic.HostAddress6),
            [DeviceTraffic.ForHost()], busBits, stallSeed);

    [Theory]
    [InlineData(64, null)]
    [InlineData(256, 5UL)]
    public void Ticks_are_those_of_the_run(int busBits, ulong? stallSeed) =>
        DoesTheSame(() => new Beacon(300_000_000), DeviceTraffic.ForSwitch(2, 40, 5), busBits, stallSeed);

    [Theory]
    [InlineData(Layout.Engine)]
    [InlineData(Layout.Pipeline)]
    public void The_last_frame_may_take_long(Layout layout) => DoesTheSame(
        () => new Counting(),
        [
            [new TimedFrame(new byte[60], 1), new TimedFrame([.. Enumerable.Repeat((byte)0xFF, 1500)], 2)],
            [new TimedFrame(new byte[60], 1)],
        ],
        256, null, layout);

    [Fact]
    public void A_frame_that_the_bus_has_no_length_for_carries_time_too()
    {
        var (_, sent) = Simulate(
            new Beacon(10),
            [[new TimedFrame([], 5), new TimedFrame(new byte[60], 24), new TimedFrame([], 26)], []],
            256,
            null);
        Assert.Equal([15UL, 25UL], sent[0].Select(f => f.Time));
    }

    [Fact]
    public void On_live_ports_ticks_come_though_no_frame_does()
    {
        const ulong Interval = 20_000_000;
        var port = new SilentPort();
        using (var device = new RunningDevice(
            HardwareCompiler.Compile(new Beacon(Interval), new HardwareOptions { Ports = 1 }), [port]))
        {
            Assert.True(SpinWait.SpinUntil(() => port.Sent.Count >= 4, TimeSpan.FromMinutes(10)));
        }
        var times = port.Sent.ToList();
        Assert.All(times.Zip(times.Skip(1)), pair => Assert.Equal(Interval, pair.Second - pair.First));
    }

    [Fact]
    public void Frames_that_the_bus_has_no_length_for_are_counted()
    {
        var (device, _) = Simulate(
            new LearningSwitch(capacity: 8),
            [[new TimedFrame([], 1), new TimedFrame(new byte[70_000], 2), new TimedFrame(new byte[60], 3)], []],
            256, null);
        Assert.Equal(2UL, device.NotSent.Value);
        Assert.Equal(1U, device.Register("frames_in"));
    }

    [Fact]
    public void Registers_and_cycles_are_those_of_the_run()
    {
        var traffic = DeviceTraffic.ForHost();
        var (device, sent) = Simulate(
            new IcmpEcho(DeviceTraffic.HostAddress, DeviceTraffic.HostMac, DeviceTraffic.HostAddress6),
            [traffic],
            256,
            null);
        Assert.Equal((uint)traffic.Count, device.Register("frames_in"));
        Assert.Equal((uint)sent[0].Count, device.Register("frames_out"));
        Assert.Equal((uint)(traffic.Count - sent[0].Count), device.Register("drops"));
        Assert.Equal((sent[0].Count, traffic.Count - 1), ((int)device.Latencies.Count, (int)device.Intervals.Count));
        Assert.InRange(device.Intervals.Median!.Value, 1, device.Cycles / (traffic.Count - 1));
        Assert.True(
            device.Latencies.Least <= device.Latencies.Median && device.Latencies.Median <= device.Latencies.Most);
    }

    [Fact]
    public void Registers_that_are_read_one_right_behind_the_other_have_each_their_own_value()
    {
        var (device, _) = Simulate(
            new Twice(),
            [[.. Enumerable.Range(1, 20).Select(i => new TimedFrame(new byte[60], (ulong)i))], []],
            256,
            null);
        Assert.Equal(
            (20U, 40U, 0U), (device.Register("frames_in"), device.Register("frames_out"), device.Register("drops")));
    }

    [Fact]
    public void More_ports_than_a_board_has_are_refused()
    {
        var compiled = HardwareCompiler.Compile(new LearningSwitch(capacity: 8), new HardwareOptions());
        using var bench = new Bench(new ManagedSimulator(compiled.Circuit.Design));
        var exception = Assert.Throws<CommandException>(
            () => new SimulatedDevice(
                bench, compiled.Circuit.Registers, [.. Enumerable.Range(0, 9).Select(_ => new MemoryPort([]))]));
        Assert.Contains("1 to 8 ports", exception.Message);
    }

    private static void DoesTheSame(
        Func<Service> make, List<TimedFrame>[] traffic, int busBits, ulong? stallSeed, Layout? layout = null)
    {
        var ports = traffic.Select(frames => new MemoryPort(frames)).ToList();
        using var runner = new ServiceRunner(make(), ports);
        runner.Run(TestContext.Current.CancellationToken);

        var (device, sent) = Simulate(make(), traffic, busBits, stallSeed, layout);

        for (var i = 0; i < ports.Count; i++)
        {
            Assert.NotEmpty(ports[i].Sent);
            Assert.Equal(
                ports[i].Sent.Select(f => (f.Time, Convert.ToHexString(f.Bytes))),
                sent[i].Select(f => (f.Time, Convert.ToHexString(f.Bytes))));
            Assert.Equal(runner.Traffic[i].FramesOut.Value, device.Traffic[i].FramesOut.Value);
            Assert.Equal(runner.Traffic[i].BytesIn.Value, device.Traffic[i].BytesIn.Value);
        }
        Assert.Equal((uint)runner.Sequence.Drops.Value, device.Register("drops"));
    }

    private static (SimulatedDevice Device, IReadOnlyList<TimedFrame>[] Sent) Simulate(
        Service service, List<TimedFrame>[] traffic, int busBits, ulong? stallSeed, Layout? layout = null)
    {
        var compiled = HardwareCompiler.Compile(
            service, new HardwareOptions { BusBits = busBits, Ports = traffic.Length }, layout);
        var ports = traffic.Select(frames => new MemoryPort(frames)).ToList();
        var bench = new Bench(
            new ManagedSimulator(compiled.Circuit.Design),
            stallSeed is { } seed ? StallPattern.Random(seed, 0.5) : null,
            stallSeed is { } other ? StallPattern.Random(other + 1, 0.5) : null);
        var device = new SimulatedDevice(bench, compiled.Circuit.Registers, ports);
        device.Run(TestContext.Current.CancellationToken);
        return (device, [.. ports.Select(p => p.Sent)]);
    }

    /// <summary>Says how many frames it has seen, at each tick; drops them.</summary>
    private sealed class Beacon(ulong interval) : Service
    {
        private int _frames;

        public override ulong TickInterval { get; } = interval;

        public override void Process(ref Frame frame) => _frames++;

        public override void Tick(ref Frame frame)
        {
            frame.Resize(60);
            frame.Bytes[20] = (byte)_frames;
            frame.Flood();
        }
    }

    /// <summary>An interface on which nothing comes; keeps when frames left.</summary>
    private sealed class SilentPort : Port
    {
        public ConcurrentQueue<ulong> Sent { get; } = new();

        public override string Name => "silent";

        public override bool IsLive => true;

        public override int Receive(Span<ReceivedFrame> batch) => 0;

        public override void Send(ReadOnlySpan<byte> frame, ulong time) => Sent.Enqueue(time);
    }

    /// <summary>Few counters, of which each has its own value.</summary>
    private sealed class Twice : Service
    {
        public override void Process(ref Frame frame)
        {
            frame.Send(frame.Ports);
            frame.Reply();
        }
    }

    /// <summary>Counts in a loop over all bytes, as often as each says, if the first is not 0.</summary>
    private sealed class Counting : Service
    {
        public override void Process(ref Frame frame)
        {
            frame.Flood();
            if (frame.Bytes[0] == 0) return;
            byte count = 0;
            foreach (var octet in frame.Bytes)
                for (var i = 0; i < (octet & 7); i++) count = (byte)(count * 3 + i);
            frame.Bytes[0] = count;
        }
    }
}
