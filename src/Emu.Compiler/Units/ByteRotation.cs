using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// Moves bytes by a distance that is computed (<see cref="RotationPlan"/>): a barrel shifter over a beat and the one
/// behind it.
/// </summary>
/// <remarks>
/// The head leaves as it came. Where it ends, beats are passed over, or leave while the one that is there stays; its
/// bytes in the beat in which it ends wait meanwhile. From then on each beat that leaves is rotated: lanes whose bytes
/// come from the beat behind are chosen first, so one rotation is enough.
/// </remarks>
internal sealed class ByteRotation : IByteMover
{
    private readonly Netlist _n;
    private readonly int _lanes;
    private readonly Flop _head, _lead, _isPast, _hasSkipped;
    private Value _headNow = null!, _leadNow = null!, _isInHead = null!, _headLanes = null!, _rotation = null!;
    private Value _isPastNow = null!;
    private BeatStep _step;
    private Value _waits = null!;

    /// <summary>Declares it.</summary>
    /// <param name="n">The netlist in which it is made.</param>
    /// <param name="lanes">Bytes of a beat.</param>
    /// <param name="bits">The bits of a length.</param>
    public ByteRotation(Netlist n, int lanes, int bits)
    {
        (_n, _lanes) = (n, lanes);
        var beatBits = bits - LaneBits;
        n.Begin("moves by a distance that is computed");
        _head = n.AddFlop("rotate_head", beatBits, 0, "whole beats of the head that still leave");
        _lead = n.AddFlop("rotate_lead", beatBits, 0, "beats that still leave, or are passed over, by themselves");
        _isPast = n.AddFlop("rotate_past", 1, 0, "the head has left");
        _hasSkipped = n.AddFlop("rotate_skipped", 1, 0, "the beat before was passed over");
    }

    /// <inheritdoc />
    public int BytesAhead => _lanes;

    /// <inheritdoc />
    public int Beats => 0;

    private int LaneBits => BitOperations.Log2((uint)_lanes);

    /// <inheritdoc />
    public BeatStep Begin(IReadOnlyList<Value> moves, Value isFirst)
    {
        var n = _n;
        if (moves is not [var headBeats, var headLanes, var lead, var holds, var rotation])
            throw new ArgumentException("a move by a computed distance has five values", nameof(moves));
        Value IsSome(Value count) => n.Not(n.Equal(count, FoldingBuilder.Zero(count.Width)));
        _headNow = n.Select(isFirst, headBeats, _head);
        _leadNow = n.Select(isFirst, lead, _lead);
        _isInHead = n.AddWire("rotate_in_head", IsSome(_headNow));
        _isPastNow = n.And(_isPast, n.Not(isFirst));
        _headLanes = headLanes;
        _rotation = n.Select(_isInHead, FoldingBuilder.Zero(rotation.Width), rotation);
        var leads = n.AddWire("rotate_leads", n.And(IsSome(_leadNow), n.Not(_isInHead)));
        var stays = n.And(leads, holds);
        _step = new BeatStep(
            stays, n.And(leads, n.Not(holds)), n.And(IsSome(rotation), n.Not(n.Or(_isInHead, stays))));
        return _step;
    }

    /// <inheritdoc />
    public void GoOn(Value acts, Value isPassed, Value isDone)
    {
        var n = _n;
        Value OneLess(Value count) => n.Subtract(count, new Constant(count.Width, 1));
        (_head.Next, _head.Enable) = (n.Select(_isInHead, OneLess(_headNow), _headNow), acts);
        (_lead.Next, _lead.Enable) =
            (n.Select(n.Or(_step.Holds, _step.Skips), OneLess(_leadNow), _leadNow), acts);
        (_isPast.Next, _isPast.Enable) =
            (n.And(n.Not(isDone), n.Or(_isPastNow, n.Not(n.Or(_isInHead, isPassed)))), acts);
        (_hasSkipped.Next, _hasSkipped.Enable) = (isPassed, acts);
        _waits = n.And(acts, n.And(isPassed, n.Not(_hasSkipped)));
    }

    /// <inheritdoc />
    public List<Value> Move(
        IReadOnlyList<Value> data, IReadOnlyList<Value> after, IReadOnlyList<Value> isBeat, Value acts)
    {
        var n = _n;
        Value IsBelow(int lane, Value count) => n.Less(new Constant(count.Width, (UInt128)lane), count);
        var isHere = n.Not(_step.Holds);
        List<Value> rotated = [.. data.Select((octet, lane) =>
            n.Select(n.And(isHere, IsBelow(lane, _rotation)), after[lane], octet))];
        for (var bit = 0; bit < LaneBits; bit++)
        {
            var (before, by) = (rotated, 1 << bit);
            var isBy = n.Extract(_rotation, bit, 1);
            rotated = [.. before.Select((octet, lane) => n.Select(isBy, before[(lane + by) % _lanes], octet))];
        }
        var isCut = n.AddWire("rotate_cut", n.Not(n.Or(_isInHead, _isPastNow)), "the head ends in this beat");
        return [.. rotated.Select((octet, lane) =>
        {
            var isInFront = n.And(isCut, IsBelow(lane, _headLanes));
            if (isInFront is Constant { Bits: var never } && never == 0) return octet;
            var waiting = n.RegisteredPart("rotate_front", -lane, data[lane], _waits);
            return n.Select(isInFront, n.Select(_hasSkipped, waiting, data[lane]), octet);
        })];
    }
}
