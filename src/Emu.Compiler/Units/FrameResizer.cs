using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// Gives frames that leave another length, and moves their bytes: beats come as they were received, and leave as many
/// as the new length asks for.
/// </summary>
/// <remarks>
/// Which beat is taken for one that leaves, and what it is made of, its <see cref="IByteMover"/> says. The bytes behind
/// a frame's last byte are 0, so a frame that is longer than it was goes on with zeros; of one that is shorter, the
/// rest is passed over.
/// </remarks>
internal sealed class FrameResizer
{
    private readonly Netlist _n;
    private readonly int _lanes;
    private readonly IReadOnlyList<ResizePlan> _plans;
    private readonly IByteMover _mover;
    private readonly VerdictRecord _record;
    private readonly bool _isFast;

    /// <summary>Declares it.</summary>
    /// <param name="netlist">The netlist in which it is made.</param>
    /// <param name="lanes">Bytes of a beat.</param>
    /// <param name="mover">Moves bytes.</param>
    /// <param name="plans">The length of each copy, and of the frame itself, and the moves that it makes.</param>
    /// <param name="isFast">True if what leaves is compared before it is known which of them it is.</param>
    public FrameResizer(
        Netlist netlist, int lanes, IByteMover mover, IReadOnlyList<ResizePlan> plans, bool isFast = false)
    {
        (_n, _lanes, _mover, _plans, _isFast) = (netlist, lanes, mover, plans, isFast);
        _record = new VerdictRecord(plans.SelectMany(plan => plan.Values));
    }

    /// <summary>The values that have to be kept of a frame until it leaves.</summary>
    public IReadOnlyList<Value> Record => _record.Values;

    /// <summary>The first bytes of the next beat that a beat which leaves may have.</summary>
    public int BytesAhead => _mover.BytesAhead;

