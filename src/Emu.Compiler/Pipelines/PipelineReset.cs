using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Units;

namespace Emu.Compiler.Pipelines;

/// <summary>Decides when a beat can be taken, and walks through the memories after reset.</summary>
internal sealed class PipelineReset(PipelineDesign design, PipelinePlan plan, PipelineStages stages)
{
    private readonly Netlist _n = design.Netlist;

    /// <summary>1 while memories are cleared.</summary>
    public Flop Clears { get; } =
        design.Netlist.AddFlop("clear", 1, 1, "memories are set to what the constructor left");

    /// <summary>Connects it.</summary>
    public void Build(FrameFifoSignals fifo)
    {
        var (n, header, control) = (_n, design.Header, design.Control);
        n.Begin("reset and readiness");
        var bits = design.State.ClearBits;
        var index = n.AddFlop("clear_index", bits, 0);
        index.Next = n.Select(Clears, n.Add(index, new Constant(bits, 1)), FoldingBuilder.Zero(bits));
        var cleared = n.And(Clears, n.Equal(index, new Constant(bits, Arithmetic.Mask(bits))));

        // A reset that was asked for waits for the end of a frame, then for the pipeline to run empty.
        var isBetween = n.Or(header.Ends, n.And(header.IsFirst, n.Not(header.Accept)));
        var hasBeats = n.Not(n.Equal(fifo.Count, FoldingBuilder.Zero(fifo.Count.Width)));
        var isEmpty = n.Not(n.ReduceOr([
            header.Accept,
            .. stages.Occupancy,
            .. stages.InFlight,
            fifo.IsSlowPathBusy,
            fifo.IsLeaving,
            hasBeats,
        ]));
        var (drains, closes) = Drain(isEmpty, fifo.IsSlowPathReleased);
        // While an event of the slow path waits for frames they come, and go the slow path as well.
        var holdsBack = n.And(drains, n.Not(fifo.IsSlowPathOpen));
        var pauses = n.And(n.ReduceOr([control.Resets, control.Pauses, holdsBack]), isBetween);
        control.IsBetween = n.And(
            n.Not(n.ReduceOr([
                header.Accept, .. stages.Occupancy, .. stages.InFlight, Working(fifo.IsSlowPathBusy), Clears,
                Working(drains),
            ])),
            n.And(header.IsFirst, n.Not(header.Ready)));

        // An event that waits for a frame does nothing meanwhile.
        Value Working(Value bit) => n.And(bit, n.Not(n.And(fifo.IsSlowPathWaiting, n.Not(hasBeats))));
        Clears.Next = n.Or(
            n.And(Clears, n.Not(cleared)),
            n.And(n.And(control.Resets, n.Not(Clears)), n.And(isEmpty, n.And(header.IsFirst, n.Not(header.Ready)))));
        control.ResetDone = cleared;

        var waits = n.Or(stages.IsBusy, ComesTooSoon());
        var hasRoom = n.And(fifo.HasRoom, stages.HasRoom);
        header.GoOn(n.And(
            n.And(hasRoom, n.Not(n.And(stages.Occupied(PipelineDesign.TimeStage)!, stages.IsBusy))),
            n.Not(n.ReduceOr([waits, pauses, closes, n.And(Clears, n.Not(cleared))]))));
        ClearState(index);
    }

    /// <summary>
    /// 1 while no frame may begin since one was deferred: until nothing is on the way, neither here nor in the slow
    /// path. So either the stages or the slow path use the state at any time. Where a frame is deferred alone, no
    /// header may become complete from the cycle on in which that is known, until the slow path is done with it.
    /// </summary>
    private (Value Drains, Value Closes) Drain(Value isEmpty, Value isReleased)
    {
        var none = FoldingBuilder.Bit(false);
        if (stages.Drains is not { } drains) return (none, none);
        var (n, header, stage) = (_n, design.Header, plan.Stages.DeferringStage);
        var isAlone = design.Demands.DefersAlone;
        var isDone = isAlone ? isReleased : n.And(isEmpty, n.And(header.IsFirst, n.Not(header.Ready)));
        var begins = n.And(stages.Passes(stage), stages.In(plan.Event.Exits, stage));
        drains.Next = n.Or(begins, n.And(drains, n.Not(isDone)));
        return isAlone ? (none, n.And(n.Or(begins, drains), header.MayStart)) : (drains, none);
    }

    private void ClearState(Value index)
    {
        foreach (var ports in design.State.Memories) ports.Build(Clears, index, stages.IsStageFlop);
        // Without an enable: a flop of the devices is reset whatever its enable is, so the reset costs no logic where
        // it is not under one.
        // What is written before it is read needs no reset at all.
        foreach (var (register, flop) in design.State.Registers.Where(known => !known.Register.IsTransient))
        {
            var kept = flop.Enable is { } enable ? _n.Select(enable, flop.Next, flop) : flop;
            (flop.Next, flop.Enable) = (_n.Select(Clears, new Constant(flop.Width, register.Reset), kept), null);
        }
    }

    /// <summary>True if a beat in the next cycle might belong to a frame that follows too soon on one before.</summary>
    private Value ComesTooSoon()
    {
        // Behind a queue it is the queue that keeps the distance which state needs.
        var interval = plan.Stages.IssueStage > 0 ? design.ResourceInterval : plan.LeastInterval;
        var header = design.Header;
        if (interval == 1) return FoldingBuilder.Bit(false);
        // Stages are counted from the last beat where state is read: a frame of the least beats must not end
        // sooner than the interval.
        if (plan.Event.Checksums.Payload.Count > 0)
            return _n.ReduceOr(Enumerable.Range(0, Math.Max(0, interval - header.LeastBeats))
                .Select(cycles => stages.AfterLastBeat("ended", header.Ends, cycles)));
        // A header is complete no sooner than the least interval after the one before, and after that one has waited.
        var occupied = stages.Occupancy.Take(interval - PipelineDesign.TimeStage - 1);
        return _n.And(_n.ReduceOr([header.Start, .. occupied]), header.MayStart);
    }
}
