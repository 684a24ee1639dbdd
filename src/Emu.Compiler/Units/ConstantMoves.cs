using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>Moves bytes by one of a few distances that are constants.</summary>
/// <remarks>
/// Where bytes move by less than a beat, one that leaves is made of two that came: the one before or the one behind.
/// By whole beats they move by leaving beats before any is taken, or by passing over beats before any leaves; the bytes
/// in front of those that move are written then.
/// </remarks>
/// <param name="n">The netlist in which it is made.</param>
/// <param name="lanes">Bytes of a beat.</param>
/// <param name="moves">
/// The distances by which bytes move, negative to the front, and the offset from which on they do.
/// </param>
internal sealed class ConstantMoves(Netlist n, int lanes, IReadOnlyList<(int Start, int Distance)> moves) : IByteMover
{
    private IReadOnlyList<Value> _isMade = [];
    private Action<Value> _goOn = _ => { };

    /// <inheritdoc />
    public int BytesAhead => moves.Select(m => -m.Distance % lanes).Append(0).Max();

    /// <inheritdoc />
    public int Beats => moves.Where(IsFine).Select(m => m.Start / lanes + 1).Append(0).Max();

    private int BytesBehind => moves.Select(m => m.Distance % lanes).Append(0).Max();

    /// <inheritdoc />
    public BeatStep Begin(IReadOnlyList<Value> moves, Value isFirst)
    {
        _isMade = moves;
        var needsNext = If(distance => -distance % lanes > 0);
        var (holds, skips) = Lead(isFirst);
        return new BeatStep(holds, skips, needsNext);
    }

    /// <inheritdoc />
    public void GoOn(Value acts, Value isPassed, Value isDone) => _goOn(acts);

    /// <inheritdoc />
    public List<Value> Move(
        IReadOnlyList<Value> data, IReadOnlyList<Value> after, IReadOnlyList<Value> isBeat, Value acts)
    {
        var before = data.TakeLast(BytesBehind)
            .Select((octet, i) => (Value)n.RegisteredPart("resize_before", -i, octet, acts)).ToList();
        List<Value> all = [.. before, .. data, .. after];
        return [.. data.Select((octet, lane) =>
        {
            var moved = octet;
            foreach (var (i, move) in moves.Index())
            {
                // Where bytes move by a beat or more, those in front are written.
                var isInFront = IsFine(move)
                    ? n.ReduceOr(isBeat.Where((_, beat) => beat * lanes + lane < move.Start))
                    : FoldingBuilder.Bit(false);
                moved = n.Select(
                    n.And(_isMade[i], n.Not(isInFront)),
                    all[before.Count + lane - move.Distance % lanes],
                    moved);
            }
            return moved;
        })];
    }

    /// <summary>True if bytes are moved by less than a beat.</summary>
    private bool IsFine((int Start, int Distance) move) => Math.Abs(move.Distance) < lanes;

    /// <summary>True if one of the moves of a kind is made.</summary>
    private Value If(Func<int, bool> isOfKind) => n.ReduceOr(
        moves.Select((move, i) => isOfKind(move.Distance) ? _isMade[i] : FoldingBuilder.Bit(false)));

    /// <summary>
    /// The beats that leave before any is taken, or that are passed over before any leaves: true while there are such.
    /// </summary>
    private (Value Holds, Value Skips) Lead(Value isFirst)
    {
        var most = moves.Select(m => Math.Abs(m.Distance) / lanes).Append(0).Max();
        if (most == 0) return (FoldingBuilder.Bit(false), FoldingBuilder.Bit(false));
        var bits = Interval.Of((UInt128)most).Width;
        var after = n.AddFlop("resize_lead", bits, 0, "beats that still leave, or are passed over, by themselves");
        var first = n.SelectOneHot(bits, moves.Select((move, i) =>
            (_isMade[i], (Value)new Constant(bits, (UInt128)(Math.Abs(move.Distance) / lanes)))));
        var now = n.AddWire("resize_lead_now", n.Select(isFirst, first, after));
        var isOver = n.Equal(now, FoldingBuilder.Zero(bits));
        Value Is(Func<int, bool> isOfKind) => n.And(n.Not(isOver), If(isOfKind));
        _goOn = acts => (after.Next, after.Enable) =
            (n.Select(isOver, FoldingBuilder.Zero(bits), n.Subtract(now, new Constant(bits, 1))), acts);
        return (Is(distance => distance > 0), Is(distance => distance < 0));
    }
}
