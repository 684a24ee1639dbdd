using Emu.Compiler.Rtl;

namespace Emu.Simulation.Tests;

/// <summary>Whatever the two sides do, frames pass designs that are right, whole and in order.</summary>
public sealed class BenchTests
{
    public static TheoryData<string, string> Stalls()
    {
        var data = new TheoryData<string, string>();
        foreach (var source in Patterns.Keys) foreach (var sink in Patterns.Keys) data.Add(source, sink);
        return data;
    }

    private static Dictionary<string, StallPattern> Patterns { get; } = new StallPattern[]
    {
        StallPattern.None, StallPattern.Random(1, 0.5), StallPattern.Random(2, 0.9), StallPattern.Bursts(3, 9),
        StallPattern.OneIn(2), StallPattern.OneIn(7), StallPattern.BeforeLastBeat(5),
    }.ToDictionary(p => p.ToString()!);

    private static readonly Dictionary<string, ManagedSimulator> s_designs = new()
    {
        ["slice 64"] = new(StreamDesigns.RegisterSlice(8)),
        ["slice 256"] = new(StreamDesigns.RegisterSlice(32)),
        ["slice 512"] = new(StreamDesigns.RegisterSlice(64)),
        ["buffer 128"] = new(StreamDesigns.StoreAndForward(16, 16, isRegistered: false)),
        ["buffer 256"] = new(StreamDesigns.StoreAndForward(32, 8, isRegistered: true)),
    };

    [Theory]
    [MemberData(nameof(Stalls))]
    public void Frames_of_all_lengths_pass_under_every_stall_pattern(string source, string sink)
    {
        foreach (var (_, design) in s_designs)
        {
            using var bench = new Bench(design.Another(), Patterns[source], Patterns[sink], seed: 7);
            var sent = bench.SendLengths(1, 140);
            sent.Add(bench.Send(default, PortId.None, 5));
            sent.AddRange(bench.SendLengths(60, 64));
            bench.RunUntilIdle();
            bench.AssertPassed(sent);
        }
    }

    [Fact]
    public void A_register_has_a_latency_of_one_and_takes_a_beat_a_cycle()
    {
        using var bench = new Bench(new ManagedSimulator(StreamDesigns.RegisterSlice(32)));
        bench.SendLengths(60, 70);
        bench.RunUntilIdle();
        Assert.Equal(Enumerable.Repeat(1L, 11), bench.Latencies().Select(l => l.Latency));
        Assert.Equal([2, 2, 2, 2, 2, 3, 3, 3, 3, 3], bench.IntervalsIn());
        Assert.Equal([2, 2, 2, 2, 2, 3, 3, 3, 3, 3], bench.IntervalsOut());
    }

    [Theory]
    [InlineData(false, 1 + 1)]
    [InlineData(true, 1 + 1 + 1)]
    public void Storing_a_frame_of_two_beats_adds_a_cycle_a_beat_and_the_RAM(bool isRegistered, long more)
    {
        using var bench = new Bench(new ManagedSimulator(StreamDesigns.StoreAndForward(32, 8, isRegistered)));
        bench.Send(Traffic.Bytes(60, 1), new PortId(0), 1);
        bench.RunUntilIdle();
        Assert.Equal(1 + more, Assert.Single(bench.Latencies()).Latency);
    }

    [Fact]
    public void A_latency_belongs_to_the_frame_of_the_same_time_when_others_are_lost()
    {
        using var bench = new Bench(new ManagedSimulator(StreamDesigns.StoreAndForward(32, 8, isRegistered: false)));
        bench.SendLengths(60, 62);
        while (bench.Source.Sent.Count < 2) bench.Step();
        bench.Reset(1);
        bench.RunUntilIdle();
        Assert.Equal([60, 62], bench.Received.Select(f => f.Bytes.Length));
        Assert.Equal([60, 62], bench.Latencies().Select(l => l.In.Bytes.Length));
    }

    [Theory]
    [InlineData("slice 64")]
    [InlineData("slice 256")]
    [InlineData("buffer 128")]
    [InlineData("buffer 256")]
    public void A_reset_in_the_middle_of_frames_leaves_no_half_frame(string design)
    {
        for (var cycles = 1; cycles < 90; cycles++)
        {
            using var bench = new Bench(
                s_designs[design].Another(), StallPattern.Random(5, 0.3), StallPattern.Random((ulong)cycles, 0.4));
            var sent = bench.SendLengths(90, 105);
            bench.Run(cycles);
            bench.Reset(1 + cycles % 3);
            var before = bench.Received.Count;
            bench.RunUntilIdle();
            Assert.All(
                bench.Received, f => Assert.Equal(Traffic.Bytes(f.Bytes.Length, f.Bytes.Length), f.Bytes.ToArray()));
            // Whatever was not begun before the reset comes out after it.
            var whole = sent.Where(f => f.FirstBeat > 4 + cycles).Select(f => f.Bytes.Length);
            Assert.Equal(whole, bench.Received.Skip(before).Select(f => f.Bytes.Length));
        }
    }

    [Fact]
    public void Runs_are_repeatable()
    {
        List<(long, long, long)> Run()
        {
            using var bench = new Bench(
                s_designs["slice 64"].Another(), StallPattern.Random(1, 0.5), StallPattern.Bursts(2, 4), seed: 3);
            bench.SendLengths(14, 90);
            bench.RunUntilIdle();
            return [.. bench.Received.Select(f => (f.Visible, f.FirstBeat, f.LastBeat))];
        }

        Assert.Equal(Run(), Run());
    }

    [Fact]
    public void What_the_bus_leaves_open_is_junk()
    {
        using var bench = new Bench(s_designs["slice 256"].Another(), StallPattern.OneIn(2));
        bench.Send(Traffic.Bytes(33, 1), new PortId(3), 9);
        var (idle, beats) = (new HashSet<ulong>(), new List<(ulong Above, StreamUser User)>());
        var simulator = bench.Simulator;
        for (var i = 0; i < 40; i++)
        {
            bench.Step();
            if (simulator.Input("s_axis_tvalid")[0] == 0)
                idle.Add(simulator.Input("s_axis_tdata")[2] ^ simulator.Input("s_axis_tuser")[0]);
            else beats.Add((simulator.Input("s_axis_tdata")[3], StreamUser.Of(simulator.Input("s_axis_tuser"))));
        }
        Assert.Equal(38, idle.Count);
        Assert.Equal(new StreamUser(33, 0x40, 0, 9), beats[0].User);
        Assert.NotEqual(beats[0].User, beats[1].User);
        Assert.NotEqual(0UL, beats[1].Above);
    }

    [Fact]
    public void A_design_without_a_port_of_the_contract_is_refused()
    {
        var design = StreamDesigns.RegisterSlice(32);
        design.Outputs.RemoveAll(p => p.Name == "m_axis_tlast");
        Assert.Contains(
            "no m_axis_tlast", Assert.Throws<ArgumentException>(() => new Bench(new FakeSimulator(design))).Message);
    }

    private sealed class FakeSimulator(Design design) : Simulator(design)
    {
        protected override void Edge()
        {
        }
    }
}
