using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// A slow path of several engines: a frame is dealt to one that is free, all others go by, and the order in which
/// frames have come is kept for what leaves (a reorder buffer; Smith and Pleszkun 1988, <em>Implementing precise
/// interrupts in pipelined processors</em>).
/// </summary>
/// <remarks>
/// A queue says of each frame that is to leave, in order, which engine has it, if any. Others wait in a queue of beats,
/// frames of the slow path behind the engine that has worked on them. So a frame that takes long holds
/// back the exit of those behind it, and neither their entry nor their work, until a queue is full.
/// </remarks>
internal sealed class SlowPathGroup : ISlowPathGate
{
    /// <summary>
    /// The beats of other frames that wait, for each engine, and the frames that do: a frame may take an engine ten
    /// times as long as most do, and all that follow it wait meanwhile.
    /// </summary>
    private const int BeatsOfOthers = 16, Frames = 32;

    private const int LeastDepth = 64;

    /// <summary>Room for what comes while the last words of readiness are on the way.</summary>
    private const int Slack = 4;

    private readonly Netlist _n;
    private readonly int _lanes, _depth;
    private readonly bool _isFast;
    private readonly List<SlowPathLane> _engines;
    private readonly List<Flop> _dealt;
    private readonly Wire _isAlone, _hasRoom, _isBusy;

    /// <summary>Makes it.</summary>
    /// <param name="n">The netlist in which it is made.</param>
    /// <param name="section">The section of what is before it.</param>
    /// <param name="options">The device.</param>
    /// <param name="mostBeats">The beats of the longest frame.</param>
    /// <param name="beats">All beats; the source of <see cref="BeatStream.Ready"/> is set here.</param>
    /// <param name="isSlow">True if a beat is of a frame of the slow path.</param>
    /// <param name="slowPath">Makes the engines.</param>
    public SlowPathGroup(
        Netlist n, Section section, HardwareOptions options, int mostBeats, BeatStream beats, Value isSlow,
        SlowPath slowPath)
    {
        (_n, _lanes, _isFast) = (n, options.Lanes, options.IsFast);
        _depth = Math.Max(LeastDepth, BeatsOfOthers * slowPath.Engines);
        _isAlone = n.DeclareWire("slow_alone", 1, "no beat of a frame ahead is on its way to the output");
        _hasRoom = n.DeclareWire("leaving_has_room", 1);
        _isBusy = n.DeclareWire("slow_busy", 1, "a frame of the slow path, or one behind it, has not left");
        var others = n.DeclareWire("others_taken", 1);
        var takes = n.DeclareWire("slow_takes", 1, "a beat of a frame of the slow path is dealt");
        List<Flop> to =
        [
            .. Enumerable.Range(0, slowPath.Engines).Select(i =>
                n.AddFlop($"slow_to_{i}", 1, 0, "this engine gets the next frame")),
        ];
        var dealt = beats with { Data = FifoWords.Bytes(n, beats.Data) };
        _engines =
        [
            .. Enumerable.Range(0, slowPath.Engines).Select(i => Named(i, () => new SlowPathLane(
                n, mostBeats, dealt with { IsValid = n.And(takes, to[i]) }, options.IsFast,
                frames => slowPath.Make(i, frames)))),
        ];
        n.Continue(section);
        var isChosen = n.ReduceOr(to);
        takes.Source = n.And(n.And(beats.IsValid, isSlow), n.And(n.And(_isAlone, _hasRoom), isChosen));
        beats.Ready.Source = n.Or(takes, others);
        Released = n.AddWire("slow_released", n.And(takes, beats.IsLast));
        Choose(to, n.Or(Released, n.Not(isChosen)));
        _dealt = to;
        Others = beats with { IsValid = n.And(beats.IsValid, n.Not(isSlow)), Ready = others };
    }

    /// <summary>
    /// Chooses the first engine that is free. One after the other in a ring would have each wait for those that work
    /// longer.
    /// </summary>
    private void Choose(List<Flop> to, Value chooses)
    {
        var n = _n;
        List<Value> isFree = [.. _engines.Zip(to, (engine, isNow) => n.And(engine.IsFree, n.Not(isNow)))];
        for (var i = 0; i < to.Count; i++)
            (to[i].Next, to[i].Enable) = (n.And(isFree[i], n.Not(n.ReduceOr(isFree[..i]))), chooses);
    }

    /// <summary>A value, a cycle later at a fast clock.</summary>
    private Value Later(Value value, UInt128? reset) =>
        _isFast ? _n.Registered("leaving_later", value, reset) : value;

    /// <summary>The number of the one of several bits that is 1.</summary>
    private Value NumberOf(List<Flop> bits) => Enumerable
        .Range(0, BitOperations.Log2((uint)bits.Count - 1) + 1)
        .Select(digit => _n.ReduceOr(bits.Where((_, i) => (i >> digit & 1) != 0)))
        .Aggregate((low, high) => _n.Concat(high, low));

    /// <summary>Makes a part of an engine, under its name.</summary>
    private T Named<T>(int number, Func<T> make)
    {
        _n.Part = ("slow engine", number);
        var made = make();
        _n.Part = null;
        return made;
    }

