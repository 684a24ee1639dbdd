using Emu.Compiler;

namespace Emu.Simulation;

/// <summary>How many cycles a circuit takes, measured in the managed simulator.</summary>
public sealed class Measurement
{
    /// <summary>The bytes of the frame that is sent alone.</summary>
    public const int LatencyBytes = 60;

    /// <summary>Frames in a row: more than a circuit has room for, so that the second half of them goes at its pace.</summary>
    private const int Saturation = 64;

    private const long StallLimit = 10_000_000;
    private const ulong Start = 1_000_000_000;
    private const ulong Between = 1_000;
    private const int HeaderBytes = 14;
    private const int QuietCycles = 100;

    private readonly ManagedSimulator _simulator;
    private readonly List<int> _answered = [];
    private readonly Dictionary<int, long> _intervals = [];
    private readonly Dictionary<int, IReadOnlyList<long>> _stepCycles = [];

    private Measurement(ManagedSimulator simulator, FrameKind frames) => (_simulator, Frames) = (simulator, frames);

    /// <summary>The lengths that intervals are measured at, in bytes without FCS: from the least that Ethernet has to the most.</summary>
    public static IReadOnlyList<int> Lengths { get; } = [60, 124, 252, 508, 1020, 1514];

    /// <summary>What it was measured with.</summary>
    public FrameKind Frames { get; }

    /// <summary>
    /// From the edge that took the first beat of a frame alone to the first that could sample its answer, another frame having gone before it in the same
    /// second; null when it is not answered.
    /// </summary>
    public long? Latency { get; private set; }

    /// <summary>The same of the frame before, the first after reset: what depends on the second is computed anew.</summary>
    public long? FirstLatency { get; private set; }

    /// <summary>Cycles from one frame to the next, rounded up, by their bytes; the source always has a beat, the sink is always ready.</summary>
    public IReadOnlyDictionary<int, long> Intervals => _intervals;

    /// <summary>The lengths at which the frames came out again.</summary>
    public IReadOnlyList<int> Answered => _answered;

    /// <summary>
    /// For the shortest and the longest frame, one alone, the cycles of each of the circuit's steps; of an engine only, since no frame is twice in a
    /// pipeline's stage.
    /// </summary>
    public IReadOnlyDictionary<int, IReadOnlyList<long>> StepCycles => _stepCycles;

    /// <summary>Measures a circuit.</summary>
    /// <param name="compiled">The circuit.</param>
    /// <param name="candidates">Kinds of frames, at least one: the first that the service answers is taken, or the last.</param>
    /// <exception cref="BusException">The circuit breaks a rule of a bus.</exception>
    /// <exception cref="TimeoutException">It hangs.</exception>
    public static Measurement Of(CompiledService compiled, IReadOnlyList<FrameKind> candidates)
    {
        ArgumentNullException.ThrowIfNull(compiled);
        ArgumentNullException.ThrowIfNull(candidates);
        var simulator = new ManagedSimulator(compiled.Circuit.Design);
        var frames = candidates.FirstOrDefault(kind => Alone(simulator, kind).First is not null) ?? candidates[^1];
        var (first, second) = Alone(simulator, frames);
        var measurement = new Measurement(simulator, frames) { Latency = second, FirstLatency = first };
        foreach (var length in Lengths.Where(length => length <= compiled.Options.Mtu + HeaderBytes)) measurement.Saturate(length);
        if (compiled.Layout != Layout.Engine) return measurement;
        measurement.Profile(measurement._intervals.Keys.Min(), compiled.Circuit.Steps);
        measurement.Profile(measurement._intervals.Keys.Max(), compiled.Circuit.Steps);
        return measurement;
    }

    /// <summary>Counts the cycles in which a frame is in each step, another having gone before it in the same second.</summary>
    private void Profile(int length, IReadOnlyList<CircuitStep> steps)
    {
        var simulator = _simulator.Another();
        using var bench = new Bench(simulator) { StallLimit = StallLimit };
        bench.Send(Frames.OfLength(length), new PortId(0), Start);
        bench.Send(ReadOnlyMemory<byte>.Empty, PortId.None, Start);
        bench.RunUntilIdle(long.MaxValue);
        var cycles = new long[steps.Count];
        bench.Send(Frames.OfLength(length), new PortId(0), Start + Between);
        // As long as a frame behind it would have to wait: longer than it is anywhere.
        for (var i = 0L; i < 2 * _intervals[length] + QuietCycles; i++)
        {
            for (var step = 0; step < cycles.Length; step++)
            {
                if (steps[step].Active is { } active && simulator[active] == 1) cycles[step]++;
            }
            bench.Step();
        }
        _stepCycles[length] = cycles;
    }

    private static (long? First, long? Second) Alone(ManagedSimulator simulator, FrameKind kind)
    {
        using var bench = NewBench(simulator);
        long? Next(ulong time)
        {
            bench.Forget();
            bench.Send(kind.OfLength(LatencyBytes), new PortId(0), time);
            bench.Send(ReadOnlyMemory<byte>.Empty, PortId.None, time);
            bench.RunUntilIdle(long.MaxValue);
            return bench.Latencies() is [var only, ..] ? only.Latency : null;
        }
        return (Next(Start), Next(Start + Between));
    }

    private void Saturate(int length)
    {
        using var bench = NewBench(_simulator);
        for (var i = 0; i < Saturation; i++) bench.Send(Frames.OfLength(length), new PortId(0), Start + (ulong)i * Between);
        bench.Send(ReadOnlyMemory<byte>.Empty, PortId.None, Start + Saturation * Between);
        bench.RunUntilIdle(long.MaxValue);
        // What a tick sends has no source.
        var received = bench.Received.Where(f => f.User.Source != 0).ToList();
        if (received.Count >= Saturation) _answered.Add(length);
        var firstBeats = received.Count == Saturation
            ? received.Select(f => f.FirstBeat).ToList()
            : [.. bench.Source.Sent.Take(Saturation).Select(f => f.FirstBeat!.Value)];
        const int Half = Saturation / 2;
        _intervals[length] = (firstBeats[^1] - firstBeats[Half - 1] + Half - 1) / Half;
    }

    private static Bench NewBench(ManagedSimulator simulator) => new(simulator.Another()) { StallLimit = StallLimit };
}
