using Emu.Compiler;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Reports;
using Emu.Compiler.Verilog;
using Emu.Simulation;

namespace Emu.Tool;

/// <summary>Puts together what the compiler knows of a circuit and what was measured.</summary>
internal static class ReportBuilder
{
    /// <summary>The report.</summary>
    /// <param name="measured">The circuit, measured.</param>
    /// <param name="arguments">The service's.</param>
    /// <param name="mostLuts">LUTs above which it says what they are needed for.</param>
    /// <param name="other">The other layout, if it was measured with the same frames and took more cycles.</param>
    public static CompileReport Of(
        Measurement measured, IReadOnlyList<string> arguments, int mostLuts, Measurement? other = null)
    {
        var compiled = measured.Compiled;
        var (design, options) = (compiled.Circuit.Design, compiled.Options);
        var top = VerilogPrinter.ModuleName(design);
        var costs = Cost.Of(compiled.Circuit);
        var resources = Resources.Of(design, costs);
        return new CompileReport
        {
            Service = compiled.Service,
            Arguments = arguments,
            Top = top,
            Files = [$"{top}.v"],
            BusBits = options.BusBits,
            Ports = options.Ports,
            Mtu = options.Mtu,
            Device = options.Device.Name,
            ClockMhz = options.ClockMHz,
            LogicPicoseconds = (long)options.LogicTime,
            LogicLevels = options.Levels,
            Layout = NameOf(compiled.Layout),
            Engines = options.Engines,
            OneMoreEngine = measured.OneMoreEngine,
            LatencyCycles = measured.Main.Latency,
            IntervalCycles = measured.Main.Intervals,
            Measurement = NoteOf(measured),
            SlowPath = [.. compiled.SlowPaths.Select(path => SlowPathOf(measured, path))],
            BoundedBy = [.. Bounds(measured, other).Select(BoundOf)],
            Stages = Stage.Of(design),
            Steps = Step.Of(compiled.Circuit, measured.StepCycles),
            Costs = costs,
            Resources = resources,
            Modules = [.. design.Cores.Select(core => core.Core.Module)],
            Registers = compiled.Circuit.Registers,
            Diagnostics =
            [
                .. CircuitWarnings.OfSize(compiled.Circuit, resources.Luts, mostLuts),
                .. CircuitWarnings.OfTiming(compiled.Circuit, options),
            ],
        };
    }

    /// <summary>A layout as users name it.</summary>
    public static string NameOf(Layout layout) => $"{layout}".ToLowerInvariant();

    /// <summary>
    /// The causes that keep the measured frames from coming closer:
    /// only those that explain the cycles that were counted.
    /// </summary>
    public static IEnumerable<LayoutBound> Bounds(Measurement measured, Measurement? other)
    {
        var (compiled, main) = (measured.Compiled, measured.Main);
        if (other is not null) yield return SlowerThan(other);
        if (compiled.Layout == Layout.Engine)
        {
            // These bounds tell why there is no pipeline; they are left out if there is one.
            if (other is null) foreach (var bound in compiled.Bounds) yield return bound;
            foreach (var bound in LongestSteps(compiled.Circuit, measured)) yield return bound;
            yield return MoreEngines(measured);
            yield break;
        }
        if (main.Deferred is { } deferred)
        {
            yield return new LayoutBound($"these frames take the slow path: {deferred.Reason}", deferred.Location);
            yield break;
        }
        var beats = Beats(compiled, Math.Max(main.Kind.Bytes, main.SentBytes));
        if (main.Interval == beats)
        {
            var way = main.SentBytes > main.Kind.Bytes ? "leaves as" : "is";
            yield return new LayoutBound(
                $"the bus: a frame of {main.Kind.Bytes} bytes {way} {beats} beats of {compiled.Options.BusBits} bits, "
                + "a beat a cycle", null);
        }
        foreach (var bound in compiled.Bounds.Where(bound =>
            bound is { Interval: { } interval, IsBus: false } && interval == main.Interval))
            yield return bound;
        // A loop over the payload costs the frames that come to it as many cycles as it has turns to do.
        if (main.Interval <= Math.Max(beats, compiled.Options.Interval)) yield break;
        foreach (var bound in compiled.Bounds.Where(bound => bound is { Interval: null, IsBus: false }))
            yield return bound;
    }

    private static int Beats(CompiledService compiled, int bytes) =>
        (bytes + compiled.Options.BusBits / 8 - 1) / (compiled.Options.BusBits / 8);

