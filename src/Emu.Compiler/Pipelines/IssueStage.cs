using Emu.Compiler.IR;
using Emu.Compiler.Units;

namespace Emu.Compiler.Pipelines;

/// <summary>
/// Decides when a frame leaves the issue queue: none ahead is too near, and none that is in the stages may yet write a
/// row that it reads.
/// </summary>
/// <param name="design">The pipeline.</param>
/// <param name="plan">The stages of values.</param>
/// <param name="stages">The stages.</param>
/// <param name="queue">The queue in front of them.</param>
internal sealed class IssueStage(PipelineDesign design, PipelinePlan plan, PipelineStages stages, IssueQueue queue)
{
    /// <summary>Connects the queue.</summary>
    public void Build()
    {
        var (n, first) = (design.Netlist, plan.Stages.IssueStage);
        var isNear = Enumerable.Range(first, plan.LeastInterval - 1).Select(stage => (Value)stages.Occupied(stage)!);
        var meets = Enumerable.Range(first, LastHazardous() - first + 1).Select(Meets).ToList();
        var holds = n.AddWire(
            "meets_ahead", n.ReduceOr(meets), "a frame ahead may write a row that the next one reads");
        queue.Build(stages.Passes(first - 1), n.Not(n.ReduceOr([.. isNear, holds])));
    }

    private int LastHazardous() => plan.Hazards.Max(plan.Stages.LastHazardous);

    /// <summary>1 if a frame in a stage may write a row that the next one may read.</summary>
    private Value Meets(int stage)
    {
        var (n, first) = (design.Netlist, plan.Stages.IssueStage);
        var pairs = plan.Hazards.Where(hazard => plan.Stages.LastHazardous(hazard) >= stage)
            .SelectMany(hazard => hazard.Read.SelectMany(read => hazard.Written.Select(written => (read, written))));
        var same = pairs.Select(pair => n.And(
            n.And(Next(pair.read.When), stages.In(pair.written.When, stage)),
            n.Equal(Next(pair.read.Index), stages.In(pair.written.Index, stage)))).ToList();
        stages.Continue(stage);
        return n.And(stages.Occupied(stage)!, n.ReduceOr(same));

        Value Next(Value value) => queue.Head(stages.In(value, first - 1));
    }
}
