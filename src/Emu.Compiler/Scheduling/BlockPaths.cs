using Emu.Compiler.IR;

namespace Emu.Compiler.Scheduling;

/// <summary>The paths between the blocks of a function without loops.</summary>
internal sealed class BlockPaths
{
    private readonly Dominators _dominators;
    private readonly Dictionary<Block, HashSet<Block>> _ancestors = [];

    /// <summary>Finds them.</summary>
    public BlockPaths(Function function)
    {
        _dominators = new Dominators(function);
        foreach (var block in function.Blocks())
        {
            HashSet<Block> ancestors = [block];
            foreach (var predecessor in block.Predecessors) ancestors.UnionWith(_ancestors[predecessor]);
            _ancestors[block] = ancestors;
        }
    }

    /// <summary>
    /// True if a path leads from one block to another, or they are one; else nothing of the first has happened there.
    /// </summary>
    public bool Leads(Block from, Block to) => _ancestors[to].Contains(from);

    /// <summary>True if no path passes both of two blocks.</summary>
    public bool Exclude(Block one, Block other) => !Leads(one, other) && !Leads(other, one);

    /// <summary>True if every path to a block passes another.</summary>
    public bool Dominates(Block above, Block block) => _dominators.Dominates(above, block);
}
