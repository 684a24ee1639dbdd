using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// Gives each way to a block a copy that goes on at once, where the way decides it: found, so the index is not -1.
/// </summary>
internal static class JumpThreading
{
    public static void Run(Function function)
    {
        var kept = new HashSet<Block>();
        while (Round(function, kept)) Simplification.Run(function);
    }

    /// <summary>
    /// Copies every block that decides now. A block that decides only after simplification waits for the next round,
    /// since each costs a whole simplification.
    /// </summary>
    private static bool Round(Function function, HashSet<Block> kept)
    {
        var changed = false;
        foreach (var block in function.Blocks())
        {
            if (kept.Contains(block) || block.Predecessors.Count == 0 || !IsDecision(function, block)) continue;
            changed |= PassJoinsBy(function, block);
            if (new ThreadedBlock(function, block).TryThread()) changed = true;
            else kept.Add(block);
        }
        return changed;
    }

    /// <summary>
    /// Leads ways that a block in front of a decision joins straight to it, where one of them may decide it. A loop
    /// keeps its header, and the ways into it.
    /// </summary>
    private static bool PassJoinsBy(Function function, Block block)
    {
        var joins = block.Phis.SelectMany(phi => phi.Operands).OfType<Phi>()
            .Where(phi => block.Predecessors.Contains(phi.Block) && phi.Operands.Exists(o => o is Constant))
            .Select(phi => phi.Block).Distinct().ToList();
        if (joins.Count == 0) return false;
        var headers = Loop.All(function).Select(loop => loop.Header).ToHashSet();
        joins.RemoveAll(join => headers.Contains(block) || headers.Contains(join));
        var changed = false;
        foreach (var join in joins) changed |= BlockMerging.PassJoinBy(function, join);
        return changed;
    }

    /// <summary>A branch of a block that does nothing else, some phi of which can be a constant.</summary>
    private static bool IsDecision(Function function, Block block) =>
        block != function.Entry
        && block.Terminator is Branch branch && branch.Then != block && branch.Else != block
        && block.Phis.Exists(phi => phi.Operands.Exists(o => o is Constant))
        && !block.Operations.Exists(o => o.IsEffect || o.ReadsState);
}
