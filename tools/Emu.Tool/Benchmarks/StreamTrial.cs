using Emu.Simulation;

namespace Emu.Tool;

/// <summary>
/// Cycles of any circuit with two AXI-Streams, whoever compiled it: frames of one kind go in, and those that come out
/// are waited for.
/// </summary>
/// <param name="newSimulator">Makes a simulator of the circuit at power-up.</param>
/// <param name="kind">The frames.</param>
internal sealed class StreamTrial(Func<Simulator> newSimulator, FrameKind kind)
{
    private const int Before = 4, Counted = 8;
    private const ulong Start = 1_700_000_000_000_000_000, Between = 1_000;
    private const long Limit = 10_000_000;

    /// <summary>
    /// Edges from the first beat in to the first beat out of a frame behind another; null when none comes out.
    /// </summary>
    public long? Latency()
    {
        using var bench = NewBench();
        Send(bench, kind.Frame, 0);
        bench.RunUntilIdle(Limit);
        bench.Forget();
        Send(bench, kind.Frame, 1);
        bench.RunUntilIdle(Limit);
        return bench.Received is [var frame, ..] ? frame.Visible - bench.Source.Sent[0].FirstBeat!.Value : null;
    }

    /// <summary>Edges from one frame that is taken to the next, the source saturated and the sink ready.</summary>
    /// <param name="length">The bytes of the frames.</param>
    public long Interval(int length)
    {
        using var bench = NewBench();
        for (var i = 0; i <= Before + Counted; i++) Send(bench, kind.OfLength(length), i);
        bench.RunUntilIdle(Limit);
        var intervals = bench.IntervalsIn().Skip(Before).Take(Counted).ToList();
        return (intervals.Sum() + Counted - 1) / Counted;
    }

    private static void Send(Bench bench, ReadOnlyMemory<byte> frame, int number) =>
        bench.Send(frame, new PortId(0), Start + (ulong)number * Between);

    private Bench NewBench() => new(newSimulator()) { StallLimit = Limit, QuietCycles = 5_000 };
}
