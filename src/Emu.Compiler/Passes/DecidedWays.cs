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

    /// <summary>
    /// Parts the ways to blocks of a region where a branch has decided on one of them what is asked for further on:
    /// a number ends where the text ends, so there is no character behind it (elimination of conditional branches
    /// through joins; Bodik, Gupta and Soffa 1997, <em>Interprocedural conditional branch elimination</em>).
    /// </summary>
    /// <param name="function">The function.</param>
    /// <param name="isIn">True of the region's blocks.</param>
    /// <returns>True if there was such a block.</returns>
    public static bool Part(Function function, Predicate<Block> isIn)
    {
        var copied = 0;
        var parted = function.Blocks().FindAll(isIn).ToHashSet();
        while (copied < MostBlocks && FindJoin(function, parted) is var (block, way))
        {
            // All other ways stay one.
            var decided = block.Predecessors[way];
            if (block.Predecessors.Count > 2) parted.Add(Edges.Join(block, from => from != decided));
            var before = block.Predecessors.ToList();
            new ThreadedBlock(function, block).Duplicate();
            Edges.ForgetUnreachable(function);
            foreach (var from in before) parted.UnionWith(from.Terminator!.Successors);
            GoAsDecided(function);
            copied++;
        }
        if (copied > 0) Simplification.Run(function);
        return copied > 0;
    }

    /// <summary>Takes out branches whose condition one before them has asked for.</summary>
    private static void GoAsDecided(Function function)
    {
        var dominators = new Dominators(function);
        foreach (var block in function.Blocks())
        {
            if (block.Terminator is not Branch { Condition: not Constant } branch) continue;
            var inner = block;
            for (var at = dominators.Immediate(block); at is not null; at = dominators.Immediate(at))
            {
                if (at.Terminator is Branch first && first.Condition == branch.Condition
                    && inner.Predecessors.Count == 1)
                {
                    var (to, other) = inner == first.Then ? (branch.Then, branch.Else) : (branch.Else, branch.Then);
                    Edges.Remove(block, other);
                    block.Terminator = new Jump(to);
                    break;
                }
                inner = at;
            }
        }
        Edges.ForgetUnreachable(function);
    }

    /// <summary>A block with one of the ways to it on which it is known where the program goes on.</summary>
    private static (Block Block, int Way)? FindJoin(Function function, HashSet<Block> parted)
    {
        var loops = Loop.All(function);
        var dominators = new Dominators(function);
        foreach (var block in function.Blocks().Where(parted.Contains))
        {
            if (block.Predecessors.Count < 2 || !IsSmall(block) || loops.Exists(loop => loop.Header == block))
                continue;
            for (var way = 0; way < block.Predecessors.Count; way++)
                if (Decides(block, way, dominators)) return (block, way);
        }
        return null;
    }

    private static bool IsSmall(Block block) => block.Operations.Count <= MostOperations
        && block.Operations.TrueForAll(ByteLoop.OnlyComputes) && !ParseRegion.HasRead(block);

    /// <summary>True if a way to a block decides it, or one behind it to which no other way leads.</summary>
    private static bool Decides(Block block, int way, Dominators dominators)
    {
        var open = new Stack<Block>([block]);
        while (open.TryPop(out var next))
        {
            if (next.Terminator is not (Branch or Jump)) continue;
            if (next.Terminator is Branch { Condition: var condition })
            {
                if (condition is Phi phi && phi.Block == block && phi.Operands[way] is Constant) return true;
                if (condition is Operation asked && IsAsked(asked, block.Predecessors[way], block, dominators))
                    return true;
            }
            foreach (var to in next.Terminator.Successors)
                if (to.Predecessors.Count == 1 && IsSmall(to)) open.Push(to);
        }
        return false;
    }

    /// <summary>True if a branch that dominates a way to a block, and not the block, has the same condition.</summary>
    private static bool IsAsked(Operation condition, Block from, Block block, Dominators dominators)
    {
        var inner = block;
        for (var at = from; at is not null; at = dominators.Immediate(at))
        {
            if (at.Terminator is Branch branch && branch.Condition == condition)
                return inner == block || inner.Predecessors.Count == 1 && !dominators.Dominates(inner, block);
            inner = at;
        }
        return false;
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
