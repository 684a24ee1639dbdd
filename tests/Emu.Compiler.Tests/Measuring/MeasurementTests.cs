using Emu.Compiler.Layouts;
using Emu.Services;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>
/// Circuits are measured with the frames given, at their own lengths, and what is said of them is what a bench counts.
/// </summary>
public sealed class MeasurementTests
{
    private static readonly MacAddress s_host = MacAddress.Parse("02:00:00:00:00:02");
    private static readonly MacAddress s_peer = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly IPv4Address s_hostAddress = IPv4Address.Parse("10.0.0.2");
    private static readonly IPv4Address s_peerAddress = IPv4Address.Parse("10.0.0.1");

    private static byte[] Request { get; } =
        Packet.Ethernet(s_peer, s_host).IPv4(s_peerAddress, s_hostAddress)
            .Udp(1024, FixedLengthAnswer.Port).Payload(new byte[FixedLengthAnswer.Length])
            .ToArray();

    private static byte[] ArpRequest { get; } =
        Packet.Ethernet(s_peer, MacAddress.Broadcast).ArpRequest(s_peer, s_peerAddress, s_hostAddress).ToArray();

    [Fact]
    public void Frames_that_are_only_answered_at_their_own_length_are_measured_at_it()
    {
        var measured = Measure(new FixedLengthAnswer(), ArpRequest, Request);
        Assert.Equal(
            ["ARP request, dropped", $"IPv4 UDP to port {FixedLengthAnswer.Port}"],
            measured.Kinds.Select(kind => kind.Kind.Name));
        Assert.Equal([ArpRequest.Length, Request.Length], measured.Kinds.Select(kind => kind.Kind.Bytes));
        Assert.Equal(90, measured.Main.Kind.Bytes);
        Assert.NotNull(measured.Main.Latency);
        Assert.Equal([90, 124, 252, 508, 1020, 1514], measured.Main.Intervals.Keys);
        Assert.Equal([90], measured.Main.Answered);
        Agree(measured);
    }

    [Fact]
    public void A_frame_of_a_kind_that_never_leaves_is_said_to_be_dropped()
    {
        var measured = Measure(new OnlyTcp(), Request);
        Assert.Null(measured.Main.Latency);
        Assert.Empty(measured.Main.Answered);
        Assert.EndsWith("dropped", Assert.Single(measured.Kinds).Kind.Name);
    }

    [Fact]
    public void Of_guessed_frames_those_that_leave_are_measured()
    {
        var segment = Packet.Ethernet(s_peer, s_host)
            .IPv4(s_peerAddress, s_hostAddress).Tcp(1024, 80, 1, flags: Packet.Syn).PaddedTo(60).ToArray();
        TestFrame[] guesses = [new("datagrams", Request), new("segments", segment), new("questions", ArpRequest)];
        var compiled = HardwareCompiler.Compile(new OnlyTcp(), new HardwareOptions());
        var measured = Measurement.Of(compiled, TestTraffic.Guessed("guesses", guesses));
        Assert.Equal("segments", Assert.Single(measured.Kinds).Kind.Name);
        Assert.Equal(Measurement.Lengths, measured.Main.Answered);
    }

    [Fact]
    public void An_observer_is_told_of_each_length_of_each_kind()
    {
        var told = new List<string>();
        var compiled = HardwareCompiler.Compile(new LearningSwitch(), new HardwareOptions());
        Measurement.Of(compiled, TestTraffic.Given("frames", [Request, ArpRequest]), told.Add);
        foreach (var length in Measurement.Lengths.Where(length => length > Request.Length))
        {
            Assert.Contains($"kind 1 of 2, {length} bytes", told);
            Assert.Contains($"kind 2 of 2, {length} bytes", told);
        }
    }

    [Fact]
    public void Frames_of_one_kind_that_take_different_ways_are_told_apart()
    {
        var options = Packet.Ethernet(s_peer, s_host)
            .IPv4(s_peerAddress, s_hostAddress, options: [1, 1, 1, 0]).IcmpEchoRequest(1, 1).PaddedTo(60).ToArray();
        var plain = Packet.Ethernet(s_peer, s_host)
            .IPv4(s_peerAddress, s_hostAddress).IcmpEchoRequest(1, 1).PaddedTo(60).ToArray();
        var measured = Measure(new IcmpEcho(s_hostAddress, s_host), plain, options, plain);
        Assert.Equal(["pipeline", "slow path"], measured.Kinds.Select(kind => kind.Path));
        Assert.Equal([2, 1], measured.Kinds.Select(kind => kind.Kind.Frames));
        Assert.True(measured.Kinds[1].Interval > measured.Kinds[0].Interval);
        Assert.Contains(measured.Compiled.SlowPaths, path => path.Reason == measured.Kinds[1].Deferred!.Reason);
        Agree(measured);
    }

    [Fact]
    public void Only_a_service_that_divides_the_time_has_a_latency_of_the_next_second()
    {
        Assert.Null(Measure(new OnlyTcp(), Request).Main.NextSecondLatency);
        var main = Measure(new LearningSwitch(), Request).Main;
        Assert.True(main.NextSecondLatency > main.Latency);
    }

