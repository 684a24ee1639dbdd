using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Units;

namespace Emu.Compiler.Engines;

internal sealed partial class Engine
{
    private Flop _receive = null!, _length = null!;
    private Value _user = null!;
    private Wire _returns = null!;
    private Value _admitted = null!, _pauses = null!, _framesIn = null!, _refused = null!;
    private readonly List<Value> _betweenEvents = [];
    private TimeQuotient? _quotient;

    /// <summary>Rows of the frame memory: a power of two, with one to spare, so that no access wraps.</summary>
    private int Rows =>
        (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)(_options.Capacity / _options.Lanes + 2));

    private int LengthBits => Interval.Of((UInt128)(Rows * _options.Lanes)).Width;

    private void Receive()
    {
        var n = _n;
        var section = n.Begin("receive: a beat into each row, until the last");
        var (data, keep, valid, isLast, user) = _part is null
            ? Pins()
            : (_part.Data, _part.Keep, _part.IsValid, _part.IsLast, _part.User);

        _receive = n.AddFlop("receive", 1, 0);
        _returns = n.DeclareWire("returns", 1, "the frame is done with");
        // A part has its frame's all the time.
        var kept = _part is null ? n.AddFlop("user", AxiStream.UserBits, 0, "tuser of the first beat") : null;
        _user = kept ?? user;
        _length = n.AddFlop("length", LengthBits, 0, "bytes received");
        var admit = n.AddFlop("admit", 1, 0, "the frame is there");
        var row = n.AddFlop("row", _frame.RowBits, 0, "where the next beat goes");
        var isFirst = n.AddFlop("first", 1, 1);
        var isTooLong = n.AddFlop("too_long", 1, 0);
        if (_part is null) n.Output("s_axis_tready", _receive);
        else _part.Ready.Source = _receive;
        var time = n.Extract(user, AxiStream.TimeLow, 64);
        var opens = _functions.Count == 1 ? _returns : LookForTicks(valid, time);

        n.Continue(section);
        var accept = n.AddWire("accept", n.And(valid, _receive));
        var last = n.And(accept, isLast);
        (isFirst.Next, isFirst.Enable) = (isLast, accept);
        var isFull = n.Equal(row, new Constant(row.Width, (UInt128)(Rows - 1)));
        (row.Next, row.Enable) = (
            n.Select(admit, FoldingBuilder.Zero(row.Width), n.Add(row, new Constant(row.Width, 1))),
            n.Or(admit, n.And(accept, n.Not(isFull))));
        (isTooLong.Next, isTooLong.Enable) = (n.Not(admit), n.Or(admit, n.And(accept, isFull)));
        Value received = n.Extract(user, 0, LengthBits);
        if (_part is null)
            received = n.Add(
                n.Select(isFirst, FoldingBuilder.Zero(LengthBits), _length),
                n.Resize(n.Make(Opcode.PopCount, keep.Width, keep), LengthBits));
        (_length.Next, _length.Enable) = (received, n.And(accept, n.Not(isFull)));
        var isNew = n.Or(n.And(accept, isFirst), _tickBegins);
        if (kept is not null) (kept.Next, kept.Enable) = (n.Select(_tickBegins, TickUser(_nextTick), user), isNew);
        for (var lane = 0; lane < _options.Lanes; lane++) _frame.Write(_receive, accept, lane, row, data[lane]);

        var isDivided = n.And(Divide(isNew, n.Select(_tickBegins, _nextTick, time)), n.Not(Pauses));
        _betweenEvents.AddRange([_receive, admit]);
        n.Begin("admit: whether the service sees the frame");
        if (_functions.Count == 1)
            _pauses = n.AddWire(
                "pauses",
                n.And(n.And(Resets, isFirst), n.And(_receive, n.Not(accept))),
                "a reset while no frame is here");
        else
            AdmitTick(isDivided);
        _receive.Next = n.Or(n.And(_receive, n.Not(n.Or(last, _pauses))), opens);
        admit.Next = n.Or(last, n.And(admit, n.Not(isDivided)));
        var admits = n.AddWire("admits", n.And(admit, isDivided));
        var limit = n.Select(IsTagged(), Number(_options.Capacity), Number(_options.Capacity - AxiStream.TagBytes));
        var hasRightLength = n.And(
            n.Not(isTooLong),
            n.And(n.Not(n.Less(limit, _length)), n.Not(n.Less(_length, Number(EventRange.MinLength)))));
        var hasSource = n.Not(n.Equal(
            n.And(n.Extract(_user, AxiStream.SourceLow, 8), new Constant(8, AxiStream.MacPorts)),
            FoldingBuilder.Zero(8)));
        // A frame that comes to a part was admitted before.
        var isRight = _part is null ? n.And(hasRightLength, hasSource) : FoldingBuilder.Bit(true);
        _admitted = n.AddWire("admitted", n.And(admits, isRight));
        _refused = n.AddWire("refused", n.And(admits, n.Not(isRight)));
        _framesIn = n.And(admits, n.Not(n.Equal(_length, Number(0))));
    }

    private (IReadOnlyList<Value> Data, Value Keep, Value IsValid, Value IsLast, Value User) Pins()
    {
        var data = _n.Input("s_axis_tdata", _options.BusBits);
        var keep = new InputBits(_n.Input("s_axis_tkeep", _options.Lanes), 0, _options.Lanes);
        var valid = new InputBits(_n.Input("s_axis_tvalid", 1), 0, 1);
        var isLast = new InputBits(_n.Input("s_axis_tlast", 1), 0, 1);
        var user = new InputBits(_n.Input("s_axis_tuser", AxiStream.UserBits), 0, AxiStream.UserBits);
        return (
            [.. Enumerable.Range(0, _options.Lanes).Select(lane => new InputBits(data, 8 * lane, 8))], keep, valid,
            isLast, user);
    }

    /// <summary>True if a reset was asked for; a part is idle when its circuit is reset.</summary>
    private Value Resets => _part is null ? _control.Resets : FoldingBuilder.Bit(false);

    /// <summary>True while no event may begin; a part goes on, since what waits in its circuit waits for it.</summary>
    private Value Pauses => _part is null ? _control.Pauses : FoldingBuilder.Bit(false);

    private Constant Number(int length) => new(LengthBits, (UInt128)length);

    /// <summary>IEEE 802.3-2022 §3.2.7: a tagged frame may be longer by its tag.</summary>
    private Value IsTagged()
    {
        var type = _n.Concat(_frame.At(AxiStream.TypeOffset), _frame.At(AxiStream.TypeOffset + 1));
        return _n.ReduceOr(AxiStream.TagTypes.Select(tag => _n.Equal(type, new Constant(16, tag))));
    }

    /// <summary>Starts the division of the time that the program uses; gives whether it is done.</summary>
    private Value Divide(Value isNew, Value time)
    {
        var divisors = TimeDivision.Divisors(_functions);
        if (divisors.Count != 1) return FoldingBuilder.Bit(true);
        _quotient = new TimeQuotient(_n, divisors[0], isNew, time, _n.Extract(_user, AxiStream.TimeLow, 64));
        return _n.Not(_quotient.IsBusy);
    }
}
