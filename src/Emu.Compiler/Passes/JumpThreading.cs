using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

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
            changed |= FoldAtJoins(function, block) | PassJoinsBy(function, block);
            if (new ThreadedBlock(function, block).TryThread()) changed = true;
            else kept.Add(block);
        }
        return changed;
    }

    /// <summary>
    /// Computes what comes to a decision from a block that joins constants for each of them: what is not one of two
    /// numbers is a join of constants, too.
    /// </summary>
    private static bool FoldAtJoins(Function function, Block block)
    {
        var known = new List<(Operation Operation, Phi Joined)>();
        var joins = block.Predecessors.Index().Where(each => each.Item is { Phis.Count: > 0, Terminator: Jump });
        foreach (var (way, from) in joins)
            foreach (var operation in block.Phis.Select(phi => phi.Operands[way]).OfType<Operation>().Distinct())
                if (from.Operations.Contains(operation) && Joined(operation, from) is { } joined)
                    known.Add((operation, joined));
        if (known.Count == 0) return false;
        var substitution = new Substitution();
        foreach (var (operation, joined) in known)
        {
            joined.Block.Phis.Add(joined);
            joined.Block.Operations.Remove(operation);
            substitution.Add(operation, joined);
        }
        substitution.Apply(function);
        return true;
    }

    /// <summary>Of phis of its own and constants alone a block computes a phi of constants; null for else.</summary>
    private static Phi? Joined(Operation operation, Block block)
    {
        // What a turn of a loop begins with comes by no way.
        if (block.Predecessors.Count == 0) return null;
        var joined = new Phi(operation.Width, block);
        for (var way = 0; way < block.Predecessors.Count; way++)
        {
            if (On(way, operation) is not { } number) return null;
            joined.Operands.Add(number);
        }
        return joined;

        Constant? On(int way, Value value)
        {
            if (value is Phi phi && phi.Block == block) return phi.Operands[way] as Constant;
            if (value is not Operation computed || !block.Operations.Contains(computed)) return value as Constant;
            var operands = computed.Operands.ConvertAll(operand => (Value?)On(way, operand));
            return operands.Contains(null)
                ? null
                : Folding.TryFold(new Operation(computed.Opcode, computed.Width, operands!) { Low = computed.Low })
                    as Constant;
        }
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