    /// <summary>Connects it.</summary>
    /// <param name="beats">Beats as they came, of frames whose record is there.</param>
    /// <param name="next">
    /// The first bytes of the beat behind, with a bit each that says whether it is the frame's,
    /// and whether such a beat is there.
    /// </param>
    /// <param name="record">The record of their frame, with that of the rewriter behind it.</param>
    /// <param name="isDropped">True if the frame does not leave.</param>
    /// <param name="isComplete">True if the frame's rest need not be taken beat by beat.</param>
    /// <param name="rewriter">Given the position of the beat that leaves, a bit for each of the first, and its bytes:
    /// gives the bytes with those that the service wrote.</param>
    /// <param name="emissions">What of the frame leaves now; its beats are passed over behind the last only.</param>
    /// <returns>The beats that leave, and 1 when a copy, or the frame, is done with.</returns>
    public (BeatStream Beats, Value IsDone) Resize(
        BeatStream beats, (List<Value> Data, Value Keep, Value IsThere) next, IReadOnlyList<Value> record,
        Value isDropped, Value isComplete, HeaderRewriter rewriter, Emissions emissions)
    {
        var n = _n;
        List<Value> kept =
        [
            .. Enumerable.Range(0, _plans[0].Values.Count)
                .Select(i => emissions.Of([.. _plans.Select(plan => _record.Of(plan.Values[i], record))])),
        ];
        n.Begin("length: beats as the new length asks for");
        var isSpent = n.AddFlop("resize_spent", 1, 0, "all beats of the frame have been taken; zeros follow");
        var isSent = n.AddFlop("resize_sent", 1, 0, "all that leaves has left; the rest is passed over");
        var isFirst = n.AddFlop("resize_first", 1, 1);
        var bits = kept[1].Width - LaneBits;
        var left = n.AddFlop("resize_beats", bits, 0, "beats that leave behind this one");
        var behind = n.AddWire("resize_behind", n.Select(isFirst, n.Extract(kept[1], LaneBits, bits), left));
        Value IsNone(Value beats) => n.Equal(beats, FoldingBuilder.Zero(bits));
        var isEnd = _isFast
            ? n.Select(
                isFirst,
                emissions.Of([.. _plans.Select(plan =>
                    IsNone(n.Extract(_record.Of(plan.Values[1], record), LaneBits, bits)))]),
                IsNone(left))
            : IsNone(behind);

        var isCleared = _plans[0].Cleared is null ? FoldingBuilder.Bit(false) : kept[^1];
        var step = _mover.Begin(kept[2..(2 + _plans[0].Moves.Count)], isFirst);
        var isWhole = n.Or(n.Or(beats.IsLast, next.IsThere), n.Not(step.NeedsNext));
        var isSkipped = n.Or(isDropped, isSent);
        var isAhead = n.And(step.Holds, n.Not(isSkipped));
        var isPassed = n.And(step.Skips, n.Not(n.Or(isSkipped, isSpent)));
        var isValid = n.AddWire("resize_valid", n.And(
            n.Not(n.Or(isSkipped, isPassed)), n.Or(isSpent, n.And(beats.IsValid, isWhole))));
        var taken = n.DeclareWire("resize_taken", 1, "a beat leaves");
        var skips = n.And(beats.IsValid, n.Or(n.And(isSkipped, n.Not(isSpent)), isPassed));
        var acts = n.Or(taken, skips);
        var isAllTaken = n.Or(isSpent, n.And(beats.IsLast, n.Not(isAhead)));
        var isAllSent = n.Or(isSkipped, n.And(isEnd, n.Not(isPassed)));
        var isAllRead = n.ReduceOr([isAllTaken, isComplete, n.Not(emissions.IsLast)]);
        var done = n.AddWire("resize_done", n.And(acts, n.And(isAllRead, isAllSent)));
        (isSpent.Next, isSpent.Enable) = (n.And(isAllTaken, n.Not(isAllSent)), acts);
        (isSent.Next, isSent.Enable) = (n.And(isAllSent, n.Not(isAllRead)), acts);
        (isFirst.Next, isFirst.Enable) = (done, acts);
        (left.Next, left.Enable) =
            (n.Select(isPassed, behind, n.Subtract(behind, new Constant(bits, 1))), acts);
        _mover.GoOn(acts, isPassed, done);
        beats.Ready.Source = n.And(acts, n.Not(n.Or(isSpent, isAhead)));

        var leaves = n.And(acts, n.Not(isPassed));
        var isBeat = BeatPosition.OneHot(n, Math.Max(rewriter.Beats, _mover.Beats), leaves, done);
        var came = Present(beats.Data, beats.Keep, n.Not(n.Or(isSpent, isCleared)));
        var behindIt = Present(next.Data, next.Keep, n.Not(n.Or(isAllTaken, isCleared)));
        var data = _mover.Move(came, behindIt, isBeat, acts);
        var lastLane = n.Extract(kept[1], 0, LaneBits);
        var keep = Enumerable.Range(0, _lanes)
            .Select(i => n.Or(n.Not(isEnd), n.Not(n.Less(lastLane, new Constant(LaneBits, (UInt128)i)))))
            .Aggregate((low, high) => n.Concat(high, low));
        var user = n.Concat(
            n.Extract(beats.User, StreamUserLayout.LengthBits, StreamUserLayout.Bits - StreamUserLayout.LengthBits),
            n.Resize(kept[0], StreamUserLayout.LengthBits));
        return (new BeatStream(
            rewriter.Apply(data, isBeat, leaves, done, [.. record.Skip(Record.Count)], emissions.IsNow),
            keep, isValid, isEnd, user, taken), done);
    }

    private int LaneBits => System.Numerics.BitOperations.Log2((uint)_lanes);

    /// <summary>Bytes that are the frame's, and 0 in place of others.</summary>
    private List<Value> Present(IReadOnlyList<Value> data, Value keep, Value isThere) =>
        [.. data.Select((octet, i) =>
            _n.Select(_n.And(_n.Extract(keep, i, 1), isThere), octet, FoldingBuilder.Zero(8)))];
}
