using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Two branches in a row that may both go to one block become one where a single comparison says as much: not below 80
/// and not above 80 is 80.
/// </summary>
internal static class ShortCircuits
{
    public static void Run(Function function)
    {
        var changed = false;
        // From the end, so that a branch meets those behind it joined.
        foreach (var block in Enumerable.Reverse(function.Blocks()))
        {
            while (block.Terminator is Branch branch
                && (TryJoin(block, branch.Then, branch.Else) || TryJoin(block, branch.Else, branch.Then)))
            {
                changed = true;
            }
        }
        if (changed) Simplification.Run(function);
    }

    /// <summary>Joins a branch with that of one of its targets, if that may go to the other target, too.</summary>
    private static bool TryJoin(Block block, Block second, Block common)
    {
        if (second.Predecessors.Count != 1 || second.Phis.Count > 0 || second == block
            || second.Terminator is not Branch { Condition: var next } branch
            || branch.Then != common && branch.Else != common
            || !second.Operations.TrueForAll(operation => operation == next)
            || !common.Phis.TrueForAll(phi => Constant.AreSame(From(phi, block), From(phi, second))))
            return false;
        var builder = new Builder();
        var either = builder.Or(builder.Taken(block, common), builder.Taken(second, common));
        if (either is Operation { Opcode: Opcode.Or }) return false;
        var last = branch.Then == common ? branch.Else : branch.Then;
        block.Operations.AddRange(second.Operations);
        block.Operations.AddRange(builder.Made);
        Edges.Remove(second, common);
        last.Predecessors[last.Predecessors.IndexOf(second)] = block;
        block.Terminator = new Branch(either, common, last);
        return true;
    }

    private static Value From(Phi phi, Block block) => phi.Operands[phi.Block.Predecessors.IndexOf(block)];

    /// <summary>Makes a condition, and keeps the operations that it takes.</summary>
    private sealed class Builder : FoldingBuilder
    {
        public List<Operation> Made { get; } = [];

        /// <summary>The condition under which a block that branches goes to another.</summary>
        public Value Taken(Block from, Block to)
        {
            var branch = (Branch)from.Terminator!;
            Location = (branch.Condition as Operation)?.Location;
            return branch.Then == to ? branch.Condition : Not(branch.Condition);
        }

        protected override Value Intern(Operation operation)
        {
            Made.Add(operation);
            return operation;
        }
    }
}