    /// <inheritdoc />
    public BeatStream Others { get; }

    /// <inheritdoc />
    public Value IsBusy => _isBusy;

    /// <inheritdoc />
    public Value IsOpen => FoldingBuilder.Bit(false);

    /// <inheritdoc />
    public Value IsWaiting => FoldingBuilder.Bit(false);

    /// <inheritdoc />
    public Value Released { get; }

    /// <inheritdoc />
    public void Leave(BeatStream others, Value isDropped, Value isLeaving)
    {
        var n = _n;
        n.Begin("order: frames leave as they came, those of the slow path and all others");
        _isAlone.Source = n.Not(isLeaving);
        others.Ready.Source = n.And(others.IsValid, n.Or(_hasRoom, isDropped));
        var keeps = n.AddWire("leaving_kept", n.And(n.And(others.IsValid, _hasRoom), n.Not(isDropped)));
        var isFirst = n.AddFlop("leaving_first", 1, 1);
        (isFirst.Next, isFirst.Enable) = (others.IsLast, keeps);
        // A frame may leave before its last beat has come, so that the queue need not hold the longest.
        var isNew = n.AddWire("leaving_new", n.Or(Released, n.And(keeps, isFirst)));
        var begins = Later(isNew, 0);
        var beats = new WordQueue(
            n, "leaving", _depth,
            [.. FifoWords.Bytes(n, others.Data).Append(others.Keep).Append(others.IsLast).Append(others.User)
                .Select(value => Later(value, null))],
            Later(keeps, 0), _isFast);
        var order = new WordQueue(
            n, "leaving_order", Frames * _engines.Count,
            [.. new[] { Released, NumberOf(_dealt) }.Select(value => Later(value, null))], begins, _isFast);
        _hasRoom.Source = n.Registered(
            "leaving_room", n.And(beats.HasRoomFor(Slack), order.HasRoomFor(Slack)), 0);
        var goesOn = n.DeclareWire("leaving_goes_on", 1, "all of a frame has been taken, or none is next");
        var isSome = n.Registered("leaving_some", order.IsOccupied, 0, goesOn);
        var (isNow, isOtherNow) = Next(order, goesOn);
        var (isLoaded, canLoad) = (n.AddFlop("leaving_loaded", 1, 0), n.DeclareWire("leaving_can_load", 1));
        var isOther = n.And(n.And(isOtherNow, beats.IsOccupied), canLoad);
        List<Value> isFrom =
            [.. isNow.Zip(_engines, (now, engine) => n.And(n.And(now, engine.Left.IsOccupied), canLoad))];
        List<Value> ends = [.. isFrom.Zip(_engines, (from, engine) => n.And(from, engine.Left.Head[^1]))];
        goesOn.Source = n.ReduceOr([.. ends, n.And(isOther, beats.Head[_lanes + 1]), n.Not(isSome)]);
        beats.Pop.Source = isOther;
        foreach (var (from, engine) in isFrom.Zip(_engines)) engine.Left.Pop.Source = from;

        List<Value> beat =
        [
            .. Enumerable.Range(0, beats.Head.Count).Select(i => (Value)n.Registered(
                "leaving_now",
                n.SelectOneHot(
                    beats.Head[i].Width,
                    [(isOtherNow, beats.Head[i]), .. isNow.Zip(_engines, (now, engine) => (now, engine.Left.Head[i]))]),
                null, canLoad)),
        ];
        var leaving = new BeatStream(
            beat[.._lanes], beat[_lanes], isLoaded, beat[_lanes + 1], beat[_lanes + 2],
            n.DeclareWire("leaving_taken", 1));
        canLoad.Source = n.Or(n.Not(isLoaded), leaving.Ready);
        var loads = n.Or(isOther, n.ReduceOr(isFrom.Zip(ends, (from, end) => n.And(from, n.Not(end)))));
        isLoaded.Next = n.Or(loads, n.And(isLoaded, n.Not(leaving.Ready)));
        _isBusy.Source = n.Registered(
            "leaving_busy", n.ReduceOr([isNew, begins, order.IsOccupied, isSome, isLoaded]), 0);
        FrameOutput.Build(n, _lanes, leaving, FoldingBuilder.Bit(false), null);
    }

    /// <summary>The frame that is to leave next: which engine has it, or that none has it; none of both if none is to.
    /// </summary>
    private (List<Flop> IsEngines, Flop IsOther) Next(WordQueue order, Value goesOn)
    {
        var n = _n;
        List<Flop> isNow = [.. _engines.Select((_, i) => n.AddFlop($"leaving_from_{i}", 1, 0))];
        var isOther = n.AddFlop("leaving_other", 1, 0);
        order.Pop.Source = n.And(goesOn, order.IsOccupied);
        var (isSlow, number) = (n.And(order.IsOccupied, order.Head[0]), order.Head[1]);
        foreach (var (i, now) in isNow.Index())
        {
            (now.Next, now.Enable) =
                (n.And(isSlow, n.Equal(number, new Constant(number.Width, (UInt128)i))), goesOn);
        }
        (isOther.Next, isOther.Enable) = (n.And(order.IsOccupied, n.Not(order.Head[0])), goesOn);
        return (isNow, isOther);
    }
}
