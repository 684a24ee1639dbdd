using Emu.Compiler;
using Emu.Simulation;

namespace Emu.Tool;

/// <summary>Cycles of a circuit, counted apart from those in its report, so that the one can be held against the other.</summary>
internal sealed class HardwareTrial(CompiledService compiled, FrameKind frames) : IDisposable
{
    /// <summary>The lengths of the benchmark, in bytes without FCS.</summary>
    public static IReadOnlyList<int> Lengths { get; } = [60, 64, 128, 256, 512, 1024, 1514];

    /// <summary>Frames that go in before it counts, and those that it counts: more than the circuit holds.</summary>
    private const int Before = 96, Counted = 64;

    private const long StallLimit = 10_000_000;
    private const ulong Second = 1_000_000_000;
    private const ulong Apart = 100_000;

    private readonly ManagedSimulator _simulator = new(compiled.Circuit.Design);

    /// <summary>Edges from the first beat in to the first beat out of a frame alone, behind another of the same second; null when none comes out.</summary>
    public long? Latency(int length)
    {
        using var bench = NewBench();
        Send(bench, length, 7 * Second);
        bench.Forget();
        Send(bench, length, 7 * Second + Apart);
        return bench.Received is [var frame, ..] ? frame.Visible - bench.Source.Sent[0].FirstBeat!.Value : null;
    }

    /// <summary>Edges from one frame that is taken to the next, rounded up.</summary>
    public long Interval(int length)
    {
        using var bench = NewBench();
        for (var i = 0; i < Before + Counted + 1; i++) bench.Send(frames.OfLength(length), new PortId(0), 7 * Second + (ulong)i);
        bench.RunUntilIdle(long.MaxValue);
        return (bench.IntervalsIn().Skip(Before).Take(Counted).Sum() + Counted - 1) / Counted;
    }

    /// <summary>What a report promises and this does not find, a sentence each.</summary>
    public IEnumerable<string> BrokenPromises(CompileReport report)
    {
        if (Latency(report.Measurement.LatencyBytes) is var latency && latency != report.LatencyCycles)
            yield return $"latency_cycles is {report.LatencyCycles?.ToString() ?? "null"}, in simulation {latency?.ToString() ?? "nothing comes out"}";
        foreach (var (length, cycles) in report.IntervalCycles)
        {
            if (Interval(length) is var interval && interval != cycles) yield return $"interval_cycles of {length} bytes is {cycles}, in simulation {interval}";
        }
    }

    public void Dispose() => _simulator.Dispose();

    /// <summary>A frame, and behind it a beat that only carries time: when that is taken, the frame is done with.</summary>
    private void Send(Bench bench, int length, ulong time)
    {
        bench.Send(frames.OfLength(length), new PortId(0), time);
        bench.Send(ReadOnlyMemory<byte>.Empty, PortId.None, time);
        bench.RunUntilIdle(long.MaxValue);
    }

    private Bench NewBench() => new(_simulator.Another()) { StallLimit = StallLimit };
}
