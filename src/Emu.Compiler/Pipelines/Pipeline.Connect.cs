using Emu.Compiler.Engines;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;

namespace Emu.Compiler.Pipelines;

internal sealed partial class Pipeline
{
    /// <summary>Levels that the FIFO adds behind a verdict.</summary>
    private const int VerdictLevels = 2 * Delays.Level;

    private void Connect()
    {
        var n = _n;
        Value isBusy = FoldingBuilder.Bit(false);
        if (TimeDivision.Divisors(_compilation.Functions) is [var divisor])
        {
            n.Continue(SectionOf(TimeStage));
            var time = n.Registered("time", _header.Time, 0, _header.Start);
            _quotient = new TimeQuotient(n, divisor, _header.Start, _header.Time, time);
            isBusy = _quotient.IsBusy;
        }
        var (last, level) = _schedule.At(_verdict);
        if (level + VerdictLevels > _schedule.BudgetOf(_verdict)) last++;
        var bytes = _dataflow.Bytes.ToList();
        var lastByte = _length is null ? null : n.Subtract(_length, new Constant(_length.Width, 1));
        IEnumerable<Value> kept =
        [
            _admits,
            .. bytes.SelectMany(b => new[] { b.Condition, b.Byte }),
            .. _dataflow.Moves.Select(m => m.Condition),
        ];
        if (lastByte is not null) kept = kept.Append(lastByte);
        last = kept.Select(_schedule.StageOf).Append(last).Append(TimeStage).Append(Crossing).Max();
        var written = Writes(last);
        Valid(Math.Max(Math.Max(last, written), _distance - TimeStage - 1), isBusy);
        foreach (var sum in _sums) _totals[sum] = sum.Build(MaskStage, _schedule.In);
        WriteState();
        _clear = n.AddFlop("clear", 1, 1, "memories are set to what the constructor left");

        if (_sums.Count > 0) _fifo.HoldFrames(last);
        n.Continue(SectionOf(last));
        var fits = n.Not(AfterLastBeat("too_long", _fifo.IsTooLong, last));
        var admits = n.And(_schedule.In(_admits, last), fits);
        var egress = n.AddWire(
            "egress", n.Select(admits, _schedule.In(_verdict, last), FoldingBuilder.Zero(HardwareOptions.MaxPorts)));
        var isSlow = n.And(_schedule.In(_isSlow, last), fits);
        var patch = new FramePatch(
            n,
            _options.Lanes,
            bytes.Select(b => (b.Offset, _schedule.In(b.Condition, last), _schedule.In(b.Byte, last))));
        var moves = _dataflow.Moves.Select(m => (_schedule.In(m.Condition, last), m.From, m.To));
        var shaper = lastByte is null
            ? null
            : new FrameShaper(n, _options.Lanes, _schedule.In(_length!, last), _schedule.In(lastByte, last), moves);
        _fifo.Build(Passes(last), egress, patch, shaper, isSlow, _compilation.Slow is null ? null : SlowPath);
        _inFlight.Add(_fifo.IsSlowPathBusy);
        Ready(isBusy);
        Counters(last, n.And(n.Equal(egress, FoldingBuilder.Zero(egress.Width)), n.Not(isSlow)));
        ConnectAhead();
    }

    private int CountStage(Value amount) =>
        Math.Max(TimeStage, Math.Max(_schedule.StageOf(_admits), _schedule.StageOf(amount)));

    /// <summary>
    /// The amount that a frame adds as it passes the stage where that is known, or 1 if a condition holds of it;
    /// 0 if none passes.
    /// </summary>
    private Value Counted(Value amount)
    {
        var stage = CountStage(amount);
        _n.Continue(SectionOf(stage));
        return _n.Select(Counts(stage), _schedule.In(amount, stage), FoldingBuilder.Zero(amount.Width));
    }

