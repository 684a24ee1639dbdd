using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Units;

namespace Emu.Compiler.Pipelines;

/// <summary>
/// Decides when a frame leaves an issue queue: the results of loops over its payload are there, and the next queue has
/// room; behind the last, none ahead is too near, and none that is in the stages may yet write a row that it reads.
/// </summary>
/// <param name="design">The pipeline.</param>
/// <param name="plan">The stages of values.</param>
/// <param name="stages">The stages.</param>
/// <param name="number">The number of the queue.</param>
/// <param name="queue">The queue in front of them.</param>
internal sealed class IssueStage(
    PipelineDesign design, PipelinePlan plan, PipelineStages stages, int number, IssueQueue queue)
{
    private bool IsLast => number == plan.Stages.Queues;

    /// <summary>Connects the queue.</summary>
    /// <param name="hasRoom">True if there is room for a frame in the next one.</param>
    public void Build(Value hasRoom)
    {
        var (n, first) = (design.Netlist, plan.Stages.IssueStageOf(number));
        var isNear = Enumerable.Range(first, IsLast ? plan.LeastInterval - 1 : 0)
            .Select(stage => (Value)stages.Occupied(stage)!);
        var isHere = plan.Event.Checksums.Serial.Where(unit => plan.Event.Order.WalkOf(unit) == number)
            .Select(unit => unit.HasResult).ToList();
        var mayIssue = isHere.Aggregate(n.And(hasRoom, n.Not(n.ReduceOr([.. isNear, Waits()]))), n.And);
        queue.Build(stages.Passes(first - 1), mayIssue);
    }

    /// <summary>1 if a frame that is in the stages may yet write a row that the next one reads.</summary>
    private Value Waits()
    {
        if (!IsLast || plan.Hazards.Count == 0) return FoldingBuilder.Bit(false);
        var (n, first) = (design.Netlist, plan.Stages.IssueStage);
        var last = plan.Hazards.Max(plan.Stages.LastHazardous);
        // Rows are compared a cycle before: then a frame ahead is in the stage before that in which it counts.
        var meets = n.ReduceOr(Enumerable.Range(first, last - first).Select(stage => Meets(stage, queue.Coming)));
        var waits = n.Registered("meets_ahead", meets, 0);
        // The frame that has just gone on was not yet in a stage then.
        return plan.LeastInterval == 1 ? n.Or(waits, Meets(first, queue.Head)) : waits;
    }

    /// <summary>1 if a frame in a stage may write a row that another may read.</summary>
    private Value Meets(int stage, Func<Value, Value> another)
    {
        var (n, before) = (design.Netlist, plan.Stages.IssueStage - 1);
        var pairs = plan.Hazards.Where(hazard => plan.Stages.LastHazardous(hazard) >= stage)
            .SelectMany(hazard => hazard.Read.SelectMany(read => hazard.Written.Select(written => (read, written))));
        var same = pairs.Select(pair => n.And(
            n.And(another(stages.In(pair.read.When, before)), stages.In(pair.written.When, stage)),
            n.Equal(another(stages.In(pair.read.Index, before)), stages.In(pair.written.Index, stage)))).ToList();
        stages.Continue(stage);
        return n.And(stages.Occupied(stage)!, n.ReduceOr(same));
    }
}