    /// <summary>The other layout was tried with the same frames.</summary>
    private static LayoutBound SlowerThan(Measurement other)
    {
        var frames = other.Traffic.Frames.Count;
        var slow = other.Kinds.Where(kind => kind.Deferred is not null).ToList();
        var why = slow.FirstOrDefault()?.Deferred is { } deferred
            ? $": {slow.Sum(kind => kind.Kind.Frames)} of {frames} take its slow path, {deferred.Reason}"
            : "";
        var location = slow.FirstOrDefault()?.Deferred?.Location;
        var what = other.Compiled.Layout == Layout.Engine ? "an engine" : "a pipeline";
        var these = frames == 1 ? "this frame" : $"these {frames} frames";
        return new LayoutBound($"{what} takes {other.Cycles} cycles for {these}{why}", location);
    }

    private static Bound BoundOf(LayoutBound bound)
    {
        var own = bound.Location?.Own;
        var within = own == bound.Location ? "" : $"; in {bound.Location}";
        return new Bound(own?.File ?? "", own?.Line ?? 0, bound.What + within, WaysFaster.For(bound.What) ?? "");
    }

    /// <summary>The states in which most of an engine's cycles go, for each length that was looked at.</summary>
    private static IEnumerable<LayoutBound> LongestSteps(Circuit circuit, Measurement measured)
    {
        foreach (var (length, cycles) in measured.StepCycles)
        {
            var longest = cycles.Max();
            var step = circuit.Steps[cycles.ToList().IndexOf(longest)];
            var own = step.Operations.Select(o => o.Location?.Own).FirstOrDefault(l => l is { Line: > 0 });
            var most = longest <= 1 ? "a cycle each"
                : own is null ? $"{longest} of them in one"
                : $"{longest} of them in one that begins here";
            var (each, all) = measured.Compiled.Options.Engines is > 1 and var engines
                ? ($" in each of {engines} engines", engines * measured.Main.Intervals[length])
                : ("", measured.Main.Intervals[length]);
            yield return new LayoutBound(
                $"one frame at a time{each}: of the {all} cycles of a frame of {length} bytes {cycles.Sum()} are "
                + $"in the program's states, {most}",
                longest <= 1 ? null : own);
        }
    }

    /// <summary>The gain of one more engine, or the reason why there cannot be one.</summary>
    private static LayoutBound MoreEngines(Measurement measured)
    {
        var compiled = measured.Compiled;
        if (measured.OneMoreEngine is not { } more) return compiled.EngineObstacle!;
        var gain = more.IntervalCycles < measured.Main.Interval
            ? $"every {more.IntervalCycles} cycles instead of {measured.Main.Interval}"
            : $"no sooner than every {measured.Main.Interval} cycles";
        return new LayoutBound(
            $"{(more.Engines == 2 ? "an engine" : $"{more.Engines - 1} engines")} in turn: one more engine takes a "
            + $"frame of {measured.Main.Kind.Bytes} bytes {gain}, for about {more.Luts:N0} LUT", null);
    }

    private static SlowPathNote SlowPathOf(Measurement measured, SideExit path)
    {
        bool Is(SideExit? other) => other?.Reason == path.Reason && other.Location?.Own == path.Location?.Own;
        var kinds = measured.Kinds.Where(kind => Is(kind.Deferred)).ToList();
        var frames = kinds.Sum(kind => kind.Kind.Frames);
        var own = path.Location?.Own;
        return new SlowPathNote(
            own?.File ?? "", own?.Line ?? 0, path.Reason, frames,
            Math.Round((double)frames / measured.Traffic.Frames.Count, 4),
            kinds.FirstOrDefault()?.Interval,
            measured.Deferred.FirstOrDefault(cost => Is(cost.Deferred))?.Cycles);
    }

    private static MeasurementNote NoteOf(Measurement measured)
    {
        var main = measured.Main;
        return new MeasurementNote(
            "managed",
            measured.Traffic.IsGiven ? $"{main.Kind.Name}, of {measured.Traffic.Origin}" : main.Kind.Name,
            main.Kind.Bytes,
            main.FirstLatency,
            main.NextSecondLatency,
            main.Answered,
            measured.Traffic.Frames.Count,
            measured.Cycles,
            [.. measured.Kinds.Select(k =>
                new KindNote(k.Kind.Name, k.Kind.Bytes, k.Kind.Frames, k.Latency, k.Intervals, k.Path))],
            "latency: first beat in to first beat out of a frame alone, "
            + "another having gone before it in the same second; "
                + "interval: first beat to first beat of equal frames on port 0, one behind the other, "
                + "the sink always ready, "
                + "rounded up; cycles: all frames in their order, in the same way");
    }
}