    /// <summary>Cycles that differ from frame to frame, and come again after five, are those of five.</summary>
    [Fact]
    public void Frames_that_wait_for_different_times_take_what_they_take_on_average()
    {
        var compiled = HardwareCompiler.Compile(new TakesTurns(), new HardwareOptions(), Layout.Engine);
        var measured = Measurement.Of(compiled, TestTraffic.Given("frames", [Request]));
        using var bench = new Bench(new ManagedSimulator(compiled.Circuit.Design));
        const int Frames = 4 * TakesTurns.Most;
        for (var i = 0; i <= Frames; i++) bench.Send(Request, new PortId(0), (ulong)i);
        bench.RunUntilIdle();
        var intervals = bench.IntervalsIn();
        Assert.True(intervals.Distinct().Count() >= TakesTurns.Most);
        Assert.Equal((intervals.Sum() + Frames - 1) / Frames, measured.Main.Interval);
        Agree(measured);
    }

    /// <summary>Seven of eight pings take 2 cycles, the eighth 10; that comes again behind some 200 frames.</summary>
    [Fact]
    [Campaign("time")]
    public void Where_queues_fill_slowly_frames_take_what_they_take_on_average()
    {
        var compiled = HardwareCompiler.Compile(
            new Host(s_hostAddress, s_host, echo: true, dns: ["example.zone"], memcached: 11211),
            new HardwareOptions());
        var ping = Packet.Ethernet(s_peer, s_host).IPv4(s_peerAddress, s_hostAddress).IcmpEchoRequest(1, 2)
            .Payload(new byte[18]).ToArray();
        var measured = Measurement.Of(compiled, TestTraffic.Given("pings", [ping]));
        Assert.InRange(measured.Main.Interval, 2, 4);
        // Behind a reset a frame waits for each word of the tables.
        using var bench = new Bench(new ManagedSimulator(compiled.Circuit.Design)) { StallLimit = 10_000_000 };
        for (var i = 0; i < 1600; i++) bench.Send(ping, new PortId(0), 1_760_000_000_000_000_000 + (ulong)i);
        bench.RunUntilIdle(long.MaxValue);
        var intervals = bench.IntervalsIn().Skip(700).Take(800).ToList();
        Assert.True(intervals.Distinct().Count() > 1);
        Assert.Equal((intervals.Sum() + intervals.Count - 1) / intervals.Count, measured.Main.Interval);
    }

    [Fact]
    public void Frames_are_measured_behind_others_that_came_before()
    {
        var compiled = HardwareCompiler.Compile(new OpensByPortOne(), new HardwareOptions());
        var traffic = TestTraffic.Given("requests", [Request]);
        Assert.Null(Measurement.Of(compiled, traffic).Main.Latency);
        TestFrame[] before = [new("a frame that opens", Request, new PortId(1))];
        var measured = Measurement.Of(compiled, traffic.Behind(before));
        Assert.NotNull(measured.Main.Latency);
        using var trial = new MeasurementTrial(compiled, before);
        Assert.Empty(trial.BrokenPromises(measured));
    }

    [Fact]
    public void Frames_come_by_the_ports_that_they_came_by()
    {
        var measured = Measurement.Of(
            HardwareCompiler.Compile(new OpensByPortOne(), new HardwareOptions()),
            TestTraffic.Given("requests", [(ArpRequest, new PortId(1)), (Request, new PortId(2))]));
        Assert.Equal(
            ["ARP request, by port 1, dropped", $"IPv4 UDP to port {FixedLengthAnswer.Port}, by port 2"],
            measured.Kinds.Select(kind => kind.Kind.Name));
        Assert.Equal(new PortId(2), measured.Main.Kind.Ingress);
    }

    [Fact]
    public void The_frames_before_say_which_way_a_frame_takes()
    {
        var traffic = TestTraffic.Given("requests", [Request]);
        var compiled = HardwareCompiler.Compile(new WalksWhenOpen(), new HardwareOptions());
        Assert.Equal("pipeline", Measurement.Of(compiled, traffic).Main.Path);
        TestFrame[] before = [new("a frame that opens", Request, new PortId(1))];
        Assert.Equal("slow path", Measurement.Of(compiled, traffic.Behind(before)).Main.Path);
    }

    private static Measurement Measure(Service service, params byte[][] frames) => Measurement.Of(
        HardwareCompiler.Compile(service, new HardwareOptions()),
        TestTraffic.Given("test.pcap", frames.Select(frame => (ReadOnlyMemory<byte>)frame)));

    /// <summary>Another bench, another number of frames: the same cycles.</summary>
    private static void Agree(Measurement measured)
    {
        foreach (var kind in measured.Kinds)
        {
            using var bench =
                new Bench(new ManagedSimulator(measured.Compiled.Circuit.Design)) { StallLimit = 100_000 };
            for (var i = 0; i < 200; i++)
                bench.Send(kind.Kind.Frame, new PortId(0), 1_760_000_000_000_000_000 + (ulong)i);
            bench.RunUntilIdle();
            // Of as many as a run of cycles that comes again may have: 5 of TakesTurns, 1 or 2 of all others.
            var intervals = bench.IntervalsIn().Skip(100).Take(60).ToList();
            Assert.Equal(kind.Interval, (intervals.Sum() + intervals.Count - 1) / intervals.Count);
        }
    }
}
