using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Compiler.Pipelines;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler;

/// <summary>The reasons why a circuit is not faster, found by asking for the next faster one.</summary>
internal sealed class LayoutBounds
{
    /// <summary>The name of circuits that only show whether there is one.</summary>
    private const string Trial = "Trial";

    private readonly Compilation _forPipeline;
    private readonly HardwareOptions _options;
    private readonly PipelineObstacle? _known;
    private readonly IReadOnlyList<CircuitInterlock> _interlocks;
    private readonly IReadOnlyList<CircuitLoop> _loops;

    /// <summary>Finds the reasons.</summary>
    /// <param name="layout">The layout of the circuit.</param>
    /// <param name="options">Its device.</param>
    /// <param name="forPipeline">The service, split as for a pipeline.</param>
    /// <param name="known">The reason for which it is no pipeline, if that is known.</param>
    /// <param name="leastInterval">The least interval of a pipeline, if that is known.</param>
    /// <param name="circuit">The circuit of a pipeline.</param>
    public LayoutBounds(
        Layout layout,
        HardwareOptions options,
        Compilation forPipeline,
        PipelineObstacle? known,
        int? leastInterval = null,
        Circuit? circuit = null)
    {
        (_forPipeline, _options, _known) = (forPipeline, options, known);
        (_interlocks, _loops) = (circuit?.Interlocks ?? [], circuit?.Loops ?? []);
        All = [.. layout == Layout.Pipeline ? OfPipeline() : OfEngine()];
        leastInterval ??= Pipeline.FastestInterval(forPipeline, options, Trial, 1);
        LeastInterval = leastInterval is { } interval ? Math.Max(interval, options.ShortestBeats) : null;
    }

    /// <summary>The bounds of the interval.</summary>
    public IReadOnlyList<LayoutBound> All { get; }

    /// <summary>The least interval of a pipeline for frames of 60 bytes; null when there is none.</summary>
    public int? LeastInterval { get; }

    private IEnumerable<LayoutBound> OfPipeline()
    {
        var (interval, beats) = (_options.Interval, _options.ShortestBeats);
        if (beats >= interval)
        {
            var bus =
                $"the bus: a frame of {FrameLength.Shortest} bytes is {beats} beats of "
                + $"{_options.BusBits} bits, a beat a cycle";
            yield return new LayoutBound(bus, null, beats) { IsBus = true };
        }
        if (_interlocks.MaxBy(interlock => interlock.Interval) is { } waits)
            yield return new LayoutBound(
                $"a frame that uses a row of {waits.Memory.Name} as one ahead waits until that has written; they enter "
                + $"{waits.Interval} cycles apart", waits.Location, waits.Interval);
        foreach (var loop in _loops)
            yield return new LayoutBound(
                $"a loop over the payload takes {loop.Rate}, since its turns need the one before", loop.Location);
        if (interval == 1) yield break;
        if (Pipeline.Obstacle(_forPipeline, _options, Trial, interval - 1, _interlocks.Count > 0) is { } why)
            yield return new LayoutBound(why.Reason, why.Location, interval);
        else if (beats < interval)
            yield return new LayoutBound(
                "the interval that was asked for: there is a pipeline of a shorter one", null, interval);
    }

    private IEnumerable<LayoutBound> OfEngine()
    {
        var why = _known ?? Pipeline.Obstacle(_forPipeline, _options, Trial, _options.Interval);
        yield return why is null
            ? new LayoutBound("the layout that was taken: there is a pipeline, too", null)
            : new LayoutBound($"no pipeline: {why.Reason}", why.Location);
    }
}
