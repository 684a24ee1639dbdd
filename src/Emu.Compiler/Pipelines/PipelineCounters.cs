using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;

namespace Emu.Compiler.Pipelines;

/// <summary>The counters of a pipeline: what passes its stages, and what its slow path does.</summary>
internal sealed class PipelineCounters(PipelineDesign design, PipelinePlan plan, PipelineStages stages)
{
    private readonly Netlist _n = design.Netlist;

    /// <summary>Connects them.</summary>
    public void Build(PipelineExit exit)
    {
        var (n, header, control) = (_n, design.Header, design.Control);
        var slow = exit.MakeSlowEvents();
        var isNull = n.Equal(header.Length, FoldingBuilder.Zero(StreamUserLayout.LengthBits));
        control.AddCounter("frames_in", "frames received", n.And(header.Start, n.Not(isNull)));
        control.AddCounter(
            "frames_out", "frames that left", SumLater("frame_left", exit.Fifo.FrameLeaves, slow?.FramesOut));
        stages.Continue(stages.Verdict);
        var passes = stages.Passes(stages.Verdict);
        var drops = n.And(n.And(passes, n.Not(stages.In(isNull, stages.Verdict))), exit.IsDropped);
        control.AddCounter(
            "drops",
            "frames that did not leave by their verdict: dropped, faulted, too long or too short",
            SumLater("frame_dropped", drops, slow?.Drops));
        var faults = plan.Event.Dataflow.Faults;
        foreach (var kind in faults.Keys.Union(slow?.Faults.Keys ?? []).Order())
        {
            var slowly = slow?.Faults.GetValueOrDefault(kind);
            var raised = faults.TryGetValue(kind, out var condition)
                ? Counted(condition, $"fault_{Netlist.SnakeCase($"{kind}")}", isSummed: slowly is not null)
                : FoldingBuilder.Bit(false);
            control.AddCounter($"fault_{kind}", $"frames dropped by a fault: {kind}", Sum(raised, slowly));
        }
        var counts = plan.Event.Dataflow.Counts.ToDictionary(c => c.Register, c => c.Amount);
        foreach (var register in counts.Keys.Union(slow?.Counts.Keys ?? [])
            .OrderBy(r => r.Name, StringComparer.Ordinal))
        {
            var slowly = slow?.Counts.GetValueOrDefault(register);
            var counted = counts.TryGetValue(register, out var amount)
                ? Counted(amount, Netlist.SnakeCase(ServiceState.NameOf(register)), isSummed: slowly is not null)
                : FoldingBuilder.Bit(false);
            Add(register, counted, slowly);
        }
    }

    private void Add(Register register, Value counted, Value? slowly)
    {
        var both = Sum(counted, slowly);
        // Both in one cycle are rare: where they are of one bit there is room for that.
        var isRare = counted.Width == 1 && slowly is { Width: 1 } && !IsRepeated(register);
        design.Control.AddCounter(register, both, isRare ? 1 : both.Width);
    }

    /// <summary>The amounts of both paths, which can count in one cycle.</summary>
    private Value Sum(Value fast, Value? slowly)
    {
        if (slowly is null) return fast;
        var width = Math.Min(CounterBank.Bits, Math.Max(fast.Width, slowly.Width) + 1);
        return _n.Add(_n.Resize(fast, width), _n.Resize(slowly, width));
    }

    /// <summary>The same, a cycle later where one has no time for both what happens in the stages and a sum.</summary>
    private Value SumLater(string name, Value fast, Value? slowly) =>
        Sum(slowly is not null && design.Options.IsFast ? _n.Registered(name, fast, 0) : fast, slowly);

    /// <summary>
    /// The amount that a frame adds as it passes the stage where that is known, or 1 if a condition holds of it;
    /// 0 if none passes.
    /// </summary>
    private Value Counted(Value amount, string name, bool isSummed)
    {
        var stage = plan.Stages.StageOfCount(amount);
        stages.Continue(stage);
        var counted = _n.Select(stages.Counts(stage), stages.In(amount, stage), FoldingBuilder.Zero(amount.Width));
        return isSummed && !HasRoomForSum(amount, stage) ? _n.Registered($"{name}_amount", counted, 0) : counted;
    }

    /// <summary>
    /// True if an amount can be added to the slow path's in the stage where it is known: numbers of several bits have a
    /// cycle of their own for that.
    /// </summary>
    private bool HasRoomForSum(Value amount, int stage)
    {
        if (amount.Width > 1 || design.Options.IsFast) return false;
        var (known, level) = plan.Stages.Schedule.At(amount);
        var before = known == stage ? level : 0;
        return before + 2 * Delays.Gate + design.Delays.LevelsOfSum(2) <= design.Budget.Logic;
    }

    /// <summary>
    /// True if both paths may count a register in cycle after cycle: frames come in each, and the slow path's program
    /// counts it often.
    /// </summary>
    private bool IsRepeated(Register register)
    {
        bool HasCount(Block block) => block.Operations.Exists(o => o.Opcode == Opcode.Count && o.State[0] == register);
        return plan.LeastInterval == 1 && design.Compilation.SlowPath.Any(slow =>
            Loop.All(slow).Exists(loop => loop.Body.Any(HasCount))
            || slow.Blocks().Count(HasCount) >= CounterBank.MinTurns);
    }
}
