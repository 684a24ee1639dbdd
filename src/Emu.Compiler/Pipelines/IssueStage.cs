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
        var meets = plan.Hazards.GroupBy(Rows, RowsComparer.Instance).SelectMany(Meets).ToList();
        var holds = n.AddWire(
            "meets_ahead", n.ReduceOr(meets), "a frame ahead may write a row that the next one reads");
        queue.Build(stages.Passes(first - 1), n.Not(n.ReduceOr([.. isNear, holds])));
    }

    private static (IReadOnlyList<Value> Read, IReadOnlyList<Value> Written) Rows(RowHazard hazard) =>
        (hazard.Read, hazard.Written);

    /// <summary>The bits that say of memories with the same rows in which stages a frame meets the next.</summary>
    private IEnumerable<Value> Meets(
        IGrouping<(IReadOnlyList<Value> Read, IReadOnlyList<Value> Written), RowHazard> hazards)
    {
        var (n, first) = (design.Netlist, plan.Stages.IssueStage);
        var mayWrite = n.ReduceOr(hazards.Select(hazard => hazard.MayWrite).Distinct());
        for (var stage = first; stage <= hazards.Max(hazard => plan.Stages.LastHazardous(hazard.Memory)); stage++)
        {
            var ahead = hazards.Key.Written.Select(row => stages.In(row, stage)).ToList();
            var next = hazards.Key.Read.Select(row => queue.Head(stages.In(row, first - 1)));
            var isSame = n.ReduceOr(next.SelectMany(row => ahead.Select(other => n.Equal(row, other))));
            stages.Continue(stage);
            yield return n.And(n.And(stages.Occupied(stage)!, stages.In(mayWrite, stage)), isSame);
        }
    }

    private sealed class RowsComparer : IEqualityComparer<(IReadOnlyList<Value> Read, IReadOnlyList<Value> Written)>
    {
        public static RowsComparer Instance { get; } = new();

        public bool Equals(
            (IReadOnlyList<Value> Read, IReadOnlyList<Value> Written) one,
            (IReadOnlyList<Value> Read, IReadOnlyList<Value> Written) other) =>
            one.Read.SequenceEqual(other.Read) && one.Written.SequenceEqual(other.Written);

        public int GetHashCode((IReadOnlyList<Value> Read, IReadOnlyList<Value> Written) rows) =>
            HashCode.Combine(rows.Read.Count, rows.Written.Count);
    }
}
