using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// Joins a block with the only one that follows it and that only it leads to; passes empty blocks by.
/// </summary>
internal static class BlockMerging
{
    public static bool Run(Function function)
    {
        var changed = false;
        var gone = new HashSet<Block>();
        foreach (var block in function.Blocks())
        {
            if (gone.Contains(block)) continue;
            while (block.Terminator is Jump { Target: var next } && next != block
                && next.Predecessors.Count == 1 && next.Phis.Count == 0)
            {
                block.Operations.AddRange(next.Operations);
                block.Terminator = next.Terminator;
                foreach (var successor in next.Terminator!.Successors) Replace(successor.Predecessors, next, block);
                gone.Add(next);
                changed = true;
            }
        }
        foreach (var block in function.Blocks()) changed |= PassBy(function, block);
        return changed;
    }

    /// <summary>
    /// Leads the predecessors of an empty block straight to where it jumps,
    /// unless one of them leads there already with other values.
    /// </summary>
    private static bool PassBy(Function function, Block empty)
    {
        return empty.Phis.Count == 0 && Lead(function, empty);
    }

    /// <summary>
    /// The same for a block that joins values, if only the phis of the block that it jumps to use them.
    /// </summary>
    public static bool PassJoinBy(Function function, Block join)
    {
        if (!CanLead(function, join) || join.Terminator is not Jump { Target: var target }) return false;
        if (join.Phis.Count == 0) return Lead(function, join);
        var way = target.Predecessors.IndexOf(join);
        var joined = join.Phis.ToHashSet<Value>(ReferenceEqualityComparer.Instance);
        var uses = function.Blocks().Sum(block =>
            block.Phis.Sum(phi => phi.Operands.Count(joined.Contains))
            + block.Operations.Sum(operation => operation.Operands.Count(joined.Contains))
            + Verifier.UsedBy(block.Terminator!).Count(joined.Contains));
        return uses == target.Phis.Count(phi => joined.Contains(phi.Operands[way])) && Lead(function, join);
    }

    private static bool CanLead(Function function, Block empty) =>
        empty != function.Entry && empty.Operations.Count == 0
        && empty.Terminator is Jump { Target: var target } && target != empty
        && !empty.Predecessors.Exists(p => p == empty || target.Phis.Count > 0 && target.Predecessors.Contains(p));

    private static bool Lead(Function function, Block empty)
    {
        if (!CanLead(function, empty) || empty.Terminator is not Jump { Target: var target }) return false;
        var way = target.Predecessors.IndexOf(empty);
        foreach (var (from, predecessor) in empty.Predecessors.Index())
        {
            var ended = predecessor.Terminator = Edges.Retarget(predecessor.Terminator!, empty, target);
            // Both ways of a branch lead there now.
            if (ended is Jump && target.Predecessors.Contains(predecessor)) continue;
            target.Predecessors.Add(predecessor);
            foreach (var phi in target.Phis)
            {
                var value = phi.Operands[way];
                phi.Operands.Add(value is Phi joined && joined.Block == empty ? joined.Operands[from] : value);
            }
        }
        target.Predecessors.RemoveAt(way);
        foreach (var phi in target.Phis) phi.Operands.RemoveAt(way);
        return true;
    }

    private static void Replace(List<Block> blocks, Block before, Block after) =>
        blocks[blocks.IndexOf(before)] = after;
}
