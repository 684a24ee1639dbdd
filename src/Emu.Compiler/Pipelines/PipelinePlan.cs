using Emu.Compiler.Layouts;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Pipelines;

/// <summary>The event of a frame, spread over stages.</summary>
/// <param name="Event">What it does.</param>
/// <param name="Inputs">The values that it begins with.</param>
/// <param name="Stages">The stages of what it does.</param>
/// <param name="Forwarding">The writes of frames ahead that it sees forwarded.</param>
/// <param name="Hazards">The rows for which a frame waits that frames ahead may write.</param>
/// <param name="LeastInterval">The cycles that frames keep between them for the state that they share.</param>
internal sealed record PipelinePlan(
    PipelineEvent Event, EventInputs Inputs, StagePlan Stages, Forwarding Forwarding, IReadOnlyList<RowHazard> Hazards,
    int LeastInterval)
{
    /// <summary>The memories of a hazard, and the interval of frames that meet in one of its rows.</summary>
    public IEnumerable<CircuitInterlock> InterlocksAt(RowHazard hazard) => hazard.Memories.Select(memory =>
        new CircuitInterlock(
            memory, Stages.LastHazardous(hazard) - Stages.IssueStage + 2,
            Event.Dataflow.Accesses.Last(access => access.Element == memory && access.IsWrite).Location));

    /// <summary>
    /// Finds stages for the event of a frame. It is followed anew, with more writes forwarded to it, until that is
    /// enough.
    /// </summary>
    /// <returns>The plan, or else the reason for which there is none.</returns>
    public static (PipelinePlan? Plan, PipelineObstacle? Obstacle) Find(PipelineDesign design)
    {
        var forwarding = new Forwarding();
        var interlock = new Interlock(design.Interlocks);
        var inputs = new EventInputs(design, forwarding);
        StateLoops? loops = null;
        while (true)
        {
            var frame = new PipelineEvent(design, inputs);
            if (frame.Obstacle() is { } obstacle) return (null, obstacle);
            loops ??= new StateLoops(frame.Dataflow, inputs.RegisterOf);
            var search = new StageSearch(design, frame, inputs, forwarding, interlock, loops);
            if (search.Obstacle is not null) return (null, search.Obstacle);
            if (search.IsOutgrown) continue;
            if (!search.Stages.ClosesInTime)
            {
                design.Compilation.FramesFollow = true;
                return (null, new PipelineObstacle("frames follow a deferred one before that is known", null));
            }
            var interval = Math.Max(search.LeastInterval, search.Stages.IntervalToClose);
            var plan = new PipelinePlan(frame, inputs, search.Stages, forwarding, search.Hazards, interval);
            return (plan, null);
        }
    }
}
