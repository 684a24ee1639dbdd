using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// The blocks of a loop that decide whether a turn is taken at all, before it does anything: those of a condition that
/// C# makes branches of, such as <c>while (a is 1 or 2 &amp;&amp; !b)</c>.
/// </summary>
internal static class LoopTest
{
    /// <summary>The blocks, the header among them; none if the loop is not tested first.</summary>
    public static IReadOnlySet<Block> Of(Loop loop)
    {
        var pure = PureFromHeader(loop);
        // Of these the ones from which the loop is left without a further block.
        var test = new HashSet<Block>();
        foreach (var block in Enumerable.Reverse(pure))
        {
            if (block.Terminator!.Successors.Any(to => !loop.Body.Contains(to) || test.Contains(to))) test.Add(block);
        }
        if (!test.Contains(loop.Header)) test.Clear();
        return test;
    }

    /// <summary>
    /// The blocks without effects that are come to by way of such blocks alone, each behind those before it.
    /// </summary>
    private static List<Block> PureFromHeader(Loop loop)
    {
        var found = new List<Block>();
        var waiting = new Queue<Block>([loop.Header]);
        while (waiting.TryDequeue(out var block))
        {
            if (found.Contains(block) || !IsPure(loop, block)) continue;
            if (block != loop.Header && !block.Predecessors.TrueForAll(found.Contains)) continue;
            found.Add(block);
            foreach (var next in block.Terminator!.Successors.Where(loop.Body.Contains)) waiting.Enqueue(next);
        }
        return found;
    }

    private static bool IsPure(Loop loop, Block block) =>
        block.Terminator is Branch or Jump
        && !block.Terminator.Successors.Contains(loop.Header)
        && !block.Operations.Exists(operation => operation.IsEffect);
}
