using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Units;

namespace Emu.Compiler.Engines;

/// <summary>Sends frames and copies from the frame memory, and ends events.</summary>
internal sealed class EngineTransmitter
{
    private readonly EngineDesign _design;
    private readonly Netlist _n;
    private readonly EngineProgram _program;
    private readonly Value _isOver;

    /// <summary>Makes it.</summary>
    /// <param name="design">The engine.</param>
    /// <param name="program">Its program.</param>
    /// <param name="reset">
    /// The reset of the circuit that it is in; null if the engine resets the service itself.
    /// </param>
    public EngineTransmitter(EngineDesign design, EngineProgram program, ServiceReset? reset)
    {
        (_design, _n, _program) = (design, design.Netlist, program);
        var (n, lanes) = (_n, design.Length(design.Options.Lanes));
        n.Begin("transmit: a row a beat, until the length is reached");
        var transmit = n.AddFlop("transmit", 1, 0);
        var length = n.AddFlop("transmit_length", design.LengthBits, 0, "bytes still to send");
        var egress = n.AddFlop("transmit_egress", design.Options.PortBits, 0);
        var total = n.AddFlop("transmit_total", design.LengthBits, 0);
        var row = n.AddFlop("transmit_row", design.Frame.RowBits, 0);

        var fault = Ended(n.ReduceOr(program.Faults.OrderBy(f => f.Key).SelectMany(f => f.Value)));
        var ends = Ended(n.ReduceOr(program.Returned.Select(r => r.Condition)));
        List<(Value Condition, Value Length, Value Egress)> leaving =
        [
            .. program.Returned.Select(r => (r.Condition, LengthOf(r.Length), EgressOf(r.Egress))),
            .. program.Sends.Select(s => (s.Condition, LengthOf(s.Length), EgressOf(s.Egress))),
            .. program.Holds.Select(h => (h.Condition, LengthOf(h.Length), EgressOf(design.Hold!.HasRoom))),
        ];
        var holds = Ended(n.ReduceOr(program.Holds.Select(h => h.Condition)));
        var starts = n.AddWire("transmit_starts", Ended(n.ReduceOr(leaving.Select(l => l.Condition))));
        var newLength = n.AddWire(
            "transmit_new_length",
            Ended(n.SelectOneHot(design.LengthBits, leaving.Select(l => (l.Condition, l.Length)))));
        var newEgress = n.AddWire(
            "transmit_new_egress",
            Ended(n.SelectOneHot(egress.Width, leaving.Select(l => (l.Condition, l.Egress)))));
        var leaves = n.AddWire(
            "transmit_leaves",
            n.And(
                n.Not(n.Equal(newEgress, FoldingBuilder.Zero(newEgress.Width))),
                n.Not(n.Equal(newLength, design.Length(0)))));

        var valid = n.AddFlop("m_axis_tvalid", 1, 0);
        var partReady = design.Frames is null ? null : n.DeclareWire("transmit_ready", 1);
        Value ready = partReady ?? (Value)new InputBits(n.Input("m_axis_tready", 1), 0, 1);
        var isFree = n.Or(n.Not(valid), ready);
        var step = n.AddWire("transmit_step", n.And(transmit, isFree));
        var isToHold = design.Hold is null ? null : n.Registered("transmit_to_hold", holds, 0, starts);
        var sends = isToHold is null ? step : n.And(step, n.Not(isToHold));
        var isLast = n.Not(n.Less(lanes, length));
        var done = n.AddWire("transmit_done", n.And(step, isLast));
        transmit.Next = n.Or(n.And(starts, leaves), n.And(transmit, n.Not(done)));
        (length.Next, length.Enable) = (n.Select(starts, newLength, n.Subtract(length, lanes)), n.Or(starts, step));
        (total.Next, total.Enable) = (newLength, starts);
        (egress.Next, egress.Enable) = (newEgress, starts);
        (row.Next, row.Enable) = (
            n.Select(starts, FoldingBuilder.Zero(row.Width), n.Add(row, new Constant(row.Width, 1))),
            n.Or(starts, step));
        valid.Next = n.Or(sends, n.And(valid, n.Not(ready)));

        var bytes = design.Frame.Row(transmit, row);
        List<Value> data = [.. bytes.Select((octet, i) => (Value)n.RegisteredPart("m_axis_tdata", -i, octet, step))];
        Value Keep(int lane) => n.RegisteredPart(
            "m_axis_tkeep", -lane, n.Less(design.Length(lane), length), step);
        List<Value> keep = [.. Enumerable.Range(0, design.Options.Lanes).Select(Keep)];
        var lastSent = n.Registered("m_axis_tlast", isLast, 0, step);
        var user = User(egress, total, step);
        if (partReady is null) Pins(data, keep, valid, lastSent, user);
        else
            Sent = new BeatStream(
                data, keep.Aggregate((low, high) => n.Concat(high, low)), valid, lastSent, user, partReady);

        var isVerdict = n.Not(n.ReduceOr(Resume(done, leaves)));
        var dropped = n.And(ends, n.Not(leaves));
        var receiver = program.Receiver;
        var isRefused = Ended(n.And(receiver.Refused, design.IsOutermost));
        var finished = n.AddWire("finished", n.ReduceOr([n.And(done, isVerdict), dropped, fault, isRefused]));
        _isOver = n.And(finished, design.IsOutermost);
        Finished = design.Hold is null ? _isOver : n.And(_isOver, design.Hold.IsEmpty);
        // What leads frames into a part waits for the frame before which a tick was due.
        if (program.Receiver.Ticks is { } due) Finished = n.And(Finished, n.Not(due.IsTick));
        FramesOut = isToHold is null ? done : n.And(done, n.Not(isToHold));
        Reset = reset ?? new ServiceReset(n, design.State.ClearBits);
        if (reset is null) Reset.BeginOn(n.Or(n.And(_isOver, design.Resets), receiver.Pauses));
        var isKept = design.IsInterrupted is null ? FoldingBuilder.Bit(false) : Interrupt(finished, holds, leaves);
        if (isToHold is not null)
            design.Hold!.Build(
                new BeatStream(
                    data, keep.Aggregate((low, high) => n.Concat(high, low)),
                    n.Registered("hold_write", n.And(step, isToHold), 0), lastSent, user, design.Hold.Beats.Ready),
                Reset.Clears);
        receiver.Returns.Source = n.Or(n.And(_isOver, n.Not(design.Resets)), Reset.Cleared);
        var isUndelivered = n.And(n.Or(dropped, fault), n.Not(isKept));
        if (receiver.Ticks is { } ticks)
        {
            ticks.Connect(_isOver, design.Part?.Clears ?? Reset.Clears);
            isUndelivered = n.And(isUndelivered, n.Not(n.And(ticks.IsTick, design.IsOutermost)));
        }
        Drops = n.Or(
            isUndelivered, n.And(receiver.Refused, receiver.HasBytes));
    }

