using Emu.Compiler.IR;
using Emu.Compiler.Passes;

namespace Emu.Compiler.Scheduling;

/// <summary>The paths between the blocks of a function without loops that a frame may take.</summary>
/// <param name="function">The function.</param>
internal sealed class BlockPaths(Function function)
{
    private readonly List<Block> _blocks = function.Blocks();
    private readonly Dominators _dominators = new(function);
    private readonly Dictionary<Block, ReachedBlocks> _reached = [];

    /// <summary>
    /// True if a path leads from one block to another, or they are one; else nothing of the first has happened there.
    /// </summary>
    public bool Leads(Block from, Block to) => Dominates(from, to) || ReachedFrom(from).Contains(to);

    /// <summary>True if no path passes both of two blocks.</summary>
    public bool Exclude(Block one, Block other) => !Leads(one, other) && !Leads(other, one);

    /// <summary>True if no path passes both of two places where the effects are those on one memory.</summary>
    public bool Exclude(EffectPlace one, EffectPlace other) => !Leads(one, other) && !Leads(other, one);

    /// <summary>True if every path to a block passes another.</summary>
    public bool Dominates(Block above, Block block) => _dominators.Dominates(above, block);

    private bool Leads(EffectPlace from, EffectPlace to) =>
        Leads(from.Block, to.Block)
        && (to.Selector is null || ReachedFrom(from.Block).CanBe(to.Selector, (UInt128)to.Number));

    private ReachedBlocks ReachedFrom(Block block)
    {
        if (!_reached.TryGetValue(block, out var reached))
            _reached[block] = reached = new ReachedBlocks(_blocks, block);
        return reached;
    }
}
