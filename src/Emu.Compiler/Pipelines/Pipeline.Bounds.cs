using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Pipelines;

internal sealed partial class Pipeline
{
    /// <summary>
    /// The least interval, from one on, at which no object of the state is read too early;
    /// null when something else forbids every pipeline.
    /// </summary>
    /// <param name="compilation">The service, through the passes.</param>
    /// <param name="options">The device.</param>
    /// <param name="from">The first that is tried.</param>
    public static int? LeastInterval(Compilation compilation, HardwareOptions options, int from)
    {
        for (var interval = from; interval <= MaxStages; interval++)
        {
            var why = WhyNot(compilation, options, interval);
            if (why is null) return interval;
            if (!why.IsRecurrence) return null;
        }
        return null;
    }

    /// <summary>The reason that forbids a pipeline with an interval; null when nothing does.</summary>
    public static NoPipelineException? WhyNot(Compilation compilation, HardwareOptions options, int interval)
    {
        try
        {
            Build(compilation, options, "Trial", interval);
            return null;
        }
        catch (NoPipelineException exception)
        {
            return exception;
        }
    }

    /// <summary>
    /// A state object whose write of one frame comes too late for the read of the next, wherever both are.
    /// </summary>
    private NoPipelineException Recurrence(StateElement element)
    {
        var read = LocationOf(element, isWrite: false);
        var from = read is { Line: > 0 } ? $", read at {Path.GetFileName(read.File)}:{read.Line}," : "";
        return new NoPipelineException(
            $"{element.Name}{from} is written {_interval} or more cycles after it is read, "
            + "and the next frame may need it", LocationOf(element, isWrite: true))
        {
            IsRecurrence = true,
        };
    }

    /// <summary>More would be forwarded than the options allow.</summary>
    private NoPipelineException TooMuchForwarded(Memory memory) => new(
        $"{memory.Name}{(_ahead.Count > 1 ? $" and {_ahead.Count - 1} more are" : " is")} read before the frame ahead "
        + "has written there, and more than "
        + $"{_options.MaxForwardedBits} bits would have to be forwarded; --interval {_interval} has that forwarded",
        LocationOf(memory, isWrite: true))
    {
        IsRecurrence = true,
        IsCost = true,
    };

    private SourceLocation? LocationOf(StateElement element, bool isWrite) =>
        _dataflow.Accesses.LastOrDefault(access => access.Element == element && access.IsWrite == isWrite)?.Location;
}
