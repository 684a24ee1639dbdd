using Emu.Compiler;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Reports;

namespace Emu.Simulation;

/// <summary>The cycles that a circuit takes, measured in the managed simulator.</summary>
public sealed class Measurement
{
    /// <summary>The number of kinds of which longer frames are measured, too; a capture may have hundreds.</summary>
    private const int KindsInAllLengths = 8;

    private readonly Dictionary<int, IReadOnlyList<long>> _stepCycles = [];

    private readonly List<DeferredCost> _deferred = [];

    private Measurement(CompiledService compiled, TestTraffic traffic, IReadOnlyList<MeasuredKind> kinds, long cycles)
    {
        (Compiled, Traffic, Kinds, Cycles) = (compiled, traffic, kinds, cycles);
        Main = kinds.FirstOrDefault(kind => kind.Latency is not null) ?? kinds[0];
    }

    /// <summary>
    /// Lengths that intervals are measured at besides frames' own, in bytes without FCS: from the least that Ethernet
    /// has to the most.
    /// </summary>
    public static IReadOnlyList<int> Lengths { get; } = [60, 124, 252, 508, 1020, 1514];

    /// <summary>The service that was measured.</summary>
    public CompiledService Compiled { get; }

    /// <summary>The frames that it was measured with: of guessed frames those of which any left.</summary>
    public TestTraffic Traffic { get; }

    /// <summary>Each kind of frames, in the order in which they come.</summary>
    public IReadOnlyList<MeasuredKind> Kinds { get; }

    /// <summary>The first kind of which a frame leaves; the first of all when none does.</summary>
    public MeasuredKind Main { get; }

    /// <summary>Cycles that all frames take, one behind the other, at their own lengths, again and again.</summary>
    public long Cycles { get; }

    /// <summary>
    /// For the shortest and the longest frame of <see cref="Main"/>, one alone, the cycles of each of the circuit's
    /// steps; of an engine only, since no frame is twice in a pipeline's stage.
    /// </summary>
    public IReadOnlyDictionary<int, IReadOnlyList<long>> StepCycles => _stepCycles;

    /// <summary>
    /// The cycles that a deferred frame costs among frames of <see cref="Main"/>, by the reason: of a kind that was
    /// measured, or else of one made like the main one with options or tags; empty where none of these is deferred.
    /// </summary>
    public IReadOnlyList<DeferredCost> Deferred => _deferred;

    /// <summary>LUTs of six inputs that the circuit takes, estimated.</summary>
    public long Luts => Resources.Of(Compiled.Circuit.Design, Cost.Of(Compiled.Circuit)).Luts;

    /// <summary>
    /// The gain and the cost of one more engine; null where there cannot be more than one, and of a pipeline.
    /// </summary>
    public OneMoreEngine? OneMoreEngine
    {
        get
        {
            if (Compiled.Layout != Layout.Engine || Compiled.EngineObstacle is not null) return null;
            var lanes = Compiled.Options.BusBits / 8;
            var beats = (Math.Max(Main.Kind.Bytes, Main.SentBytes) + lanes - 1) / lanes;
            return OneMoreEngine.Of(Compiled.Circuit, Compiled.Options.Engines, Main.Interval, beats);
        }
    }

    /// <summary>Measures a circuit.</summary>
    /// <param name="compiled">The circuit.</param>
    /// <param name="traffic">The frames.</param>
    /// <param name="observer">Told of each part of the work before it, in a few words; null for nobody.</param>
    /// <exception cref="BusException">The circuit breaks a rule of a bus.</exception>
    /// <exception cref="TimeoutException">It hangs.</exception>
    public static Measurement Of(CompiledService compiled, TestTraffic traffic, Action<string>? observer = null)
    {
        ArgumentNullException.ThrowIfNull(compiled);
        ArgumentNullException.ThrowIfNull(traffic);
        observer ??= _ => { };
        var each = new KindMeasurement(compiled, traffic.Before);
        observer("all frames in a row");
        var (cycles, left) = Together(each, traffic);
        if (!traffic.IsGiven && left.Contains(false))
        {
            // Those that are answered, or only one that is not.
            traffic = traffic.Only(
                left.Contains(true) ? [.. traffic.Frames.Where((_, i) => left[i])] : [traffic.Frames[^1]]);
            (cycles, left) = Together(each, traffic);
        }
        var found = KindsOf(compiled, traffic, left).ToList();
        var kinds = found.Select((kind, i) => each.Of(
            kind.Kind, kind.Deferred, LengthsOf(compiled, kind.Kind, i < KindsInAllLengths),
            bytes => observer($"kind {i + 1} of {found.Count}, {bytes} bytes"))).ToList();
        var measurement = new Measurement(compiled, traffic, kinds, cycles);
        observer("where the cycles go");
        if (compiled.Layout == Layout.Engine) measurement.Profile(each);
        else if (measurement.Main.Deferred is null) measurement._deferred.AddRange(measurement.CostsOfDeferred(each));
        return measurement;
    }

