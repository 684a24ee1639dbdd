using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// Cycles of control flow, natural loops or not: one that is entered at several places is none (irreducible, Hecht and
/// Ullman 1972).
/// </summary>
internal static class Cycle
{
    /// <summary>A strongly connected component of some blocks that has a cycle; null if there is none.</summary>
    public static IReadOnlySet<Block>? In(IReadOnlyCollection<Block> blocks)
    {
        foreach (var block in Unsorted(blocks))
        {
            var behind = Reached(blocks, block, at => at.Terminator!.Successors);
            if (!behind.Contains(block)) continue;
            behind.IntersectWith(Reached(blocks, block, at => at.Predecessors));
            return behind;
        }
        return null;
    }

    /// <summary>The blocks that no topological order has: those of cycles, and all behind them (Kahn 1962).</summary>
    private static Block[] Unsorted(IReadOnlyCollection<Block> blocks)
    {
        var all = blocks.ToHashSet();
        var waits = blocks.ToDictionary(block => block, block => block.Predecessors.Count(all.Contains));
        var ready = new Queue<Block>(blocks.Where(block => waits[block] == 0));
        while (ready.TryDequeue(out var block))
        {
            waits.Remove(block);
            foreach (var next in block.Terminator!.Successors.Where(all.Contains))
                if (--waits[next] == 0) ready.Enqueue(next);
        }
        return [.. waits.Keys];
    }

    private static HashSet<Block> Reached(
        IReadOnlyCollection<Block> blocks, Block from, Func<Block, IEnumerable<Block>> next)
    {
        var (all, reached) = (blocks.ToHashSet(), new HashSet<Block>());
        var waiting = new Stack<Block>(next(from));
        while (waiting.TryPop(out var block))
        {
            if (!all.Contains(block) || !reached.Add(block)) continue;
            foreach (var other in next(block)) waiting.Push(other);
        }
        return reached;
    }
}
