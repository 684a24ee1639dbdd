using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Units;

/// <summary>
/// Gives frames that leave another length, and moves their bytes: beats come as they were received, and leave as many
/// as the new length asks for.
/// </summary>
/// <remarks>
/// Bytes move by less than a beat, so a beat that leaves is made of two that came: the one before or the one behind.
/// The bytes behind a frame's last byte are 0, so a frame that is longer than it was goes on with zeros; of one that is
/// shorter, the rest is passed over.
/// </remarks>
internal sealed class FrameResizer
{
    private readonly Netlist _n;
    private readonly int _lanes;
    private readonly Value _length;
    private readonly Value _last;
    private readonly List<(Value Condition, int From, int To)> _moves;

    /// <summary>Declares it.</summary>
    /// <param name="netlist">The netlist in which it is made.</param>
    /// <param name="lanes">Bytes of a beat.</param>
    /// <param name="length">The new length, in the stage of the verdict.</param>
    /// <param name="last">The offset of the last byte: one less.</param>
    /// <param name="moves">The moves of the bytes from an offset on to another; at most one condition holds.</param>
    public FrameResizer(
        Netlist netlist, int lanes, Value length, Value last, IEnumerable<(Value Condition, int From, int To)> moves)
    {
        (_n, _lanes, _length, _last, _moves) = (netlist, lanes, length, last, [.. moves]);
    }

    /// <summary>The reason for which bytes are not moved so here; null if they can be.</summary>
    public static PipelineObstacle? Obstacle(int lanes, IEnumerable<(int From, int To)> moves) =>
        moves.Any(move => Math.Abs(move.To - move.From) >= lanes)
            ? new PipelineObstacle($"bytes are moved by {lanes} or more, a beat of the bus", null)
            : null;

    /// <summary>The values that have to be kept of a frame until it leaves.</summary>
    public IReadOnlyList<Value> Record => [_length, _last, .. _moves.Select(m => m.Condition)];

    /// <summary>The first bytes of the next beat that a beat which leaves may have.</summary>
    public int BytesAhead => _moves.Select(m => m.From - m.To).Append(0).Max();

    private int BytesBehind => _moves.Select(m => m.To - m.From).Append(0).Max();

    /// <summary>Connects it.</summary>
    /// <param name="beats">Beats as they came, of frames whose record is there.</param>
    /// <param name="next">
    /// The first bytes of the beat behind, with a bit each that says whether it is the frame's,
    /// and whether such a beat is there.
    /// </param>
    /// <param name="kept">The record of their frame.</param>
    /// <param name="isDropped">True if the frame does not leave.</param>
    /// <param name="rewriter">Given the position of the beat that leaves, a bit for each of the first, and its bytes:
    /// gives the bytes with those that the service wrote.</param>
    /// <returns>The beats that leave, and 1 when a frame is done with.</returns>
    public (BeatStream Beats, Value IsDone) Resize(
        BeatStream beats, (List<Value> Data, Value Keep, Value IsThere) next, IReadOnlyList<Value> kept,
        Value isDropped, HeaderRewriter rewriter)
    {
        var n = _n;
        n.Begin("length: beats as the new length asks for");
        var isSpent = n.AddFlop("resize_spent", 1, 0, "all beats of the frame have been taken; zeros follow");
        var isSent = n.AddFlop("resize_sent", 1, 0, "all that leaves has left; the rest is passed over");
        var isFirst = n.AddFlop("resize_first", 1, 1);
        var bits = _last.Width - LaneBits;
        var left = n.AddFlop("resize_beats", bits, 0, "beats that leave behind this one");
        var behind = n.AddWire("resize_behind", n.Select(isFirst, n.Extract(kept[1], LaneBits, bits), left));
        var isEnd = n.Equal(behind, FoldingBuilder.Zero(bits));

        var isDownward = n.ReduceOr(_moves.Select((m, i) => m.To < m.From ? kept[2 + i] : FoldingBuilder.Bit(false)));
        var isWhole = n.Or(n.Or(beats.IsLast, next.IsThere), n.Not(isDownward));
        var isSkipped = n.Or(isDropped, isSent);
        var isValid = n.AddWire("resize_valid", n.And(n.Not(isSkipped), n.Or(isSpent, n.And(beats.IsValid, isWhole))));
        var taken = n.DeclareWire("resize_taken", 1, "a beat leaves");
        var skips = n.And(beats.IsValid, n.And(isSkipped, n.Not(isSpent)));
        var acts = n.Or(taken, skips);
        var isAllTaken = n.Or(isSpent, beats.IsLast);
        var isAllSent = n.Or(isSkipped, isEnd);
        var done = n.AddWire("resize_done", n.And(acts, n.And(isAllTaken, isAllSent)));
        (isSpent.Next, isSpent.Enable) = (n.And(isAllTaken, n.Not(isAllSent)), acts);
        (isSent.Next, isSent.Enable) = (n.And(isAllSent, n.Not(isAllTaken)), acts);
        (isFirst.Next, isFirst.Enable) = (done, acts);
        (left.Next, left.Enable) = (n.Subtract(behind, new Constant(bits, 1)), acts);
        beats.Ready.Source = n.And(acts, n.Not(isSpent));

        var isBeat = BeatPosition.OneHot(
            n, Math.Max(rewriter.Beats, _moves.Select(m => m.To / _lanes + 1).Append(0).Max()), acts, done);
        var came = Present(beats.Data, beats.Keep, n.Not(isSpent));
        var data = Moved(came, Present(next.Data, next.Keep, n.Not(isAllTaken)), kept, isBeat, acts);
        var lastLane = n.Extract(kept[1], 0, LaneBits);
        var keep = Enumerable.Range(0, _lanes)
            .Select(i => n.Or(n.Not(isEnd), n.Not(n.Less(lastLane, new Constant(LaneBits, (UInt128)i)))))
            .Aggregate((low, high) => n.Concat(high, low));
        var user = n.Concat(
            n.Extract(beats.User, StreamUserLayout.LengthBits, StreamUserLayout.Bits - StreamUserLayout.LengthBits),
            n.Resize(kept[0], StreamUserLayout.LengthBits));
        return (new BeatStream(
            rewriter.Apply(data, isBeat, [.. kept.Skip(Record.Count)]), keep, isValid, isEnd, user, taken), done);
    }

    private int LaneBits => System.Numerics.BitOperations.Log2((uint)_lanes);

    /// <summary>Bytes that are the frame's, and 0 in place of others.</summary>
    private List<Value> Present(IReadOnlyList<Value> data, Value keep, Value isThere) =>
        [.. data.Select((octet, i) =>
            _n.Select(_n.And(_n.Extract(keep, i, 1), isThere), octet, FoldingBuilder.Zero(8)))];

    /// <summary>The bytes of a beat that leaves.</summary>
    private List<Value> Moved(
        List<Value> data, List<Value> after, IReadOnlyList<Value> kept, List<Value> isBeat, Value acts)
    {
        var before = data.TakeLast(BytesBehind)
            .Select((octet, i) => (Value)_n.RegisteredPart("resize_before", -i, octet, acts)).ToList();
        List<Value> all = [.. before, .. data, .. after];
        return [.. data.Select((octet, lane) =>
        {
            var moved = octet;
            foreach (var (i, (_, from, to)) in _moves.Index())
            {
                var isInFront = _n.ReduceOr(isBeat.Where((_, beat) => beat * _lanes + lane < to));
                moved = _n.Select(
                    _n.And(kept[2 + i], _n.Not(isInFront)), all[before.Count + lane - (to - from)], moved);
            }
            return moved;
        })];
    }
}
