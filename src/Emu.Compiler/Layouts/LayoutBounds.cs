namespace Emu.Compiler;

/// <summary>The reasons why a circuit is not faster, found by asking for the next faster one.</summary>
internal sealed class LayoutBounds
{
    private readonly CompiledService _compiled;
    private readonly NoPipelineException? _known;

    /// <summary>Finds the reasons.</summary>
    /// <param name="compiled">The circuit.</param>
    /// <param name="why">The reason that kept it from a pipeline, if it is known.</param>
    public LayoutBounds(CompiledService compiled, NoPipelineException? why)
    {
        (_compiled, _known) = (compiled, why);
        All = [.. compiled.Layout == Layout.Pipeline ? OfPipeline() : OfEngine()];
        var least = Pipeline.LeastInterval(compiled.ForPipeline, compiled.Options, 1);
        LeastInterval = least is null ? null : Math.Max(least.Value, compiled.Options.ShortestBeats);
    }

    /// <summary>The bounds of the interval.</summary>
    public IReadOnlyList<LayoutBound> All { get; }

    /// <summary>The least interval of a pipeline for frames of 60 bytes; null when there is none.</summary>
    public int? LeastInterval { get; }

    private IEnumerable<LayoutBound> OfPipeline()
    {
        var (interval, beats) = (_compiled.Options.Interval, _compiled.Options.ShortestBeats);
        if (beats >= interval)
        {
            var bus = $"the bus: a frame of {HardwareOptions.ShortestFrame} bytes is {beats} beats of {_compiled.Options.BusBits} bits, a beat a cycle";
            yield return new LayoutBound(bus, null, beats) { IsBus = true };
        }
        if (interval == 1) yield break;
        if (Pipeline.WhyNot(_compiled.ForPipeline, _compiled.Options, interval - 1) is { } why)
            yield return new LayoutBound(why.Message, why.Location, interval);
        else if (beats < interval)
            yield return new LayoutBound("the interval that was asked for: there is a pipeline of a shorter one", null, interval);
    }

    private IEnumerable<LayoutBound> OfEngine()
    {
        var why = _known ?? Pipeline.WhyNot(_compiled.ForPipeline, _compiled.Options, _compiled.Options.Interval);
        yield return why is null
            ? new LayoutBound("the layout that was taken: there is a pipeline, too", null)
            : new LayoutBound($"no pipeline: {why.Message}", why.Location);
    }
}