    /// <summary>A bit for each stage: a frame is there. Only the stage of the time can hold one.</summary>
    private void Valid(int last, Value isBusy)
    {
        for (var stage = 0; stage <= last; stage++)
        {
            _n.Continue(SectionOf(stage));
            _valid.Add(stage == 0 ? null! : _n.AddFlop($"valid_{stage}", 1, 0));
        }
        for (var stage = 1; stage <= last; stage++)
        {
            _valid[stage].Next = stage == Crossing
                ? AfterLastBeat("ends", _header.Ends, stage - 1)
                : stage == TimeStage ? _n.Or(_header.Start, _n.And(_valid[stage], isBusy))
                : stage == TimeStage + 1 ? _n.And(_valid[stage - 1], _n.Not(isBusy))
                : _valid[stage - 1];
        }
        _leavesTimeStage = _n.And(_valid[TimeStage], _n.Not(isBusy));
    }

    /// <summary>Delays a value that is known of a frame with its last beat, by some cycles.</summary>
    private Value AfterLastBeat(string name, Value value, int cycles)
    {
        for (var i = 1; i <= cycles && value is not Constant; i++)
        {
            value = _n.Registered($"{name}_{i}", value, 0);
            _inFlight.Add(value);
        }
        return value;
    }

    private readonly List<Value> _inFlight = [];
    private readonly Dictionary<PayloadSum, Value> _totals = [];
    private Value _leavesTimeStage = null!;
    private Flop _clear = null!;

    /// <summary>True if a frame is in a stage and does not wait there: once for each frame.</summary>
    private Value Passes(int stage) => stage == TimeStage ? _leavesTimeStage : _valid[stage];

    /// <summary>True if the service's event of a stage counts: a frame passes that was admitted.</summary>
    private Value Counts(int stage) => _n.And(Passes(stage), _schedule.In(_admits, stage));

    /// <summary>Decides when a beat can be taken, and makes the walk through the memories after reset.</summary>
    private void Ready(Value isBusy)
    {
        var n = _n;
        n.Begin("reset and readiness");
        var clear = _clear;
        var bits = _state.ClearBits;
        var index = n.AddFlop("clear_index", bits, 0);
        index.Next = n.Select(clear, n.Add(index, new Constant(bits, 1)), FoldingBuilder.Zero(bits));
        var cleared = n.And(clear, n.Equal(index, new Constant(bits, Arithmetic.Mask(bits))));

        // A reset that was asked for waits for the end of a frame, then for the pipeline to run empty.
        var isBetween = n.Or(_header.Ends, n.And(_header.IsFirst, n.Not(_header.Accept)));
        var isEmpty = n.Not(n.ReduceOr([
            _header.Accept,
            .. _valid.Skip(1),
            .. _inFlight,
            n.Not(n.Equal(_fifo.Count, FoldingBuilder.Zero(_fifo.Count.Width))),
        ]));
        var pauses = n.And(n.Or(_control.Resets, _control.Pauses), isBetween);
        _control.IsBetween = n.And(
            n.Not(n.ReduceOr([_header.Accept, .. _valid.Skip(1), .. _inFlight, clear])),
            n.And(_header.IsFirst, n.Not(_header.Ready)));
        clear.Next = n.Or(
            n.And(clear, n.Not(cleared)),
            n.And(n.And(_control.Resets, n.Not(clear)), n.And(isEmpty, n.And(_header.IsFirst, n.Not(_header.Ready)))));
        _control.ResetDone = cleared;

        var waits = n.Or(isBusy, TooSoon());
        _header.GoOn(n.And(
            n.And(_fifo.HasRoom, n.Not(n.And(_valid[TimeStage], isBusy))),
            n.Not(n.ReduceOr([waits, pauses, n.And(clear, n.Not(cleared))]))));
        foreach (var ports in _state.Memories) ports.Build(clear, index, _schedule.IsStageFlop);
        foreach (var (register, flop) in _state.Registers)
        {
            (flop.Next, flop.Enable) = (
                n.Select(clear, new Constant(flop.Width, register.Reset), flop.Next),
                n.Or(clear, flop.Enable ?? FoldingBuilder.Bit(false)));
        }
    }

