using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Units;

namespace Emu.Compiler.Engines;

/// <summary>Takes a frame into the frame memory, and decides whether the service sees it.</summary>
internal sealed class EngineReceiver
{
    private readonly EngineDesign _design;
    private readonly Netlist _n;
    private readonly Flop _length;

    /// <summary>Makes it.</summary>
    public EngineReceiver(EngineDesign design)
    {
        (_design, _n) = (design, design.Netlist);
        var (n, options, part) = (_n, design.Options, design.Part?.Frames);
        var section = n.Begin("receive: a beat into each row, until the last");
        var (data, keep, valid, isLast, user) = part is null
            ? Pins()
            : (part.Data, part.Keep, part.IsValid, part.IsLast, part.User);

        var receive = n.AddFlop("receive", 1, 0);
        Returns = n.DeclareWire("returns", 1, "the frame is done with");
        // A part has its frame's all the time.
        var kept = part is null ? n.AddFlop("user", StreamUserLayout.Bits, 0, "tuser of the first beat") : null;
        User = kept ?? user;
        _length = n.AddFlop("length", design.LengthBits, 0, "bytes received");
        var admit = n.AddFlop("admit", 1, 0, "the frame is there");
        var row = n.AddFlop("row", design.Frame.RowBits, 0, "where the next beat goes");
        var isFirst = n.AddFlop("first", 1, 1);
        var isTooLong = n.AddFlop("too_long", 1, 0);
        if (part is null) n.Output("s_axis_tready", receive);
        else part.Ready.Source = receive;
        var time = n.Extract(user, StreamUserLayout.TimeLow, 64);
        Ticks = design.Functions.Count == 1 ? null : new TickTimer(design, valid, time, Returns);
        var tickBegins = Ticks?.Begins ?? FoldingBuilder.Bit(false);

        n.Continue(section);
        var accept = n.AddWire("accept", n.And(valid, receive));
        var last = n.And(accept, isLast);
        (isFirst.Next, isFirst.Enable) = (isLast, accept);
        var isFull = n.Equal(row, new Constant(row.Width, (UInt128)(design.Rows - 1)));
        (row.Next, row.Enable) = (
            n.Select(admit, FoldingBuilder.Zero(row.Width), n.Add(row, new Constant(row.Width, 1))),
            n.Or(admit, n.And(accept, n.Not(isFull))));
        (isTooLong.Next, isTooLong.Enable) = (n.Not(admit), n.Or(admit, n.And(accept, isFull)));
        _length.Next = part is null ? CountedLength(keep, isFirst) : n.Extract(user, 0, design.LengthBits);
        _length.Enable = n.And(accept, n.Not(isFull));
        var isNew = n.Or(n.And(accept, isFirst), tickBegins);
        if (kept is not null)
            (kept.Next, kept.Enable) = (Ticks is null ? user : n.Select(tickBegins, Ticks.User, user), isNew);
        for (var lane = 0; lane < options.Lanes; lane++) design.Frame.Write(receive, accept, lane, row, data[lane]);

        var eventTime = Ticks is null ? time : n.Select(tickBegins, Ticks.Time, time);
        var isDivided = n.And(Divide(isNew, eventTime), n.Not(design.Pauses));
        n.Begin("admit: whether the service sees the frame");
        List<Value> betweenEvents = [receive, admit];
        if (Ticks is null)
        {
            Pauses = n.AddWire(
                "pauses",
                n.And(n.And(design.Resets, isFirst), n.And(receive, n.Not(accept))),
                "a reset while no frame is here");
        }
        else
        {
            Pauses = Ticks.Pauses;
            (var waits, TickAdmitted) = Ticks.Admit(isDivided);
            betweenEvents = [Ticks.Looks, .. betweenEvents, waits];
        }
        BetweenEvents = betweenEvents;
        receive.Next = n.Or(n.And(receive, n.Not(n.Or(last, Pauses))), Ticks?.Opens ?? Returns);
        admit.Next = n.Or(last, n.And(admit, n.Not(isDivided)));
        var admits = n.AddWire("admits", n.And(admit, isDivided));
        var isRight = IsRight(isTooLong);
        Admitted = n.AddWire("admitted", n.And(admits, isRight));
        Refused = n.AddWire("refused", n.And(admits, n.Not(isRight)));
        FramesIn = n.And(admits, n.Not(n.Equal(_length, design.Length(0))));
    }

    /// <summary>The bytes received.</summary>
    public Value Length => _length;

