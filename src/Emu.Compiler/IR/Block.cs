namespace Emu.Compiler.IR;

/// <summary>Operations that are done one after the other, then a <see cref="Terminator"/>.</summary>
public sealed class Block : Node
{
    /// <summary>The number in the text form; given by <see cref="Function.Number"/>.</summary>
    public int Number { get; internal set; }

    /// <summary>Its place in an order; the order has to be asked whether the place is of it.</summary>
    internal int Place { get; set; }

    /// <summary>The last walk over a function that came to it.</summary>
    internal long Walk { get; set; }

    /// <summary>The blocks from which it can be entered; a block twice if it has two ways here.</summary>
    public List<Block> Predecessors { get; } = [];

    /// <summary>Values that depend on where it was entered from.</summary>
    public List<Phi> Phis { get; } = [];

    /// <summary>The operations in order.</summary>
    public List<Operation> Operations { get; } = [];

    /// <summary>The end of the block; null only while the block is built.</summary>
    public Terminator? Terminator { get; internal set; }
}
