using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>A function as it was, to which it can be brought back if a change turns out to be of no use.</summary>
/// <param name="function">The function.</param>
internal sealed class FunctionSnapshot(Function function)
{
    private readonly Function _copy = GraphCopy.Of(function);
    private readonly Dictionary<Block, int> _places =
        function.Blocks().Index().ToDictionary(each => each.Item, each => each.Index);

    /// <summary>Brings the function back; its blocks but for the first are others than before.</summary>
    /// <returns>The block that stands for each one that was there when the snapshot was taken.</returns>
    public Func<Block, Block?> Restore()
    {
        var (entry, saved) = (function.Entry, _copy.Entry);
        var blocks = _copy.Blocks();
        entry.Operations.Clear();
        entry.Operations.AddRange(saved.Operations);
        entry.Terminator = saved.Terminator;
        foreach (var to in saved.Terminator!.Successors.Distinct())
        {
            for (var way = 0; way < to.Predecessors.Count; way++)
                if (to.Predecessors[way] == saved) to.Predecessors[way] = entry;
        }
        return block => _places.TryGetValue(block, out var place) ? place == 0 ? entry : blocks[place] : null;
    }
}
