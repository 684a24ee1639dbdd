using Emu.Compiler;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;

namespace Emu.Simulation;

/// <summary>
/// Measures frames of one kind in the managed simulator: one alone, then many in a row at each length.
/// </summary>
/// <param name="compiled">The circuit.</param>
/// <param name="before">Frames that it has taken before each measurement.</param>
internal sealed class KindMeasurement(CompiledService compiled, IReadOnlyList<TestFrame> before)
{
    /// <summary>
    /// Frames that are counted behind those that fill the circuit; an engine has one frame at a time, and several take
    /// turns.
    /// </summary>
    private const int Counted = 32, CountedOfEngine = 4;

    /// <summary>
    /// Cycles that an engine is counted for, and as many before, where that is more frames: state may make the first
    /// ones quicker, or slower, than those behind them.
    /// </summary>
    private const long CyclesOfEngine = 100_000;

    /// <summary>Beats and frames that a circuit has room for besides its longest frame.</summary>
    private const int RoomInBeats = 64, RoomInFrames = 16;

    private const int CyclesInReset = 4;
    private const long StallLimit = 10_000_000;
    private const ulong Second = 1_000_000_000;
    private const int Margin = 100;

    /// <summary>
    /// Cycles without a frame after which a circuit is done with all of them: an engine takes the null beat behind a
    /// frame when it is done with it, but a slow path may be at work long after, and so may another engine.
    /// </summary>
    private const int QuietCycles = 500, QuietCyclesOfSlowPath = 20_000;

    /// <summary>
    /// Time of the first frame of a measurement, in nanoseconds since 1970, as captures have it: what is done with the
    /// time may take longer the more digits it has.
    /// </summary>
    public const ulong Start = 1_700_000_000 * Second;

    /// <summary>Nanoseconds from one frame to the next.</summary>
    public const ulong Between = 1_000;

    private readonly ManagedSimulator _ready = Ready(compiled, new ManagedSimulator(compiled.Circuit.Design), before);

    /// <summary>The circuit.</summary>
    public CompiledService Compiled => compiled;

    /// <summary>A bench on a circuit that has taken the frames before, and no other.</summary>
    public Bench NewBench() => NewBench(compiled, NewSimulator());

    /// <summary>
    /// A circuit that takes its next frame in the next cycle. After a reset it sets its memories, a word a cycle: that
    /// is waited for once, and not before each measurement.
    /// </summary>
    /// <param name="compiled">The circuit.</param>
    /// <param name="simulator">It at power-up.</param>
    /// <param name="before">Frames that it takes, the last of them just before the first that is measured.</param>
    public static ManagedSimulator Ready(
        CompiledService compiled, ManagedSimulator simulator, IReadOnlyList<TestFrame> before)
    {
        for (var i = 0; i < CyclesInReset; i++) simulator.Step();
        simulator.IsInReset = false;
        while (simulator.Output("s_axis_tready")[0] == 0 && simulator.Cycle < StallLimit) simulator.Step();
        if (before.Count == 0) return simulator;
        var bench = NewBench(compiled, simulator);
        var time = Start - (ulong)before.Count * Between;
        foreach (var frame in before)
        {
            bench.Send(frame.Bytes, frame.Ingress, time);
            time += Between;
        }
        // The first engine is next.
        for (var i = before.Count; i % Engines(compiled) != 0; i++)
            bench.Send(ReadOnlyMemory<byte>.Empty, PortId.None, Start - Between);
        bench.RunUntilIdle(long.MaxValue);
        return simulator;
    }

    private ManagedSimulator NewSimulator() => _ready.Fork() ?? Ready(compiled, _ready.Another(), before);

    /// <summary>A bench on a simulator at power-up, or one without a frame in it.</summary>
    /// <param name="compiled">The circuit.</param>
    /// <param name="simulator">It, simulated.</param>
    public static Bench NewBench(CompiledService compiled, Simulator simulator) => new(simulator)
    {
        StallLimit = StallLimit,
        QuietCycles = compiled.SlowPaths.Count > 0 || compiled.Compilation.TickInterval > 0 || Engines(compiled) > 1
            ? QuietCyclesOfSlowPath
            : QuietCycles,
    };

    /// <summary>Measures.</summary>
    /// <param name="kind">The frames.</param>
    /// <param name="deferred">The reason why they take the slow path; null when they do not.</param>
    /// <param name="lengths">The lengths in a row, the kind's own first.</param>
    /// <param name="observer">Told of each length before it is measured.</param>
    public MeasuredKind Of(
        FrameKind kind, SideExit? deferred, IReadOnlyList<int> lengths, Action<int> observer)
    {
        var path = compiled.Layout == Layout.Engine ? "engine" : deferred is null ? "pipeline" : "slow path";
        observer(kind.Bytes);
        using var bench = NewBench();
        var first = Alone(bench, kind, Start);
        var second = Alone(bench, kind, Start + Between);
        var sent = bench.Received is [var frame, ..] ? frame.Bytes.Length : 0;
        var third = compiled is { DividesTime: true, Compilation.TickInterval: 0 }
            ? Alone(bench, kind, Start + 2 * Second)
            : null;

        MeasuredRow InARowOf(int length)
        {
            observer(length);
            return InARow(kind.OfLength(length), kind.Ingress);
        }

        return new MeasuredKind(kind, deferred, path)
        {
            Latency = second,
            FirstLatency = first,
            NextSecondLatency = third,
            SentBytes = sent,
            Rows = lengths.ToDictionary(length => length, InARowOf),
        };
    }