    /// <summary>True if a beat in the next cycle might belong to a frame that follows too soon on one before.</summary>
    private Value TooSoon()
    {
        var n = _n;
        if (_distance == 1) return FoldingBuilder.Bit(false);
        // Stages are counted from the last beat where state is read: a frame of the least beats must not end
        // sooner than the distance.
        if (_sums.Count > 0)
            return n.ReduceOr(Enumerable.Range(0, Math.Max(0, _distance - _header.LeastBeats))
                .Select(cycles => AfterLastBeat("ended", _header.Ends, cycles)));
        // A header is complete no sooner than the least distance after the one before, and after that one has waited.
        return n.And(
            n.ReduceOr(
                [_header.Start, .. Enumerable.Range(1, _distance - TimeStage - 1).Select(stage => _valid[stage])]),
            _header.MayStart);
    }

    private Engine? _slow;

    /// <summary>The engine for frames that are deferred.</summary>
    private (BeatStream Sent, Value Finished) SlowPath(BeatStream frames)
    {
        _slow = Engine.Part(_n, _compilation, _compilation.Slow!, _options, _control, _state, frames);
        return (_slow.Sent, _slow.Finished);
    }

    private void Counters(int last, Value isDropped)
    {
        var n = _n;
        var slow = _slow?.Events;
        // Both paths can count in one cycle.
        Value Sum(Value fast, Value? slowly)
        {
            if (slowly is null) return fast;
            var width = Math.Min(CounterBank.Bits, Math.Max(fast.Width, slowly.Width) + 1);
            return n.Add(n.Resize(fast, width), n.Resize(slowly, width));
        }
        var isNull = n.Equal(_header.Length, FoldingBuilder.Zero(AxiStream.LengthBits));
        _control.AddCounter("frames_in", "frames received", n.And(_header.Start, n.Not(isNull)));
        _control.AddCounter("frames_out", "frames that left", Sum(_fifo.FrameLeaves, slow?.FramesOut));
        n.Continue(SectionOf(last));
        var drops = n.And(n.And(Passes(last), n.Not(_schedule.In(isNull, last))), isDropped);
        _control.AddCounter(
            "drops",
            "frames that did not leave by their verdict: dropped, faulted, too long or too short",
            Sum(drops, slow?.Drops));
        foreach (var kind in _dataflow.Faults.Keys.Union(slow?.Faults.Keys ?? []).Order())
        {
            var raised = _dataflow.Faults.TryGetValue(kind, out var condition)
                ? Counted(condition)
                : FoldingBuilder.Bit(false);
            _control.AddCounter(
                $"fault_{kind}",
                $"frames dropped by a fault: {kind}",
                Sum(raised, slow?.Faults.GetValueOrDefault(kind)));
        }
        var counts = _dataflow.Counts.ToDictionary(c => c.Register, c => c.Amount);
        foreach (var register in counts.Keys.Union(slow?.Counts.Keys ?? [])
            .OrderBy(r => r.Name, StringComparer.Ordinal))
        {
            var counted = counts.TryGetValue(register, out var amount) ? Counted(amount) : FoldingBuilder.Bit(false);
            var slowly = slow?.Counts.GetValueOrDefault(register);
            // The sum of numbers of several bits has a cycle of its own.
            if (slowly is not null && counted.Width > 1)
                counted = n.Registered($"{Netlist.SnakeCase(ServiceState.NameOf(register))}_amount", counted, 0);
            var both = Sum(counted, slowly);
            // Both in one cycle are rare: where they are of one bit there is room for that.
            var isRare = counted.Width == 1 && slowly is { Width: 1 } && !IsRepeated(register);
            _control.AddCounter(register, both, isRare ? 1 : both.Width);
        }
        _control.AddState(_state, ShowTable);
        _control.Build(_clear);
    }

    /// <summary>
    /// True if both paths may count a register in cycle after cycle: frames come in each, and the slow path's program
    /// counts it often.
    /// </summary>
    private bool IsRepeated(Register register)
    {
        bool HasCount(Block block) => block.Operations.Exists(o => o.Opcode == Opcode.Count && o.State[0] == register);
        var slow = _compilation.Slow!;
        return _distance == 1
            && (Loop.All(slow).Exists(loop => loop.Body.Any(HasCount))
                || slow.Blocks().Count(HasCount) >= CounterBank.MinTurns);
    }
}
