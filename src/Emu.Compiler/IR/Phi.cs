namespace Emu.Compiler.IR;

/// <summary>The value that comes from whichever predecessor the block was entered from.</summary>
/// <param name="width">The width in bits.</param>
/// <param name="block">The block that it stands in.</param>
public sealed class Phi(int width, Block block) : Value(width)
{
    /// <summary>The block at whose head it stands.</summary>
    public Block Block { get; internal set; } = block;

    /// <summary>One value for each of the block's predecessors, in their order.</summary>
    public List<Value> Operands { get; } = [];
}
