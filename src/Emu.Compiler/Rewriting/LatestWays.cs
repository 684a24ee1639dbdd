using Emu.Compiler.IR;

namespace Emu.Compiler.Rewriting;

/// <summary>The latest of the ordered ways to a block that can still be taken, where others are excluded.</summary>
/// <remarks>
/// What leads past the block counts as the last of all ways, unless it is known that the block is run.
/// </remarks>
internal sealed class LatestWays
{
    private readonly Block _target;
    private readonly IReadOnlyDictionary<Block, int> _places;
    private readonly Dominators _dominators;
    private readonly Dictionary<Block, int> _order;
    private readonly Dictionary<Block, int> _around = [];
    private readonly bool _isRun;

    /// <param name="target">The block.</param>
    /// <param name="places">The place of each predecessor of the block in the order of the ways.</param>
    /// <param name="dominators">Of the function.</param>
    /// <param name="order">The place of each block in the function.</param>
    /// <param name="isRun">True if it is known that the block is run.</param>
    public LatestWays(
        Block target, IReadOnlyDictionary<Block, int> places, Dominators dominators, Dictionary<Block, int> order,
        bool isRun) =>
        (_target, _places, _dominators, _order, _isRun) = (target, places, dominators, order, isRun);

    /// <summary>
    /// The latest way that can be taken from a block's immediate dominator without passing the block; -1 if none can.
    /// </summary>
    public int Around(Block block) =>
        _around.TryGetValue(block, out var known)
            ? known
            : _around[block] = From([_dominators.Immediate(block)!], block);

    /// <summary>
    /// The latest way that can be taken from a predecessor that does not go to the block at once; -1 if none can.
    /// </summary>
    public int Beside(Block predecessor) =>
        From(predecessor.Terminator!.Successors.Where(next => next != _target), predecessor);

    private int From(IEnumerable<Block> blocks, Block without)
    {
        var latest = -1;
        var seen = new HashSet<Block> { without };
        var waiting = new Stack<Block>(blocks);
        while (waiting.TryPop(out var block))
        {
            if (!seen.Add(block)) continue;
            var successors = block.Terminator!.Successors;
            if (successors.Count == 0 || _order.GetValueOrDefault(block, int.MaxValue) > _order[_target])
            {
                if (!_isRun) return int.MaxValue;
                continue;
            }
            foreach (var next in successors)
            {
                if (next == _target) latest = Math.Max(latest, _places[block]);
                else waiting.Push(next);
            }
        }
        return latest;
    }
}
