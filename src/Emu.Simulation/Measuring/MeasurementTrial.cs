using Emu.Compiler;
using Emu.Compiler.Layouts;

namespace Emu.Simulation;

/// <summary>
/// Cycles of a circuit, counted apart from those of <see cref="Measurement"/>, so that the one can be held against the
/// other. Frames arrive at the same times in both: what is done with the time may take as long as it is large.
/// </summary>
/// <param name="compiled">The circuit.</param>
/// <param name="before">Frames that it takes before it is measured; none unless they are named.</param>
public sealed class MeasurementTrial(CompiledService compiled, IReadOnlyList<TestFrame>? before = null) : IDisposable
{
    /// <summary>Frames that go in before it counts, and those that it counts: more than the circuit holds.</summary>
    private const int DefaultFilling = 96, DefaultCounted = Pace.Enough;

    private readonly ManagedSimulator _simulator = new(compiled.Circuit.Design);

    /// <summary>
    /// Edges from the first beat in to the first beat out of a frame alone, behind another of the same second; null
    /// when none comes out.
    /// </summary>
    /// <param name="kind">The frames.</param>
    public long? Latency(FrameKind kind)
    {
        ArgumentNullException.ThrowIfNull(kind);
        using var bench = NewBench();
        KindMeasurement.SendAlone(bench, compiled, kind.Frame, kind.Ingress, KindMeasurement.Start);
        bench.Forget();
        KindMeasurement.SendAlone(
            bench, compiled, kind.Frame, kind.Ingress, KindMeasurement.Start + KindMeasurement.Between);
        return bench.Received is [var frame, ..] ? frame.Visible - bench.Source.Sent[0].FirstBeat!.Value : null;
    }

    /// <summary>
    /// Edges from one frame that is taken to the next, rounded up: the least and the most that may be promised. They
    /// are the same unless state makes frames wait for different times, and no run of these comes again.
    /// </summary>
    /// <param name="kind">The frames.</param>
    /// <param name="length">Their bytes.</param>
    /// <param name="filling">Frames that go in before any is counted.</param>
    /// <param name="counted">Frames that are counted.</param>
    public (long Least, long Most) Interval(
        FrameKind kind, int length, int filling = DefaultFilling, int counted = DefaultCounted)
    {
        ArgumentNullException.ThrowIfNull(kind);
        using var bench = NewBench();
        for (var i = 0; i < filling + counted + 1; i++)
            bench.Send(
                kind.OfLength(length), kind.Ingress, KindMeasurement.Start + (ulong)i * KindMeasurement.Between);
        bench.RunUntilIdle(long.MaxValue);
        List<long> intervals = [.. bench.IntervalsIn().Skip(filling).Take(counted)];
        if (Pace.Of(intervals) is { } pace) return (pace, pace);
        if (filling < Pace.LongFilling && counted == Pace.Enough && compiled.Layout != Layout.Engine)
            return Interval(kind, length, Pace.LongFilling, counted);
        return ((intervals.Sum() + counted - 1) / counted, intervals.Max());
    }

    /// <summary>The promises of a measurement that this does not find, a sentence each.</summary>
    /// <param name="measured">A measurement of the same circuit.</param>
    public IEnumerable<string> BrokenPromises(Measurement measured)
    {
        ArgumentNullException.ThrowIfNull(measured);
        foreach (var promised in measured.Kinds)
        {
            if (Latency(promised.Kind) is var latency && latency != promised.Latency)
            {
                var found = latency?.ToString() ?? "nothing comes out";
                yield return $"{promised.Kind.Name}: latency_cycles is {promised.Latency?.ToString() ?? "null"}, "
                    + $"in simulation {found}";
            }
            foreach (var (length, row) in promised.Rows)
            {
                var (least, most) = Interval(promised.Kind, length, row.Before, row.Counted);
                if (row.Interval < least || row.Interval > most)
                    yield return $"{promised.Kind.Name}: interval_cycles of {length} bytes is "
                            + $"{row.Interval}, in simulation "
                        + (least == most ? $"{least}" : $"{least} to {most}");
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _simulator.Dispose();

    private Bench NewBench()
    {
        var simulator = _simulator.Another();
        return KindMeasurement.NewBench(
            compiled,
            before is { Count: > 0 } ? KindMeasurement.Ready(compiled, simulator, before) : simulator);
    }
}
