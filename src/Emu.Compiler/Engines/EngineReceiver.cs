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
    private Wire? _waits, _resumes;

    /// <summary>Makes it.</summary>
    public EngineReceiver(EngineDesign design)
    {
        (_design, _n) = (design, design.Netlist);
        var (n, options) = (_n, design.Options);
        var section = n.Begin("receive: a beat into each row, until the last");
        var arriving = design.Frames ?? AxiStream.Arriving(n, options);
        var receive = n.AddFlop("receive", 1, 0);
        var receivesHeld = design.Hold is null ? null : n.AddFlop("receive_held", 1, 0);
        var receives = receivesHeld is null ? receive : n.Or(receive, receivesHeld);
        var (data, keep, valid, isLast, user, ready) =
            receivesHeld is null ? arriving : Either(receivesHeld, arriving);
        Returns = n.DeclareWire("returns", 1, "the frame is done with");
        // A part has its frame's all the time, unless others come meanwhile.
        var kept = design.KeepsUser ? n.AddFlop("user", StreamUserLayout.Bits, 0, "tuser of the first beat") : null;
        User = kept ?? user;
        _length = n.AddFlop("length", design.LengthBits, 0, "bytes received");
        var admit = n.AddFlop("admit", 1, 0, "the frame is there");
        var row = n.AddFlop("row", design.Frame.RowBits, 0, "where the next beat goes");
        var isFirst = n.AddFlop("first", 1, 1);
        var isTooLong = n.AddFlop("too_long", 1, 0);
        if (design.Frames is null) n.Output("s_axis_tready", receive);
        ready.Source = receive;
        var time = n.Extract(user, StreamUserLayout.TimeLow, 64);
        Ticks = design.Compilation.Tick is null ? null : MakeTicks(arriving);
        var tickBegins = Ticks?.Begins ?? FoldingBuilder.Bit(false);

        n.Continue(section);
        var accept = n.AddWire("accept", n.And(valid, receives));
        if (receivesHeld is not null) design.Hold!.Beats.Ready.Source = n.And(accept, receivesHeld);
        var last = n.And(accept, isLast);
        (isFirst.Next, isFirst.Enable) = (isLast, accept);
        var isFull = n.Equal(row, new Constant(row.Width, (UInt128)(design.Rows - 1)));
        (row.Next, row.Enable) = (
            n.Select(admit, FoldingBuilder.Zero(row.Width), n.Add(row, new Constant(row.Width, 1))),
            n.Or(admit, n.And(accept, n.Not(isFull))));
        (isTooLong.Next, isTooLong.Enable) = (n.Not(admit), n.Or(admit, n.And(accept, isFull)));
        _length.Next = design.IsSlow ? n.Extract(user, 0, design.LengthBits) : CountedLength(keep, row);
        _length.Enable = n.And(accept, n.Not(isFull));
        var isNew = n.Or(n.And(accept, isFirst), tickBegins);
        if (kept is not null)
            (kept.Next, kept.Enable) = (Ticks is null ? user : n.Select(tickBegins, Ticks.User, user), isNew);
        for (var lane = 0; lane < options.Lanes; lane++) design.Frame.Write(receives, accept, lane, row, data[lane]);

        var eventTime = Ticks is null ? time : n.Select(tickBegins, Ticks.Time, time);
        var isDivided = n.And(Divide(isNew, eventTime), n.Not(design.Pauses));
        n.Begin("admit: whether the service sees the frame");
        List<Value> betweenEvents = [receives, admit];
        if (Ticks is null)
        {
            Pauses = n.AddWire(
                "pauses",
                n.And(
                    n.And(design.Resets, isFirst), n.And(n.And(receive, n.Not(accept)), design.IsOutermost)),
                "a reset while no frame is here");
        }
        else
        {
            Pauses = Ticks.Pauses;
            (var waits, TickAdmitted) = Ticks.Admit(isDivided);
            betweenEvents = [Ticks.Looks, .. betweenEvents, waits];
        }
        BetweenEvents = betweenEvents;
        admit.Next = n.Or(last, n.And(admit, n.Not(isDivided)));
        var admits = n.AddWire("admits", n.And(admit, isDivided));
        var isRight = IsRight(isTooLong, () => IsTagged(data, row, accept));
        Admitted = n.AddWire("admitted", n.And(admits, isRight));
        Refused = n.AddWire("refused", n.And(admits, n.Not(isRight)));
        Open(receive, receivesHeld, Ticks?.Opens ?? Returns, n.Not(n.Or(last, Pauses)));
        FramesIn = n.And(admits, HasBytes);
        if (receivesHeld is not null)
            FramesIn = n.And(FramesIn, n.Not(n.Registered("was_held", receivesHeld, 0, accept)));
        if (design.IsInterrupted is not null) Interrupt(kept!);
    }

    /// <summary>The bytes received.</summary>
    public Value Length => _length;

    /// <summary>False if the frame carries time alone.</summary>
    public Value HasBytes => _n.Not(_n.Equal(WholeLength, FoldingBuilder.Zero(WholeLength.Width)));

    /// <summary>
    /// The bytes that there were: of a frame too long for the circuit that a part is in, more than come.
    /// </summary>
    private Value WholeLength =>
        _design.IsSlow ? _n.Extract(User, 0, StreamUserLayout.LengthBits) : _length;

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

    private Value Source => _n.Extract(User, StreamUserLayout.SourceLow, 8);

    /// <summary>An input of the event.</summary>
    public Value Input(FrameInput input) => input switch
    {
        FrameInput.Length => _n.Resize(_length, 32),
        FrameInput.Ingress => _n.Resize(AxiStream.PortIndex(_n, Source, _design.Options.Ports), 8),
        _ => _n.Extract(User, StreamUserLayout.TimeLow, 64),
    };

    /// <summary>1 when an event begins to wait for a frame; its source is set by the program's end.</summary>
    public Wire Waits => _waits ??= _n.DeclareWire("waits", 1, "an event waits for a frame");

    /// <summary>1 when the frame that an event waited for is done with; its source is set by what ends it.</summary>
    public Wire Resumes => _resumes ??= _n.DeclareWire("resumes", 1, "the event that waited goes on");

    /// <summary>The ticks: those due by the time of the frame that is next, which may be one that is held.</summary>
    private TickTimer MakeTicks(BeatStream arriving)
    {
        var next = _design.Hold is { } hold ? Either(_n.Not(hold.IsEmpty), arriving) : arriving;
        return new TickTimer(_design, next.IsValid, _n.Extract(next.User, StreamUserLayout.TimeLow, 64), Returns);
    }

    /// <summary>The beats of the frames that are held, or of those that arrive.</summary>
    private BeatStream Either(Value isHeld, BeatStream arriving)
    {
        var held = _design.Hold!.Beats;
        Value Of(Value one, Value other) => _n.Select(isHeld, one, other);
        return new BeatStream(
            [.. held.Data.Zip(arriving.Data, Of)], Of(held.Keep, arriving.Keep), Of(held.IsValid, arriving.IsValid),
            Of(held.IsLast, arriving.IsLast), Of(held.User, arriving.User), arriving.Ready);
    }

    /// <summary>Takes beats from when an event is over, or waits, up to a frame's last beat.</summary>
    private void Open(Flop receive, Flop? receivesHeld, Value opens, Value goesOn)
    {
        if (_design.Hold is { } hold)
        {
            receivesHeld!.Next = _n.Or(_n.And(receivesHeld, goesOn), _n.And(opens, _n.Not(hold.IsEmpty)));
            opens = _n.And(opens, hold.IsEmpty);
        }
        // A frame that is no event does not end the waiting for one.
        if (_design.IsInterrupted is { } isInterrupted)
            opens = _n.ReduceOr([opens, Waits, _n.And(Refused, isInterrupted)]);
        receive.Next = _n.Or(_n.And(receive, goesOn), opens);
    }

    /// <summary>Keeps what is known of an event that waits, until it goes on.</summary>
    private void Interrupt(Flop user)
    {
        var (n, isInterrupted) = (_n, _design.IsInterrupted!);
        isInterrupted.Next = n.Or(Waits, n.And(isInterrupted, n.Not(Resumes)));
        foreach (var flop in new[] { user, _length })
        {
            var waiting = n.Registered("waiting", flop, 0, Waits);
            (flop.Next, flop.Enable) = (n.Select(Resumes, waiting, flop.Next), n.Or(Resumes, flop.Enable!));
        }
    }

    /// <summary>The bytes up to a beat in a row: all in front of it, and those that it has, the first ones.</summary>
    private Value CountedLength(Value keep, Value row)
    {
        var laneBits = System.Numerics.BitOperations.Log2((uint)keep.Width);
        var rowBits = _design.LengthBits - laneBits;
        var isWhole = _n.Extract(keep, keep.Width - 1, 1);
        return _n.Concat(
            _n.Add(_n.Resize(row, rowBits), _n.Resize(isWhole, rowBits)),
            _n.Extract(_n.Make(Opcode.PopCount, keep.Width, keep), 0, laneBits));
    }

    /// <summary>True if a frame has a right length and comes from a port.</summary>
    private Value IsRight(Value isTooLong, Func<Value> isTagged)
    {
        var (n, options) = (_n, _design.Options);
        // A frame that comes to a part was admitted before, unless a tick was due.
        if (_design.IsSlow && Ticks is null) return FoldingBuilder.Bit(true);
        var length = WholeLength;
        Constant Bytes(int count) => new(length.Width, (UInt128)count);
        var limit = n.Select(isTagged(), Bytes(options.Capacity), Bytes(options.Capacity - VlanTag.Length));
        var hasRightLength = n.And(
            n.Not(isTooLong),
            n.And(n.Not(n.Less(limit, length)), n.Not(n.Less(length, Bytes(FrameLength.Header)))));
        var sources = new Constant(8, (UInt128)StreamUserLayout.BitsOf(options.Ports));
        var hasSource = n.Not(n.Equal(n.And(Source, sources), FoldingBuilder.Zero(8)));
        return n.And(hasRightLength, hasSource);
    }

    /// <summary>
    /// IEEE 802.3-2022 §3.2.7: a tagged frame may be longer by its tag. Whether it is, is kept when its type
    /// comes: from the frame's memory the way to the end of the event would be long.
    /// </summary>
    private Flop IsTagged(IReadOnlyList<Value> data, Value row, Value accept)
    {
        var (beat, lane) = Math.DivRem(VlanTag.TypeOffset, data.Count);
        var type = _n.Concat(data[lane], data[lane + 1]);
        return _n.Registered(
            "is_tagged", _n.ReduceOr(VlanTag.Types.Select(tag => _n.Equal(type, new Constant(16, tag)))), 0,
            _n.And(accept, _n.Equal(row, new Constant(row.Width, (UInt128)beat))));
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
