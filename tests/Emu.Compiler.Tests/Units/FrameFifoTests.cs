using Emu.Simulation;

namespace Emu.Compiler.Tests;

/// <summary>Frames wait for their verdict, leave in order or are dropped, and lose no beat, whoever stalls.</summary>
public sealed class FrameFifoTests
{
    private const int Frames = 80;

    [Theory]
    [InlineData(64, 1, true)]
    [InlineData(64, 9, false)]
    [InlineData(256, 1, false)]
    [InlineData(256, 4, false)]
    [InlineData(512, 3, false)]
    public void Frames_pass_at_full_rate_and_with_stalls_on_both_sides(int busBits, int cycles, bool outside)
    {
        var random = new Random(busBits + cycles);
        (StallPattern Source, StallPattern Sink)[] stalls =
        [
            (StallPattern.None, StallPattern.None),
            (StallPattern.Random(1, 0.3), StallPattern.Random(2, 0.5)),
            // Full for long, then empty for long.
            (StallPattern.None, StallPattern.Bursts(3, 300)),
            (StallPattern.Bursts(4, 40), StallPattern.OneIn(7)),
        ];
        foreach (var (source, sink) in outside ? stalls[..2] : stalls)
        {
            using var bench = FrameUnits.Bench(busBits, cycles, isResized: false, outside, source, sink);
            FrameUnits.Check(bench, FrameUnits.Frames(random, Frames, busBits / 8, isResized: false), isResized: false);
        }
    }

    [Theory]
    [InlineData(64, 24)]
    [InlineData(64, 90)]
    [InlineData(512, 40)]
    public void However_late_a_verdict_is_a_beat_is_taken_in_each_cycle(int busBits, int cycles)
    {
        using var bench = FrameUnits.Bench(busBits, cycles, isResized: false, outside: false);
        var frames = FrameUnits.Frames(new Random(cycles), Frames, busBits / 8, isResized: false);
        foreach (var (i, frame) in frames.Index()) bench.Send(frame, new PortId(0), (ulong)i);
        bench.Run(frames.Sum(frame => (frame.Length + busBits / 8 - 1) / (busBits / 8)) + 4);
        Assert.Equal(Frames, bench.Source.Sent.Count);
        bench.RunUntilIdle();
    }

    [Fact]
    public void A_full_FIFO_holds_the_source_back_and_goes_on_where_it_was()
    {
        using var bench = FrameUnits.Bench(256, 3, isResized: false, outside: false, sink: new Gate(1000));
        bench.StallLimit = 2000;
        var frames = FrameUnits.Frames(new Random(2), Frames, 32, isResized: false);
        foreach (var frame in frames) frame[1] = 0;
        foreach (var (i, frame) in frames.Index()) bench.Send(frame, new PortId(0), (ulong)i);
        bench.Run(900);
        var beats = bench.Source.Sent.Sum(f => (f.Bytes.Length + 31) / 32);
        // 32 places, two of which stay free for beats on their way, and the output's own.
        Assert.InRange(beats, 25, 36);
        bench.RunUntilIdle();
        Assert.Equal(frames, bench.Received.Select(f => f.Bytes.ToArray()));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void After_a_reset_in_the_middle_it_is_empty(bool isResized)
    {
        using var bench = FrameUnits.Bench(64, 3, isResized, outside: false, sink: StallPattern.Random(1, 0.6));
        var random = new Random(3);
        for (var cycles = 20; cycles < 120; cycles += 9)
        {
            foreach (var frame in FrameUnits.Frames(random, 8, 8, isResized)) bench.Send(frame, new PortId(0), 1);
            bench.Run(cycles);
            bench.Reset(2);
            bench.RunUntilIdle();
            FrameUnits.Check(bench, FrameUnits.Frames(random, 12, 8, isResized), isResized);
        }
    }

    /// <summary>Not ready up to a cycle, then always.</summary>
    private sealed class Gate(long until) : StallPattern
    {
        public override bool Stalls(long cycle, bool isLastBeat, int held) => cycle < until;
    }
}
