namespace Emu.Compiler;

internal sealed partial class Pipeline
{
    /// <summary>Levels that the FIFO adds behind a verdict.</summary>
    private const int VerdictLevels = 2 * Delays.Level;

    private void Connect()
    {
        var n = _n;
        Value isBusy = ValueFactory.Bit(false);
        if (TimeQuotient.Divisors(_compilation.Functions) is [var divisor])
        {
            n.Continue(SectionOf(TimeStage));
            var time = n.Delay("time", _header.Time, 0, _header.Start);
            _quotient = new TimeQuotient(n, divisor, _header.Start, _header.Time, time);
            isBusy = _quotient.IsBusy;
        }
        var (last, level) = _schedule.At(_verdict);
        if (level + VerdictLevels > Budget) last++;
        last = Math.Max(last, Math.Max(TimeStage, _schedule.StageOf(_admits)));
        var written = Writes(last);
        Valid(Math.Max(Math.Max(last, written), _interval - TimeStage - 1), isBusy);
        WriteState();
        _clear = n.AddFlop("clear", 1, 1, "memories are set to what the constructor left");

        n.Continue(SectionOf(last));
        var admits = _schedule.In(_admits, last);
        var egress = n.AddWire("egress", n.Select(admits, _schedule.In(_verdict, last), ValueFactory.Zero(HardwareOptions.MaxPorts)));
        _fifo.Build(Passes(last), egress);
        Ready(isBusy);
        Counters(last, egress);
        ConnectAhead();
    }

    private int CountStage(Value condition) => Math.Max(TimeStage, Math.Max(_schedule.StageOf(_admits), _schedule.StageOf(condition)));

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
            _valid[stage].Next = stage == TimeStage ? _n.Or(_header.Start, _n.And(_valid[stage], isBusy))
                : stage == TimeStage + 1 ? _n.And(_valid[stage - 1], _n.Not(isBusy))
                : _valid[stage - 1];
        }
        _leavesTimeStage = _n.And(_valid[TimeStage], _n.Not(isBusy));
    }

    private Value _leavesTimeStage = null!;
    private Flop _clear = null!;

    /// <summary>Whether a frame is in a stage and does not wait there: once for each frame.</summary>
    private Value Passes(int stage) => stage == TimeStage ? _leavesTimeStage : _valid[stage];

    /// <summary>Whether the service's event of a stage counts: a frame passes that was admitted.</summary>
    private Value Counts(int stage) => _n.And(Passes(stage), _schedule.In(_admits, stage));

    /// <summary>When a beat can be taken, and the walk through the memories after reset.</summary>
    private void Ready(Value isBusy)
    {
        var n = _n;
        n.Begin("reset and readiness");
        var clear = _clear;
        var bits = _state.ClearBits;
        var index = n.AddFlop("clear_index", bits, 0);
        index.Next = n.Select(clear, n.Add(index, new Constant(bits, 1)), ValueFactory.Zero(bits));
        var cleared = n.And(clear, n.Equal(index, new Constant(bits, Arithmetic.Mask(bits))));

        // A reset that was asked for waits for the end of a frame, then for the pipeline to run empty.
        var ends = n.And(_header.Accept, _header.IsLast);
        var isBetween = n.Or(ends, n.And(_header.IsFirst, n.Not(_header.Accept)));
        var isEmpty = n.Not(n.Any([_header.Accept, .. _valid.Skip(1), n.Not(n.Equal(_fifo.Count, ValueFactory.Zero(_fifo.Count.Width)))]));
        var pauses = n.And(_control.Resets, isBetween);
        clear.Next = n.Or(n.And(clear, n.Not(cleared)), n.And(n.And(_control.Resets, n.Not(clear)), n.And(isEmpty, n.And(_header.IsFirst, n.Not(_header.Ready)))));
        _control.ResetDone = cleared;

        // A header is complete no sooner than the interval after the one before, and after that one has waited.
        var isNext = n.Or(ends, n.And(_header.IsInHeader, n.Not(_header.Start)));
        var tooSoon = Enumerable.Range(1, Math.Max(0, _interval - TimeStage - 1)).Select(stage => n.And(_valid[stage], isNext));
        var waits = n.Any([isBusy, n.And(ValueFactory.Bit(_interval > 1), n.And(_header.Start, _header.IsLast)), .. tooSoon]);
        _header.Ready.Next = n.And(n.And(_fifo.HasRoom, n.Not(n.And(_valid[TimeStage], isBusy))), n.Not(n.Any([waits, pauses, n.And(clear, n.Not(cleared))])));
        foreach (var ports in _state.Memories) ports.Build(clear, index, _schedule.IsStageFlop);
        foreach (var (register, flop) in _state.Registers)
        {
            (flop.Next, flop.Enable) = (n.Select(clear, new Constant(flop.Width, register.Reset), flop.Next), n.Or(clear, flop.Enable ?? ValueFactory.Bit(false)));
        }
    }

    private void Counters(int last, Value egress)
    {
        var n = _n;
        var isNull = n.Equal(_header.Length, ValueFactory.Zero(Stream.LengthBits));
        _control.AddCounter("frames_in", "frames received", n.And(_header.Start, n.Not(isNull)));
        _control.AddCounter("frames_out", "frames that left", _fifo.FrameLeaves);
        n.Continue(SectionOf(last));
        _control.AddCounter("drops", "frames that did not leave by their verdict: dropped, faulted, too long or too short", n.And(n.And(Passes(last), n.Not(_schedule.In(isNull, last))), n.Equal(egress, ValueFactory.Zero(egress.Width))));
        foreach (var kind in _dataflow.Faults.GroupBy(f => f.Kind))
        {
            var raised = n.Any(kind.Select(f => f.Condition));
            _control.AddCounter($"fault_{kind.Key}", $"frames dropped by a fault: {kind.Key}", n.And(Counts(last), _schedule.In(raised, last)));
        }
        foreach (var (register, condition) in _dataflow.Counts.OrderBy(c => c.Register.Name, StringComparer.Ordinal))
        {
            var stage = CountStage(condition);
            n.Continue(SectionOf(stage));
            _control.AddCounter(register, n.And(Counts(stage), _schedule.In(condition, stage)));
        }
        foreach (var (register, flop) in _state.Registers) _control.AddNext(register.Name, "state of the service", flop);
        _control.Build(_clear);
    }
}
