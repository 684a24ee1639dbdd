using Emu.Compiler.IR;

namespace Emu.Compiler.Scheduling;

/// <summary>The bytes of a frame that leaves, or of a copy: those that came, moved, and others put in.</summary>
/// <param name="Bytes">Bytes that are put in, by their offset: when, and what they are then.</param>
/// <param name="Moves">The moves, of which at most one is made.</param>
/// <param name="Maps">The loops that have written bytes, in their order; none where bytes have moved.</param>
/// <param name="Placed">Bytes that are put in at places that are computed, over all others and in this order.</param>
/// <param name="Loaded">Bytes of tables that are put in over all these, in this order.</param>
/// <param name="Cleared">The condition under which none of the bytes that came is left; null where all are.</param>
internal sealed record LeavingFrame(
    IReadOnlyList<(int Offset, Value Condition, Value Byte)> Bytes,
    IReadOnlyList<LeavingMove> Moves, IReadOnlyList<MappedBytes> Maps, IReadOnlyList<PlacedBytes> Placed,
    IReadOnlyList<LoadedBytes> Loaded, Value? Cleared = null)
{
    /// <summary>True if the distance of a move is computed.</summary>
    public bool IsComputed => Moves.Any(move => move.Computed is not null);
}

/// <summary>A way in which the bytes of a frame that leaves have moved.</summary>
/// <param name="Condition">The condition under which they have.</param>
/// <param name="Start">The offset from which on all have moved, where it is a constant.</param>
/// <param name="Distance">By how many bytes, negative to the front, where it is a constant.</param>
/// <param name="Computed">
/// Where they are computed, the first byte of those that move to the front, and the offset that it has then.
/// </param>
internal sealed record LeavingMove(Value Condition, int Start, int Distance, (Value From, Value To)? Computed);

/// <summary>Bytes that are put into a frame at a place that is computed.</summary>
/// <param name="Offset">The offset of the first.</param>
/// <param name="Bytes">The bytes, each behind the first by so many: when, and what it is then.</param>
internal sealed record PlacedBytes(Value Offset, IReadOnlyList<(int Place, Value Condition, Value Byte)> Bytes)
{
    /// <summary>All values that they are computed from.</summary>
    public IEnumerable<Value> Values => Bytes.SelectMany(b => new[] { b.Condition, b.Byte }).Prepend(Offset);

    /// <summary>The same with other values.</summary>
    /// <param name="now">Gives the value that stands for another.</param>
    public PlacedBytes At(Func<Value, Value> now) =>
        new(now(Offset), [.. Bytes.Select(b => (b.Place, now(b.Condition), now(b.Byte)))]);
}

/// <summary>Bytes of a table that are put into a frame, one after the other.</summary>
/// <param name="Table">The table, a memory of bytes that no frame of the pipeline writes.</param>
/// <param name="Index">
/// The index that a byte at offset 0 would have, modulo a power of two that no index reaches.
/// </param>
/// <param name="Offset">The offset of the first byte.</param>
/// <param name="End">The offset behind the last; 0 where none is put in.</param>
internal sealed record LoadedBytes(Memory Table, Value Index, Value Offset, Value End)
{
    /// <summary>All values that they are computed from.</summary>
    public IEnumerable<Value> Values => [Index, Offset, End];

    /// <summary>The same with other values.</summary>
    /// <param name="now">Gives the value that stands for another.</param>
    public LoadedBytes At(Func<Value, Value> now) => new(Table, now(Index), now(Offset), now(End));
}

/// <summary>A copy of the frame that is sent.</summary>
/// <param name="Condition">The condition under which it is.</param>
/// <param name="Length">The number of its bytes.</param>
/// <param name="Egress">The ports by which it leaves.</param>
/// <param name="Frame">Its bytes.</param>
internal sealed record SentCopy(Value Condition, Value Length, Value Egress, LeavingFrame Frame);