    /// <summary>
    /// Counts the cycles in which a frame alone is in each of an engine's steps, another having gone before it in the
    /// same second.
    /// </summary>
    /// <param name="kind">The frames.</param>
    /// <param name="length">The bytes of each frame.</param>
    /// <param name="duration">Cycles that an engine has for one of them.</param>
    public IReadOnlyList<long> Profile(FrameKind kind, int length, long duration)
    {
        var another = NewSimulator();
        using var bench = NewBench(compiled, another);
        SendAlone(bench, compiled, kind.OfLength(length), kind.Ingress, Start);
        var steps = compiled.Circuit.Steps;
        var cycles = new long[steps.Count];
        bench.Send(kind.OfLength(length), kind.Ingress, Start + Between);
        // As long as a frame behind it would have to wait: longer than it is anywhere.
        for (var i = 0L; i < 2 * duration + Margin; i++)
        {
            for (var step = 0; step < cycles.Length; step++)
            {
                if (steps[step].Active is { } active && another[active] == 1) cycles[step]++;
            }
            bench.Step();
        }
        return cycles;
    }

    /// <summary>
    /// For each of some frames the cycles by which it delays all behind it when it takes the place of one of a kind:
    /// its own, those of frames that have to go the same way, and those until the pipeline is full again, less those of
    /// the one replaced.
    /// </summary>
    /// <param name="kind">The frames before and behind it.</param>
    /// <param name="frames">The frames.</param>
    public IReadOnlyList<long> CostsAmong(FrameKind kind, IReadOnlyList<FrameKind> frames)
    {
        if (frames.Count == 0) return [];
        var without = CyclesAround(kind, kind);
        return [.. frames.Select(frame => CyclesAround(frame, kind) - without)];
    }

    private long CyclesAround(FrameKind middle, FrameKind kind)
    {
        var around = FramesToFill(kind.Bytes);
        using var bench = NewBench();
        for (var i = 0; i <= 2 * around; i++)
        {
            var next = i == around ? middle : kind;
            bench.Send(next.Frame, next.Ingress, Start + (ulong)i * Between);
        }
        bench.RunUntilIdle(long.MaxValue);
        return bench.Source.Sent[^1].FirstBeat!.Value - bench.Source.Sent[0].FirstBeat!.Value;
    }

    /// <summary>Frames after which a circuit is as full as it gets, so that those behind them go at its pace.</summary>
    /// <param name="bytes">The bytes of a frame.</param>
    public int FramesToFill(int bytes)
    {
        if (compiled.Layout == Layout.Engine) return CountedOfEngine * Engines(compiled);
        var lanes = compiled.Options.BusBits / 8;
        var beats = (bytes + lanes - 1) / lanes;
        // The FIFO has a power of two of places.
        return 2 * ((compiled.Options.Mtu + lanes - 1) / lanes + RoomInBeats) / beats + RoomInFrames;
    }

    /// <summary>The engines that take turns; 1 of a pipeline.</summary>
    public static int Engines(CompiledService compiled) =>
        compiled.Layout == Layout.Engine ? compiled.Options.Engines : 1;

    /// <summary>
    /// Sends a frame, and behind it beats that only carry time: when they are taken, one engine is done with the frame,
    /// and of several the next frame goes to the same one.
    /// </summary>
    public static void SendAlone(
        Bench bench, CompiledService compiled, ReadOnlyMemory<byte> frame, PortId ingress, ulong time)
    {
        bench.Send(frame, ingress, time);
        for (var i = Math.Max(1, Engines(compiled) - 1); i > 0; i--)
            bench.Send(ReadOnlyMemory<byte>.Empty, PortId.None, time);
        bench.RunUntilIdle(long.MaxValue);
    }

    private long? Alone(Bench bench, FrameKind kind, ulong time)
    {
        bench.Forget();
        SendAlone(bench, compiled, kind.Frame, kind.Ingress, time);
        return bench.Latencies() is [var only, ..] ? only.Latency : null;
    }

    private MeasuredRow InARow(byte[] frame, PortId ingress)
    {
        if (compiled.Layout == Layout.Engine)
        {
            var turns = CountedOfEngine * Engines(compiled);
            var few = InARow(frame, ingress, turns, turns);
            var enough = (int)Math.Min(Pace.Enough, CyclesOfEngine / few.Interval);
            return enough <= turns ? few : InARow(frame, ingress, enough, enough);
        }
        return InARow(frame, ingress, FramesToFill(frame.Length), Counted);
    }

    private MeasuredRow InARow(byte[] frame, PortId ingress, int filling, int counted)
    {
        using var bench = NewBench();
        var count = filling + counted;
        for (var i = 0; i < count; i++) bench.Send(frame, ingress, Start + (ulong)i * Between);
        bench.Send(ReadOnlyMemory<byte>.Empty, PortId.None, Start + (ulong)count * Between);
        bench.RunUntilIdle(long.MaxValue);
        // Frames whose time a tick sends have no source.
        var allLeft = bench.Received.Count(f => f.User.Source != 0) >= count;
        List<long> intervals = [.. bench.IntervalsIn().TakeLast(counted)];
        if (Pace.Of(intervals) is { } pace) return new MeasuredRow(filling, counted, pace, allLeft);
        if (compiled.Layout != Layout.Engine)
        {
            if (counted < Pace.Enough) return InARow(frame, ingress, filling, Pace.Enough);
            // A run of several fills queues more slowly.
            if (filling < Pace.LongFilling) return InARow(frame, ingress, Pace.LongFilling, counted);
        }
        // Where no run of them comes again no frame is promised less than the longest.
        return new MeasuredRow(filling, counted, intervals.Max(), allLeft);
    }
}
