using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// One of several engines of a slow path, between two queues of beats: a frame waits in front of it while it works on
/// another, and what has left it waits behind it for its turn.
/// </summary>
internal sealed class SlowPathLane
{
    /// <summary>Room for what comes while the last word of readiness is on the way, or the beat.</summary>
    private const int Slack = 3;

    private readonly Netlist _n;
    private readonly bool _isFast;

    /// <summary>Makes it.</summary>
    /// <param name="n">The netlist in which it is made, as a part.</param>
    /// <param name="mostBeats">The beats of the longest frame.</param>
    /// <param name="dealt">The beats that are dealt to it, each as it comes.</param>
    /// <param name="isFast">True at a fast clock.</param>
    /// <param name="make">Makes the engine, given the frames that come to it.</param>
    public SlowPathLane(
        Netlist n, int mostBeats, BeatStream dealt, bool isFast, Func<BeatStream, SlowPathSignals> make)
    {
        (_n, _isFast) = (n, isFast);
        n.Begin("a frame waits in front of it");
        var comes = dealt.IsValid;
        var waiting = new WordQueue(
            n, "in", mostBeats, [.. dealt.Data, dealt.Keep, dealt.IsLast], comes, isFast);
        var isLast = waiting.Head[^1];
        var beats = new BeatStream(
            [.. waiting.Head.SkipLast(2)], waiting.Head[^2], waiting.IsOccupied, isLast,
            n.Registered("in_user", dealt.User, null, comes), n.DeclareWire("in_taken", 1));
        waiting.Pop.Source = n.And(beats.IsValid, beats.Ready);
        var hasFrame = n.AddFlop("in_has_frame", 1, 0, "a frame comes, or waits for the engine");
        hasFrame.Next = n.Or(comes, n.And(hasFrame, n.Not(n.And(waiting.Pop, isLast))));
        var signals = make(beats);
        IsFree = n.And(signals.Place!.IsReceiving, n.Not(hasFrame));
        n.Begin("what has left it waits");
        Left = Gather(signals, dealt.Data.Count / signals.Sent.Data.Count, mostBeats);
    }

    /// <summary>True if another frame may be dealt to it.</summary>
    public Value IsFree { get; }

    /// <summary>
    /// The beats that have left it: bytes, those of them that are the frame's, whether it is the frame's last,
    /// <c>tuser</c>, and last whether it is none, but the end of what was sent for a frame.
    /// </summary>
    public WordQueue Left { get; }

    /// <summary>Gathers beats of parts, which are as narrow as the engine.</summary>
    private WordQueue Gather(SlowPathSignals signals, int parts, int depth)
    {
        var (sent, isOver) = (signals.Sent, signals.Place!.IsOver);
        var n = _n;
        var comes = n.AddWire("out_comes", n.And(sent.IsValid, sent.Ready));
        var bits = Math.Max(1, BitOperations.Log2((uint)parts));
        Constant Number(int part) => new(bits, (UInt128)part);
        Value part = parts == 1 ? Number(0) : n.AddFlop("out_part", bits, 0, "of the beat, which comes next");
        var isWhole = n.Or(n.Equal(part, Number(parts - 1)), sent.IsLast);
        if (part is Flop flop)
        {
            (flop.Next, flop.Enable) = (
                n.Select(isWhole, Number(0), n.Add(flop, Number(1))), comes);
        }
        var none = FoldingBuilder.Zero(sent.Keep.Width);
        var all = new Constant(none.Width, Arithmetic.Mask(none.Width));
        var (data, keep) = (new List<Value>(), new List<Value>());
        for (var i = 0; i < parts; i++)
        {
            var (isNow, isBehind) = (n.Equal(part, Number(i)), n.Less(Number(i), part));
            var loads = n.And(comes, isNow);
            data.AddRange(sent.Data.Select(octet => i == parts - 1
                ? octet
                : n.Select(isNow, octet, n.Registered("out_before", octet, null, loads))));
            keep.Add(n.Select(isNow, sent.Keep, n.Select(isBehind, all, none)));
        }
        var ends = n.DeclareWire("out_ends", 1, "all that leaves for a frame is there");
        List<Value> beat = [.. data, keep.Aggregate((low, high) => n.Concat(high, low)), sent.IsLast, sent.User, ends];
        Value push = n.Or(n.And(comes, isWhole), ends);
        if (_isFast)
        {
            beat = beat.ConvertAll(value => (Value)n.Registered("out_beat", value));
            push = n.Registered("out_push", push, 0);
        }
        var left = new WordQueue(n, "out", depth, beat, push, _isFast);
        var hasRoom = n.Registered("out_has_room", left.HasRoomFor(Slack), 0);
        sent.Ready.Source = hasRoom;
        ends.Source = n.And(hasRoom, n.And(isOver, n.Not(sent.IsValid)));
        isOver.Next = n.Or(signals.Finished, n.And(isOver, n.Not(ends)));
        return left;
    }
}
