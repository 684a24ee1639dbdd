using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// Gives each way to a block of a loop a copy of it, where a branch in front of one of them has decided the block's
/// own: of a header whose length is 8 where fewer bytes are left, it need not be asked whether it fits (elimination of
/// conditional branches; Mueller and Whalley 1995, <em>Avoiding conditional branches by code replication</em>).
/// </summary>
internal static class DecidedWays
{
    /// <summary>The most operations of a block that is copied.</summary>
    private const int MostOperations = 8;

    /// <summary>The most blocks that are copied.</summary>
    private const int MostBlocks = 64;

    /// <summary>Copies such blocks; true if there was one.</summary>
    public static bool Run(Function function)
    {
        var copied = 0;
        while (copied < MostBlocks && Find(function) is { } block)
        {
            new ThreadedBlock(function, block).Duplicate();
            Edges.ForgetUnreachable(function);
            copied++;
        }
        if (copied > 0) Simplification.Run(function);
        return copied > 0;
    }

    private static Block? Find(Function function)
    {
        var loops = Loop.All(function);
        var dominators = new Dominators(function);
        return loops.SelectMany(loop => loop.Body)
            .FirstOrDefault(block => block.Phis.Count > 0 && block.Operations.Count <= MostOperations
                && !loops.Exists(loop => loop.Header == block)
                && !block.Operations.Exists(operation => operation.IsEffect || operation.ReadsState)
                && block.Terminator is Branch { Condition: Operation condition } && block.Operations.Contains(condition)
                && condition.Operands.TrueForAll(operand => !block.Operations.Contains(operand))
                && Enumerable.Range(0, block.Predecessors.Count)
                    .Any(way => IsDecided(block, way, condition, dominators)))
            ?? FindFolded(function, loops, dominators);
    }

    /// <summary>
    /// A block of a loop that reads the frame, or behind it, in which a constant that comes by one of several ways
    /// decides: no option was found, so there is nothing to look at.
    /// </summary>
    private static Block? FindFolded(Function function, List<Loop> loops, Dominators dominators)
    {
        var reading = loops.FindAll(loop => loop.Body.Any(ParseRegion.HasRead));
        return reading.Count == 0 ? null : PathDivision.FastBlocks(function).Find(block =>
            block.Phis.Count > 0 && block.Predecessors.Count > 1 && block.Operations.Count <= MostOperations
            && reading.Exists(loop => dominators.Dominates(loop.Header, block))
            && !loops.Exists(loop => loop.Header == block)
            && !block.Operations.Exists(operation => operation.IsEffect || operation.ReadsState)
            && block.Terminator is Branch { Condition: Operation condition } && block.Operations.Contains(condition)
            && Enumerable.Range(0, block.Predecessors.Count).Any(way => IsFolded(block, way, condition)));
    }

    /// <summary>True if the values that come by a way make a condition of a block a constant.</summary>
    private static bool IsFolded(Block block, int way, Operation condition)
    {
        if (!block.Phis.Exists(phi => phi.Operands[way] is Constant)) return false;
        var n = new OperationList([]);
        var known = new Dictionary<Value, Value>(ReferenceEqualityComparer.Instance);
        foreach (var phi in block.Phis) known[phi] = phi.Operands[way];
        foreach (var operation in block.Operations)
            known[operation] = n.Make(new Operation(
                operation.Opcode, operation.Width,
                operation.Operands.ConvertAll(operand => known.GetValueOrDefault(operand, operand)))
            {
                Low = operation.Low,
            });
        return known[condition] is Constant;
    }

    /// <summary>True if a branch that dominates a way asks for the same as the block does behind it.</summary>
    private static bool IsDecided(Block block, int way, Operation condition, Dominators dominators)
    {
        var onWay = condition.Operands.ConvertAll(
            operand => operand is Phi phi && phi.Block == block ? phi.Operands[way] : operand);
        if (onWay.Zip(condition.Operands).All(pair => pair.First == pair.Second)) return false;
        var inner = block;
        for (var at = block.Predecessors[way]; at is not null; at = dominators.Immediate(at))
        {
            if (at.Terminator is Branch { Condition: Operation known }
                && known.Opcode == condition.Opcode && known.Low == condition.Low
                && known.Operands.Zip(onWay).All(pair => Constant.AreSame(pair.First, pair.Second))
                && (inner == block || inner.Predecessors.Count == 1))
                return true;
            inner = at;
        }
        return false;
    }
}
