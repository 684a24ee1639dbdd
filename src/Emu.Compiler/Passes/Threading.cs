namespace Emu.Compiler;

/// <summary>
/// Where the way to a block decides where it goes on (found, so the index is not -1), each way gets a copy that goes there at once.
/// </summary>
internal static class Threading
{
    public static void Run(Function function)
    {
        var kept = new HashSet<Block>();
        while (function.Blocks().Find(block => !kept.Contains(block) && IsDecision(function, block)) is { } block)
        {
            if (new BlockCopy(function, block, new HashSet<Block> { block }).TryThread()) Simplification.Run(function);
            else kept.Add(block);
        }
    }

    /// <summary>A branch of a block that does nothing else, some phi of which can be a constant.</summary>
    private static bool IsDecision(Function function, Block block) =>
        block != function.Entry
        && block.Terminator is Branch branch && branch.Then != block && branch.Else != block
        && block.Phis.Exists(phi => phi.Operands.Exists(o => o is Constant))
        && !block.Operations.Exists(o => o.IsEffect || o.ReadsState);
}