    /// <summary>The frames that leave a part; null if the engine is the circuit.</summary>
    public BeatStream? Sent { get; }

    /// <summary>1 when an event is finished, and no frame is held that would be handled now.</summary>
    public Value Finished { get; }

    /// <summary>The waiting of events for further frames; null if none does.</summary>
    public SlowPathWait? Wait { get; private set; }

    /// <summary>1 when a frame has left.</summary>
    public Value FramesOut { get; }

    /// <summary>1 when a frame does not leave.</summary>
    public Value Drops { get; }

    /// <summary>The reset of the service, by pin or by register.</summary>
    public ServiceReset Reset { get; }

    /// <summary>
    /// A value that the program gives at its end or with a copy; at a fast clock in a flop, so that all that follows
    /// begins there.
    /// </summary>
    private Value Ended(Value value) =>
        _design.Options.IsFast && value is not Constant ? _n.Registered("ended", value, 0) : value;

    private Value LengthOf(Value length) => _n.Resize(length, _design.LengthBits);

    private Value EgressOf(Value egress) => _n.Resize(egress, _design.Options.PortBits);

    private void Pins(List<Value> data, List<Value> keep, Value valid, Value isLast, Value user)
    {
        _n.Output("m_axis_tdata", data);
        _n.Output("m_axis_tkeep", keep);
        _n.Output("m_axis_tvalid", valid);
        _n.Output("m_axis_tlast", isLast);
        _n.Output("m_axis_tuser", user);
    }

