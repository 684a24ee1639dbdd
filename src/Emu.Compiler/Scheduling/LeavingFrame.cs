using Emu.Compiler.IR;

namespace Emu.Compiler.Scheduling;

/// <summary>The bytes of a frame that leaves, or of a copy: those that came, moved, and others put in.</summary>
/// <param name="Bytes">Bytes that are put in, by their offset: when, and what they are then.</param>
/// <param name="Moves">
/// The moves, each with its condition, the offset from which on all bytes have moved, and by how many; at most one.
/// </param>
/// <param name="Maps">The loops that have written bytes, in their order; none where bytes have moved.</param>
internal sealed record LeavingFrame(
    IReadOnlyList<(int Offset, Value Condition, Value Byte)> Bytes,
    IReadOnlyList<(Value Condition, int Start, int Distance)> Moves, IReadOnlyList<MappedBytes> Maps);

/// <summary>A copy of the frame that is sent.</summary>
/// <param name="Condition">The condition under which it is.</param>
/// <param name="Length">The number of its bytes.</param>
/// <param name="Egress">The ports by which it leaves.</param>
/// <param name="Frame">Its bytes.</param>
internal sealed record SentCopy(Value Condition, Value Length, Value Egress, LeavingFrame Frame);
