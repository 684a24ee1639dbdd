using Emu.Compiler.Engines;
using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;

namespace Emu.Compiler.Pipelines;

/// <summary>The way of a frame behind its verdict: it leaves as it is to, or goes to the slow path.</summary>
internal sealed class PipelineExit
{
    /// <summary>Levels that the FIFO adds behind a verdict.</summary>
    private const int VerdictLevels = 2 * Delays.Level;

    /// <summary>Engines that share no state have nothing to clear: their reset is two cycles.</summary>
    private const int ResetBits = 1;

    private readonly PipelineDesign _design;
    private readonly PipelineEvent _event;
    private readonly PipelineStages _stages;
    private readonly Value _clears;
    private readonly List<Engine> _slow = [];

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
        var isSummed = _event.Checksums.Payload.Count > 0;
        // A frame of which copies leave is read again from its start, so it has to be there as a whole.
        var isWhole = isSummed || _event.Copies.Count > 0;
        var walks = _event.Checksums.Serial.GroupBy(_event.Order.WalkOf).ToList();
        var frames = Math.Max(1, walks.Sum(walk => walk.Max(unit => unit.Loop.Units)));
        var cycles = verdict + walks.Sum(walk => walk.Max(unit => unit.Stages));
        var isTooLong = isWhole ? fifo.HoldFrames(cycles, frames) : FoldingBuilder.Bit(false);
        if (!isSummed) isTooLong = FoldingBuilder.Bit(false);
        stages.Continue(verdict);
        var fits = n.Not(stages.OfLastBeat("too_long", isTooLong, verdict));
        var admits = n.And(Now(_event.Admits), fits);
        Value IfAdmitted(Value ports) => n.Select(admits, Now(ports), FoldingBuilder.Zero(ports.Width));
        var egress = n.AddWire("egress", IfAdmitted(_event.Egress));
        var isSlow = n.Or(n.And(Now(_event.IsSlow), fits), Now(_event.IsDue));
        var copies = _event.Copies.Select((copy, i) =>
            (Value)n.AddWire($"copy_{i}_egress", IfAdmitted(copy.Egress)));
        var rewriter = new HeaderRewriter(
            n, design.Options.Lanes, [.. Leaving.Select(BytesOf)], [.. Leaving.Select(PlacedOf)]);
        _event.Unit?.Keep(Now);
        Fifo = fifo.Build(
            stages.Passes(verdict), [.. copies, egress], rewriter, Resizer(), _event.Unit,
            design.Compilation.Slow is null ? null : SlowPathOf(isSlow));
        // What the slow path writes is in the banks as well.
        foreach (var (table, banks) in (_event.Unit as LeavingLoads)?.Tables ?? [])
            design.State.Of(table).Mirrors.Add(banks);
        IsDropped = n.And(n.Equal(egress, FoldingBuilder.Zero(egress.Width)), n.Not(isSlow));
    }

    /// <summary>The signals of the FIFO.</summary>
    public FrameFifoSignals Fifo { get; }

    /// <summary>True if the frame of the verdict leaves neither here nor by the slow path.</summary>
    public Value IsDropped { get; }

    /// <summary>Makes the events that the slow path counts; null if there is none.</summary>
    public EngineEvents? MakeSlowEvents()
    {
        var n = _design.Netlist;
        List<EngineEvents> events = [.. _slow.Select(engine => engine.MakeEvents())];
        return events.Count < 2
            ? events.FirstOrDefault()
            : EngineEvents.Sum(n, events).Select(number => n.Registered("slow_events", number, 0));
    }

    /// <summary>The stage in which all is known of a frame.</summary>
    public static int VerdictStage(PipelineDesign design, PipelinePlan plan)
    {
        var (frame, schedule) = (plan.Event, plan.Stages.Schedule);
        var (last, level) = schedule.At(frame.Egress);
        if (level + VerdictLevels > schedule.BudgetOf(frame.Egress)) last++;
        List<Value> kept =
        [
            frame.Admits,
            .. PipelineEvent.ValuesOf(frame.Dataflow.Frame), .. frame.Unit?.Operands ?? [],
            .. frame.Rotations?.SelectMany(rotation => rotation.Values) ?? [],
            .. frame.Copies.SelectMany(copy => PipelineEvent.ValuesOf(copy.Frame).Append(copy.Egress)),
        ];
        if (frame.Length is { } length)
            kept.AddRange(frame.Copies.Select(copy => copy.Length).Append(length).Select(l => LastByte(design, l)));
        return kept.Select(schedule.StageOf).Append(last)
            .Append(PipelineDesign.TimeStage).Append(plan.Stages.FirstOfState).Max();
    }

    /// <summary>The copies that leave, and the frame itself behind them.</summary>
    private IEnumerable<LeavingFrame> Leaving =>
        _event.Copies.Select(copy => copy.Frame).Append(_event.Dataflow.Frame);

    /// <summary>The offset of the last byte of a frame of a length.</summary>
    private static Value LastByte(PipelineDesign design, Value length) =>
        design.Netlist.Subtract(length, new Constant(length.Width, 1));

    /// <summary>A value as it is in the stage of the verdict.</summary>
    private Value Now(Value value) => _stages.In(value, _stages.Verdict);

    private IReadOnlyList<(int Offset, Value Condition, Value Byte)> BytesOf(LeavingFrame frame) =>
        [.. frame.Bytes.Select(b => (b.Offset, Now(b.Condition), Now(b.Byte)))];

    private IReadOnlyList<PlacedBytes> PlacedOf(LeavingFrame frame) => [.. frame.Placed.Select(b => b.At(Now))];

    private FrameResizer? Resizer()
    {
        if (_event.Length is null) return null;
        var (n, lanes) = (_design.Netlist, _design.Options.Lanes);
        List<(int Start, int Distance)> constant =
        [
            .. Leaving.SelectMany(frame => frame.Moves).Where(move => move.Distance != 0)
                .Select(move => (move.Start, move.Distance)).Distinct(),
        ];
        IByteMover mover = _event.Rotations is null
            ? new ConstantMoves(n, lanes, constant)
            : new ByteRotation(n, lanes, _event.Length.Width);
        IEnumerable<IReadOnlyList<Value>> moves = _event.Rotations?.Select(rotation => rotation.Values)
            ?? Leaving.Select(frame => (IReadOnlyList<Value>)[.. constant.Select(move => frame.Moves
                .Where(m => (m.Start, m.Distance) == move).Select(m => m.Condition)
                .FirstOrDefault(FoldingBuilder.Bit(false)))]);
        var isEverCleared = Leaving.Any(frame => frame.Cleared is not null);
        Value? ClearedOf(LeavingFrame frame) =>
            isEverCleared ? Now(frame.Cleared ?? FoldingBuilder.Bit(false)) : null;
        List<ResizePlan> plans =
        [
            .. _event.Copies.Select(copy => copy.Length).Append(_event.Length).Zip(moves, Leaving)
                .Select(each => new ResizePlan(
                    Now(each.First), Now(LastByte(_design, each.First)), [.. each.Second.Select(Now)],
                    ClearedOf(each.Third))),
        ];
        return new FrameResizer(n, lanes, mover, plans, _design.Options.IsFast);
    }

    /// <summary>True if a frame ahead of the deferred one may not have written yet all that it writes.</summary>
    private Value IsWriting() => _stages.Drains is null
        ? FoldingBuilder.Bit(false)
        : _design.Netlist.ReduceOr(_stages.Occupancy.Skip(_stages.Verdict));

    /// <summary>The slow path: an engine, or several.</summary>
    private SlowPath SlowPathOf(Value isSlow)
    {
        var (n, engines) = (_design.Netlist, _design.Options.Engines);
        SlowPathSignals Added(Engine engine)
        {
            _slow.Add(engine);
            return engine.Signals;
        }
        if (engines == 1 || EngineGroup.WhyNotInSlowPath(_design.Compilation) is not null)
            return new SlowPath(isSlow, IsWriting(), 1, (_, frames) => Added(OnlyEngine(frames)));
        n.Begin("reset of the slow path's engines");
        var reset = new ServiceReset(n, ResetBits);
        reset.BeginOn(FoldingBuilder.Bit(false));
        return new SlowPath(isSlow, IsWriting(), engines, (_, frames) => Added(Engine.SlowMember(
            n, _design.Compilation, _design.Options, _design.Control, frames, reset)));
    }

    /// <summary>Makes the engine for frames that are deferred, which shares the state of the stages.</summary>
    private Engine OnlyEngine(BeatStream frames) => Engine.Part(
        _design.Netlist, _design.Compilation, _design.Options, _design.Control,
        new EnginePart(frames, _design.State, _design.NextTick, _clears, _stages.Cores));
}