    private IEnumerable<DeferredCost> CostsOfDeferred(KindMeasurement each)
    {
        List<(FrameKind Frame, SideExit Deferred)> frames =
        [
            .. Kinds.Where(kind => kind.Deferred is not null)
                .DistinctBy(kind => (kind.Deferred!.Reason, kind.Deferred.Location?.Own))
                .Select(kind => (kind.Kind, kind.Deferred!)),
        ];
        if (frames.Count == 0 && RareFrames.Like(Compiled, Main.Kind) is { } rare) frames.Add(rare);
        return frames.Zip(
            each.CostsAmong(Main.Kind, [.. frames.Select(frame => frame.Frame)]),
            (frame, cycles) => new DeferredCost(frame.Deferred, cycles));
    }

    private void Profile(KindMeasurement each)
    {
        foreach (var length in new[] { Main.Intervals.Keys.Min(), Main.Intervals.Keys.Max() })
            _stepCycles[length] = each.Profile(
                Main.Kind, length, KindMeasurement.Engines(Compiled) * Main.Intervals[length]);
    }

    private static List<int> LengthsOf(CompiledService compiled, FrameKind kind, bool withLonger) =>
        [kind.Bytes, .. Lengths.Where(length =>
            withLonger && length > kind.Bytes && length <= compiled.Options.Mtu + FrameLength.Header)];

    /// <summary>
    /// Frames of one name that take the same way through the circuit, and of which all leave or none does.
    /// </summary>
    private static IEnumerable<(FrameKind Kind, SideExit? Deferred)> KindsOf(
        CompiledService compiled, TestTraffic traffic, IReadOnlyList<bool> left)
    {
        var paths = new FramePaths(compiled);
        foreach (var frame in traffic.Before) paths.Take(frame.Bytes.Span, frame.Ingress, KindMeasurement.Start);
        return traffic.Frames
            .Select((frame, i) => (
                Frame: frame,
                Name: left[i] ? frame.Kind : $"{frame.Kind}, dropped",
                Deferred: paths.WhyDeferred(frame.Bytes.Span, frame.Ingress, KindMeasurement.Start)))
            .GroupBy(f => (f.Name, f.Deferred?.Reason, f.Deferred?.Location?.Own))
            .Select(kind => (
                new FrameKind(kind.Key.Name, kind.First().Frame.Bytes, kind.Count(), kind.First().Frame.Ingress),
                kind.First().Deferred));
    }

    /// <summary>
    /// Sends all frames in a row, again and again: the cycles of the last time, and which frames something left for
    /// then.
    /// </summary>
    private static (long Cycles, IReadOnlyList<bool> Left) Together(KindMeasurement each, TestTraffic traffic)
    {
        var (count, rounds) = (traffic.Frames.Count, KindMeasurement.Engines(each.Compiled));
        var times = rounds + (each.FramesToFill(traffic.Frames.Min(frame => frame.Bytes.Length)) + count - 1) / count;
        using var bench = each.NewBench();
        var time = KindMeasurement.Start;
        for (var i = 0; i < times * count; i++, time += KindMeasurement.Between)
            bench.Send(traffic.Frames[i % count].Bytes, traffic.Frames[i % count].Ingress, time);
        bench.Send(ReadOnlyMemory<byte>.Empty, PortId.None, time);
        bench.RunUntilIdle(long.MaxValue);
        var timesLeft = bench.Received.Where(frame => frame.User.Source != 0).Select(frame => frame.Time).ToHashSet();
        // Engines that take turns take frames in bursts, which come again after as many rounds as there are engines.
        var last = bench.Source.Sent.TakeLast(rounds * count + 1).ToList();
        var cycles = last[^1].FirstBeat!.Value - last[0].FirstBeat!.Value;
        return (
            (cycles + rounds - 1) / rounds,
            [.. last.SkipLast(1).TakeLast(count).Select(frame => timesLeft.Contains(frame.Time))]);
    }
}
