using Emu.Compiler.IR;

namespace Emu.Compiler.Units;

/// <summary>The shape in which a frame leaves, or a copy of it, in the stage of the verdict.</summary>
/// <param name="Length">The number of bytes, 1 or more.</param>
/// <param name="Last">The offset of the last byte: one less.</param>
/// <param name="Moves">
/// Of each of the <see cref="ConstantMoves"/> whether it is made, and at most one is; or a <see cref="RotationPlan"/>.
/// </param>
/// <param name="Cleared">True if bytes of 0 stand for all that came; null if they do of no frame.</param>
internal sealed record ResizePlan(Value Length, Value Last, IReadOnlyList<Value> Moves, Value? Cleared = null)
{
    /// <summary>All of these.</summary>
    public IReadOnlyList<Value> Values { get; } =
        [Length, Last, .. Moves, .. Cleared is null ? (Value[])[] : [Cleared]];
}
