using Emu.Compiler.Engines;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;

namespace Emu.Compiler.Pipelines;

/// <summary>The way of a frame behind its verdict: it leaves as it is to, or goes to the slow path.</summary>
internal sealed class PipelineExit
{
    /// <summary>Levels that the FIFO adds behind a verdict.</summary>
    private const int VerdictLevels = 2 * Delays.Level;

    private readonly PipelineDesign _design;
    private readonly PipelineEvent _event;
    private readonly PipelineStages _stages;
    private readonly Value _clears;
    private Engine? _slow;

    /// <summary>Connects the frame FIFO.</summary>
    /// <param name="design">The pipeline.</param>
    /// <param name="plan">Its stages.</param>
    /// <param name="stages">The stages in the circuit.</param>
    /// <param name="clears">1 while the circuit is reset.</param>
    public PipelineExit(PipelineDesign design, PipelinePlan plan, PipelineStages stages, Value clears)
    {
        (_design, _event, _stages, _clears) = (design, plan.Event, stages, clears);
        var (n, fifo, verdict) = (design.Netlist, design.Fifo, stages.Verdict);
        fifo.HoldBeats(verdict);
        var isTooLong = _event.Checksums.Payload.Count > 0 ? fifo.HoldFrames(verdict) : FoldingBuilder.Bit(false);
        stages.Continue(verdict);
        var fits = n.Not(stages.OfLastBeat("too_long", isTooLong, verdict));
        var admits = n.And(Now(_event.Admits), fits);
        var egress = n.AddWire(
            "egress", n.Select(admits, Now(_event.Egress), FoldingBuilder.Zero(HardwareOptions.MaxPorts)));
        var isSlow = n.Or(n.And(Now(_event.IsSlow), fits), Now(_event.IsDue));
        var rewriter = new HeaderRewriter(
            n,
            design.Options.Lanes,
            [.. _event.Dataflow.Bytes.Select(b => (b.Offset, Now(b.Condition), Now(b.Byte)))]);
        Fifo = fifo.Build(
            stages.Passes(verdict), egress, rewriter, Resizer(),
            design.Compilation.Slow is null ? null : new SlowPath(isSlow, IsWriting(), MakeSlowPath));
        IsDropped = n.And(n.Equal(egress, FoldingBuilder.Zero(egress.Width)), n.Not(isSlow));
    }

    /// <summary>The signals of the FIFO.</summary>
    public FrameFifoSignals Fifo { get; }

    /// <summary>True if the frame of the verdict leaves neither here nor by the slow path.</summary>
    public Value IsDropped { get; }

    /// <summary>Makes the events that the slow path counts; null if there is none.</summary>
    public EngineEvents? MakeSlowEvents() => _slow?.MakeEvents();

    /// <summary>The stage in which all is known of a frame.</summary>
    public static int VerdictStage(PipelineDesign design, PipelinePlan plan)
    {
        var (frame, schedule) = (plan.Event, plan.Stages.Schedule);
        var (last, level) = schedule.At(frame.Egress);
        if (level + VerdictLevels > schedule.BudgetOf(frame.Egress)) last++;
        List<Value> kept =
        [
            frame.Admits,
            .. frame.Dataflow.Bytes.SelectMany(b => new[] { b.Condition, b.Byte }),
            .. frame.Dataflow.Shifts.Select(s => s.Condition),
        ];
        if (LastByte(design, frame) is { } lastByte) kept.Add(lastByte);
        return kept.Select(schedule.StageOf).Append(last)
            .Append(PipelineDesign.TimeStage).Append(plan.Stages.FirstOfState).Max();
    }

    /// <summary>The offset of the last byte of a frame that leaves; null if all keep their length.</summary>
    private static Value? LastByte(PipelineDesign design, PipelineEvent frame) =>
        frame.Length is null ? null : design.Netlist.Subtract(frame.Length, new Constant(frame.Length.Width, 1));

    /// <summary>A value as it is in the stage of the verdict.</summary>
    private Value Now(Value value) => _stages.In(value, _stages.Verdict);

    private FrameResizer? Resizer() => LastByte(_design, _event) is not { } lastByte
        ? null
        : new FrameResizer(
            _design.Netlist, _design.Options.Lanes, Now(_event.Length!), Now(lastByte),
            _event.Dataflow.Shifts.Where(s => s.Shift.Distance != 0)
                .Select(s => (Now(s.Condition), s.Shift.Start, s.Shift.Distance)));

    /// <summary>True if a frame ahead of the deferred one may not have written yet all that it writes.</summary>
    private Value IsWriting() => _stages.Drains is null
        ? FoldingBuilder.Bit(false)
        : _design.Netlist.ReduceOr(_stages.Occupancy.Skip(_stages.Verdict));

    /// <summary>The engine for frames that are deferred.</summary>
    private SlowPathSignals MakeSlowPath(BeatStream frames)
    {
        _slow = Engine.Part(
            _design.Netlist, _design.Compilation, _design.Options, _design.Control,
            new EnginePart(frames, _design.State, _design.NextTick, _clears));
        return _slow.Signals;
    }
}
