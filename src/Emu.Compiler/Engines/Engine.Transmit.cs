using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Units;

namespace Emu.Compiler.Engines;

internal sealed partial class Engine
{
    private Flop _clear = null!;
    private Value _clearIndex = null!, _framesOut = null!, _drops = null!;

    private void Transmit()
    {
        var n = _n;
        n.Begin("transmit: a row a beat, until the length is reached");
        var transmit = n.AddFlop("transmit", 1, 0);
        var length = n.AddFlop("transmit_length", LengthBits, 0, "bytes still to send");
        var egress = n.AddFlop("transmit_egress", HardwareOptions.MaxPorts, 0);
        var total = n.AddFlop("transmit_total", LengthBits, 0);
        var row = n.AddFlop("transmit_row", _frame.RowBits, 0);

        var fault = n.ReduceOr(_faults.Values.SelectMany(f => f));
        var ends = n.ReduceOr(_returned.Select(r => r.Condition));
        var leaving = _returned.Select(r => (
                r.Condition,
                Length: n.Resize(r.Length, LengthBits),
                Egress: n.Resize(r.Egress, HardwareOptions.MaxPorts)))
            .Concat(_sends.Select(s => (s.Condition, Length: n.Resize(s.Length, LengthBits), Egress: n.Resize(
                s.Egress, HardwareOptions.MaxPorts)))).ToList();
        var starts = n.AddWire("transmit_starts", n.ReduceOr(leaving.Select(l => l.Condition)));
        var newLength = n.AddWire(
            "transmit_new_length", n.SelectOneHot(LengthBits, leaving.Select(l => (l.Condition, l.Length))));
        var newEgress = n.AddWire(
            "transmit_new_egress",
            n.SelectOneHot(HardwareOptions.MaxPorts, leaving.Select(l => (l.Condition, l.Egress))));
        var leaves = n.AddWire(
            "transmit_leaves",
            n.And(
                n.Not(n.Equal(newEgress, FoldingBuilder.Zero(newEgress.Width))), n.Not(n.Equal(newLength, Number(0)))));

        var valid = n.AddFlop("m_axis_tvalid", 1, 0);
        Value ready = _part is null
            ? new InputBits(n.Input("m_axis_tready", 1), 0, 1)
            : n.DeclareWire("transmit_ready", 1);
        var isFree = n.Or(n.Not(valid), ready);
        var step = n.AddWire("transmit_step", n.And(transmit, isFree));
        var isLast = n.Not(n.Less(new Constant(LengthBits, (UInt128)_options.Lanes), length));
        var done = n.AddWire("transmit_done", n.And(step, isLast));
        transmit.Next = n.Or(n.And(starts, leaves), n.And(transmit, n.Not(done)));
        (length.Next, length.Enable) = (
            n.Select(starts, newLength, n.Subtract(length, new Constant(LengthBits, (UInt128)_options.Lanes))),
            n.Or(starts, step));
        (total.Next, total.Enable) = (newLength, starts);
        (egress.Next, egress.Enable) = (newEgress, starts);
        (row.Next, row.Enable) = (
            n.Select(starts, FoldingBuilder.Zero(row.Width), n.Add(row, new Constant(row.Width, 1))), n.Or(
                starts, step));

        valid.Next = n.Or(step, n.And(valid, n.Not(ready)));
        var lanes = _frame.Row(transmit, row);
        List<Value> data = [.. lanes.Select((lane, i) => (Value)n.RegisteredPart("m_axis_tdata", -i, lane, step))];
        Value Keep(int lane) =>
            n.RegisteredPart("m_axis_tkeep", -lane, n.Less(new Constant(LengthBits, (UInt128)lane), length), step);
        List<Value> keep = [.. Enumerable.Range(0, _options.Lanes).Select(Keep)];
        var lastSent = n.Registered("m_axis_tlast", isLast, 0, step);
        // A part keeps its frame's tuser until the last beat has left.
        Value Kept(string name, int low, int width) =>
            _part is null
                ? n.Registered($"m_axis_{name}", n.Extract(_user, low, width), 0, step)
                : n.Extract(_user, low, width);
        var ports = AxiStream.PortField(n, n.Registered("m_axis_egress", egress, 0, step));
        var user = n.Concat(
            n.Concat(
                Kept("time", AxiStream.TimeLow, AxiStream.UserBits - AxiStream.TimeLow),
                n.Concat(ports, Kept("source", AxiStream.SourceLow, 8))),
            n.Resize(n.Registered("m_axis_length", total, 0, step), AxiStream.LengthBits));
        if (_part is not null)
        {
            Sent = new BeatStream(
                data, keep.Aggregate((low, high) => n.Concat(high, low)), valid, lastSent, user, (Wire)ready);
        }
        else
        {
            n.Output("m_axis_tdata", data);
            n.Output("m_axis_tkeep", keep);
            n.Output("m_axis_tvalid", valid);
            n.Output("m_axis_tlast", lastSent);
            n.Output("m_axis_tuser", user);
        }

        Continue(done, leaves, ends, fault);
    }

    /// <summary>Continues with the next state when a frame has left or does not leave.</summary>
    private void Continue(Value done, Value leaves, Value ends, Value fault)
    {
        var n = _n;
        var resumes = new List<Value>();
        var isAfterSend = new List<Value>();
        foreach (var group in _sends.GroupBy(s => s.Next))
        {
            var sent = n.ReduceOr(group.Select(s => s.Condition));
            var resume = n.AddFlop("resume", 1, 0, "a copy is being sent; this state is next");
            var goesOn = n.Or(n.And(resume, done), n.And(sent, n.Not(leaves)));
            resume.Next = n.Or(n.And(sent, leaves), n.And(resume, n.Not(done)));
            group.Key.Active.Next = n.Or(group.Key.Active.Next, goesOn);
            isAfterSend.Add(resume);
        }
        var isVerdict = n.Not(n.ReduceOr(isAfterSend));
        var dropped = n.And(ends, n.Not(leaves));
        var finished = n.AddWire("finished", n.ReduceOr([n.And(done, isVerdict), dropped, fault, _refused]));

        _clear = n.AddFlop("clear", 1, 1, "memories are set to what the constructor left");
        var bits = _state.ClearBits;
        var index = n.AddFlop("clear_index", bits, 0);
        index.Next = n.Select(_clear, n.Add(index, new Constant(bits, 1)), FoldingBuilder.Zero(bits));
        _clearIndex = index;
        var cleared = n.And(_clear, n.Equal(index, new Constant(bits, Arithmetic.Mask(bits))));
        var clears = n.Or(n.And(finished, Resets), _pauses);
        _clear.Next = n.Or(n.And(_clear, n.Not(cleared)), clears);
        if (_part is null) _control.ResetDone = cleared;
        Finished = finished;
        _returns.Source = n.Or(n.And(finished, n.Not(Resets)), cleared);
        _framesOut = done;
        var isUndelivered = n.Or(dropped, fault);
        if (_isTick is not null)
        {
            _isTick.Next = n.Or(_tickBegins, n.And(_isTick, n.Not(finished)));
            _hasBegun!.Next = n.And(n.Not(_clear), n.Or(_hasBegun, _runBegins));
            isUndelivered = n.And(isUndelivered, n.Not(_isTick));
        }
        _drops = n.Or(isUndelivered, n.And(_refused, n.Not(n.Equal(_length, Number(0)))));
    }
}
