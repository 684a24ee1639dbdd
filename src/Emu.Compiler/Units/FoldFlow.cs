using Emu.Compiler.IR;

namespace Emu.Compiler.Units;

/// <summary>The groups of turns that are given to the logic of a fold, in a circuit.</summary>
/// <param name="Values">The values of a group, by what stands for them.</param>
/// <param name="Gives">1 when there is a group.</param>
/// <param name="Frame">The number of its frame.</param>
/// <param name="Begins">1 when a frame begins.</param>
/// <param name="Passer">Passes over turns; null where that does not pay.</param>
internal sealed record FoldFlow(
    IReadOnlyDictionary<Value, Value> Values, Value Gives, Value Frame, Value Begins, TurnPasser? Passer)
{
    /// <summary>
    /// Bits of a frame's number: more frames than stages in front of the state are never on their way, so that none
    /// meets the number of another.
    /// </summary>
    public const int FrameBits = 5;

    /// <summary>The frames that have numbers of their own.</summary>
    public const int MostFrames = 1 << FrameBits;
}

/// <summary>The values that a fold begins with, in the netlist.</summary>
/// <param name="Start">The offset of the first turn's first byte.</param>
/// <param name="Limits">The bounds.</param>
/// <param name="Invariants">The values that are the same in all turns.</param>
/// <param name="Words">The memories that turns read, with the index of the word of a turn at offset 0.</param>
/// <param name="State">The state in front of the first turn.</param>
internal sealed record FoldInputs(
    int Start, IReadOnlyList<Value> Limits, IReadOnlyList<Value> Invariants,
    IReadOnlyList<(Memory Memory, Value Place)> Words, IReadOnlyList<Value> State)
{
    /// <summary>Those of an operation whose operands are given.</summary>
    public static FoldInputs Of(Operation operation, IReadOnlyList<Value> operands)
    {
        var fold = operation.Fold!;
        return new FoldInputs(
            (int)((Constant)operands[0]).Bits,
            [.. operands.Skip(1).Take(fold.Bounds)],
            [.. operands.Skip(1 + fold.Bounds).Take(fold.Invariants)],
            [.. operation.State.Cast<Memory>().Zip(fold.PlacesOf(operands))],
            [.. operands.Skip(fold.FirstState)]);
    }
}
