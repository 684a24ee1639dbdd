using Emu.Compiler.IR;

namespace Emu.Compiler.Dialect;

/// <summary>
/// A state of the program: what it does in one cycle, from an operation on. Blocks of it follow one another.
/// </summary>
/// <param name="Block">The block in which it begins.</param>
/// <param name="Index">The operation at which it begins.</param>
/// <param name="HasOffset">
/// True if the state before has left the offset of that operation in the register for it.
/// </param>
internal sealed record StateKey(Block Block, int Index, bool HasOffset);

/// <summary>A state with its work.</summary>
/// <param name="Key">The place where it begins.</param>
/// <param name="Number">Its number, from 0, in the order in which it is found.</param>
internal sealed record ProgramState(StateKey Key, int Number)
{
    /// <summary>The parts of blocks that it does, each behind its dominators.</summary>
    public List<StatePart> Parts { get; } = [];

    /// <summary>The part of a block that it does; null where it does none.</summary>
    public StatePart? PartOf(Block block) => Parts.Find(part => part.Block == block);

    /// <summary>The part that goes on with a block; null where a state begins there, this one or another.</summary>
    public StatePart? GoesOnWith(Block block) => PartOf(block) is { } part && part != Parts[0] ? part : null;
}

/// <summary>The work of a state on a block.</summary>
/// <param name="Block">The block.</param>
/// <param name="Operations">The operations, in order.</param>
/// <param name="Next">The state that goes on with the rest; null where the block is done to its end.</param>
/// <param name="Ways">The ways to it from other parts of the state.</param>
internal sealed record StatePart(Block Block, IReadOnlyList<Operation> Operations, ProgramState? Next, int Ways);
