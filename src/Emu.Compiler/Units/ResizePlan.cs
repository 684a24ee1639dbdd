using Emu.Compiler.IR;

namespace Emu.Compiler.Units;

/// <summary>The shape in which a frame leaves, or a copy of it, in the stage of the verdict.</summary>
/// <param name="Length">The number of bytes, 1 or more.</param>
/// <param name="Last">The offset of the last byte: one less.</param>
/// <param name="Moves">Says of each move of a <see cref="FrameResizer"/> whether it is made; at most one is.</param>
internal sealed record ResizePlan(Value Length, Value Last, IReadOnlyList<Value> Moves)
{
    /// <summary>All of these.</summary>
    public IReadOnlyList<Value> Values { get; } = [Length, Last, .. Moves];
}