    /// <summary><c>tuser</c> of the frame that leaves.</summary>
    private Value User(Flop egress, Flop total, Value step)
    {
        var (n, user) = (_n, _program.Receiver.User);
        // Otherwise it is there until the last beat has left.
        Value Kept(string name, int low, int width) => _design.KeepsUser
            ? n.Registered($"m_axis_{name}", n.Extract(user, low, width), 0, step)
            : n.Extract(user, low, width);
        var ports = AxiStream.PortField(n, n.Registered("m_axis_egress", egress, 0, step));
        return n.Concat(
            n.Concat(
                Kept("time", StreamUserLayout.TimeLow, StreamUserLayout.Bits - StreamUserLayout.TimeLow),
                n.Concat(ports, Kept("source", StreamUserLayout.SourceLow, 8))),
            n.Resize(n.Registered("m_axis_length", total, 0, step), StreamUserLayout.LengthBits));
    }

    /// <summary>
    /// Goes on with the program when a copy has left, or does not leave; gives bits that are 1 while one is sent.
    /// </summary>
    private List<Value> Resume(Value done, Value leaves)
    {
        var n = _n;
        var isCopy = new List<Value>();
        var copies = _program.Sends.Select(s => (s.Condition, s.Next))
            .Concat(_program.Holds.Select(h => (h.Condition, h.Next)));
        foreach (var group in copies.GroupBy(copy => copy.Next))
        {
            var sent = Ended(n.ReduceOr(group.Select(s => s.Condition)));
            var resume = n.AddFlop("resume", 1, 0, "a copy is being sent; this state is next");
            var goesOn = n.Or(n.And(resume, done), n.And(sent, n.Not(leaves)));
            resume.Next = n.Or(n.And(sent, leaves), n.And(resume, n.Not(done)));
            group.Key.Active.Next = n.Or(group.Key.Active.Next, goesOn);
            isCopy.Add(resume);
        }
        return isCopy;
    }

    /// <summary>
    /// Goes on with an event that waited when the frame that it waited for is done with.
    /// </summary>
    /// <param name="finished">1 when an event is done with.</param>
    /// <param name="holds">1 when a frame is to be held.</param>
    /// <param name="leaves">True if there is room for it.</param>
    /// <returns>True if the frame of the event is held, so that it is not dropped.</returns>
    private Value Interrupt(Value finished, Value holds, Value leaves)
    {
        var (n, receiver) = (_n, _program.Receiver);
        receiver.Waits.Source = n.ReduceOr(_program.Waits.Select(w => w.Condition));
        receiver.Resumes.Source = n.And(finished, _design.IsInterrupted!);
        Wait = new SlowPathWait(receiver.Waits, _design.IsInterrupted!);
        foreach (var group in _program.Waits.GroupBy(w => w.Next))
        {
            var waits = n.ReduceOr(group.Select(w => w.Condition));
            var resume = n.AddFlop("wait_resume", 1, 0, "the event waits; this state is next");
            resume.Next = n.Or(waits, n.And(resume, n.Not(receiver.Resumes)));
            group.Key.Active.Next = n.Or(group.Key.Active.Next, n.And(resume, receiver.Resumes));
        }
        if (_design.Hold is null) return FoldingBuilder.Bit(false);
        (_program.IsHeld.Next, _program.IsHeld.Enable) = (leaves, holds);
        var isKept = n.AddFlop("event_held", 1, 0, "the frame is held");
        isKept.Next = n.And(n.Not(receiver.Resumes), n.Or(isKept, n.And(holds, leaves)));
        return isKept;
    }
}