    /// <summary><c>tuser</c> of the event.</summary>
    public Value User { get; }

    /// <summary>1 when an event is done with; its source is set by what ends it.</summary>
    public Wire Returns { get; }

    /// <summary>The ticks; null if the service has none.</summary>
    public TickTimer? Ticks { get; }

    /// <summary>1 when the program begins with a frame.</summary>
    public Value Admitted { get; }

    /// <summary>1 when the program begins with a tick.</summary>
    public Value TickAdmitted { get; } = FoldingBuilder.Bit(false);

    /// <summary>1 when the service does not see the frame.</summary>
    public Value Refused { get; }

    /// <summary>1 when a frame has come.</summary>
    public Value FramesIn { get; }

    /// <summary>1 when a reset begins that was asked for.</summary>
    public Value Pauses { get; }

    /// <summary>Bits that are 1 between two events.</summary>
    public IReadOnlyList<Value> BetweenEvents { get; }

    /// <summary>The quotient of the time; null if the service does not divide it.</summary>
    public TimeQuotient? Quotient { get; private set; }

    /// <summary>An input of the event.</summary>
    public Value Input(FrameInput input) => input switch
    {
        FrameInput.Length => _n.Resize(_length, 32),
        FrameInput.Ingress => _n.Resize(AxiStream.PortIndex(_n, _n.Extract(User, StreamUserLayout.SourceLow, 8)), 8),
        _ => _n.Extract(User, StreamUserLayout.TimeLow, 64),
    };

    private (IReadOnlyList<Value> Data, Value Keep, Value IsValid, Value IsLast, Value User) Pins()
    {
        var options = _design.Options;
        var data = _n.Input("s_axis_tdata", options.BusBits);
        var keep = new InputBits(_n.Input("s_axis_tkeep", options.Lanes), 0, options.Lanes);
        var valid = new InputBits(_n.Input("s_axis_tvalid", 1), 0, 1);
        var isLast = new InputBits(_n.Input("s_axis_tlast", 1), 0, 1);
        var user = new InputBits(_n.Input("s_axis_tuser", StreamUserLayout.Bits), 0, StreamUserLayout.Bits);
        return (
            [.. Enumerable.Range(0, options.Lanes).Select(lane => new InputBits(data, 8 * lane, 8))], keep, valid,
            isLast, user);
    }

    private Value CountedLength(Value keep, Value isFirst) => _n.Add(
        _n.Select(isFirst, FoldingBuilder.Zero(_design.LengthBits), _length),
        _n.Resize(_n.Make(Opcode.PopCount, keep.Width, keep), _design.LengthBits));

    /// <summary>True if a frame has a right length and comes from a MAC port.</summary>
    private Value IsRight(Value isTooLong)
    {
        var (n, options) = (_n, _design.Options);
        var limit = n.Select(
            IsTagged(), _design.Length(options.Capacity), _design.Length(options.Capacity - VlanTag.Length));
        var hasRightLength = n.And(
            n.Not(isTooLong),
            n.And(
                n.Not(n.Less(limit, _length)), n.Not(n.Less(_length, _design.Length(FrameLength.Header)))));
        var hasSource = n.Not(n.Equal(
            n.And(n.Extract(User, StreamUserLayout.SourceLow, 8), new Constant(8, StreamUserLayout.MacPortBits)),
            FoldingBuilder.Zero(8)));
        // A frame that comes to a part was admitted before.
        return _design.Part is null ? n.And(hasRightLength, hasSource) : FoldingBuilder.Bit(true);
    }

    /// <summary>IEEE 802.3-2022 §3.2.7: a tagged frame may be longer by its tag.</summary>
    private Value IsTagged()
    {
        var frame = _design.Frame;
        var type = _n.Concat(frame.At(VlanTag.TypeOffset), frame.At(VlanTag.TypeOffset + 1));
        return _n.ReduceOr(VlanTag.Types.Select(tag => _n.Equal(type, new Constant(16, tag))));
    }

    /// <summary>Starts the division of the time that the program uses; gives whether it is done.</summary>
    private Value Divide(Value isNew, Value time)
    {
        var divisors = TimeDivision.Divisors(_design.Functions);
        if (divisors.Count != 1) return FoldingBuilder.Bit(true);
        Quotient = new TimeQuotient(_n, divisors[0], isNew, time, _n.Extract(User, StreamUserLayout.TimeLow, 64));
        return _n.Not(Quotient.IsBusy);
    }
}
