using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Decisions of many ways that only choose a value become operations of one block (Allen, Kennedy, Porterfield and
/// Warren 1983): the first match in a list of rules is a tree of conditions then, instead of a row as long as the list.
/// </summary>
internal static class IfConversion
{
    /// <summary>
    /// From so many ways on a decision is converted; smaller ones say more to later passes as branches.
    /// </summary>
    private const int LeastWays = 8;

    public static void Run(Function function)
    {
        var kept = new HashSet<Block>();
        while (Next(function, kept) is { } join)
        {
            new Conversion(function, join.Block, join.Above, join.Between).Run();
            Simplification.Run(function);
        }
    }

    /// <summary>The first join of many ways whose blocks, up to where the ways part, do nothing but compute.</summary>
    private static (Block Block, Block Above, List<Block> Between)? Next(Function function, HashSet<Block> kept)
    {
        var dominators = new Dominators(function);
        foreach (var block in function.Blocks())
        {
            if (block.Predecessors.Count < LeastWays || !kept.Add(block)) continue;
            var above = dominators.Immediate(block)!;
            if (Between(function, dominators, above, block) is { } between) return (block, above, between);
        }
        return null;
    }

    /// <summary>
    /// The blocks from one to another, in the order of the function; null when others are on the way.
    /// </summary>
    private static List<Block>? Between(Function function, Dominators dominators, Block above, Block block)
    {
        var between = new HashSet<Block>();
        var waiting = new Stack<Block>(above.Terminator!.Successors);
        while (waiting.TryPop(out var next))
        {
            if (next == block || !between.Add(next)) continue;
            if (next == above || !dominators.Dominates(above, next) || !OnlyComputes(next)) return null;
            foreach (var successor in next.Terminator!.Successors) waiting.Push(successor);
        }
        // The header of a loop is entered from its turns, too.
        var isWhole = block.Predecessors.TrueForAll(from => from == above || between.Contains(from));
        return isWhole && !HasLoop(function, between) ? [.. function.Blocks().Where(between.Contains)] : null;
    }

    private static bool HasLoop(Function function, HashSet<Block> blocks) =>
        Loop.All(function).Exists(loop => blocks.Contains(loop.Header));

    /// <summary>
    /// True if a block can be run for nothing: no effect, nothing read that may not be there, and no end.
    /// </summary>
    private static bool OnlyComputes(Block block) =>
        block.Terminator is Jump or Branch && block.Operations.TrueForAll(operation =>
            OpcodeTable.Of(operation.Opcode).Kind == OpcodeKind.Pure && !IsDivision(operation));

    private static bool IsDivision(Operation operation) => operation.Opcode is
        Opcode.DivideUnsigned or Opcode.DivideSigned or Opcode.RemainderUnsigned or Opcode.RemainderSigned;

    /// <summary>One decision.</summary>
    private sealed class Conversion(Function function, Block block, Block above, List<Block> between) : FoldingBuilder
    {
        private readonly Dictionary<Value, Value> _values = new(ReferenceEqualityComparer.Instance);
        private readonly Dictionary<OperationKey, Operation> _done = [];

        public void Run()
        {
            var conditions = new ConditionTable(this, [above, .. between, block], new Dominators(function), Of);
            foreach (var part in between)
            {
                Choose(part, conditions);
                foreach (var operation in part.Operations)
                    _values[operation] = Make(new Operation(
                        operation.Opcode, operation.Width, operation.Operands.Select(Of))
                    {
                        Low = operation.Low,
                        Location = operation.Location,
                    });
            }
            Choose(block, conditions);
            var known = new Substitution();
            foreach (var phi in block.Phis) known.Add(phi, _values[phi]);
            block.Phis.Clear();
            block.Predecessors.Clear();
            block.Predecessors.Add(above);
            above.Terminator = new Jump(block);
            known.Apply(function);
        }

        protected override Value Intern(Operation operation)
        {
            var key = new OperationKey(operation);
            if (_done.TryGetValue(key, out var known)) return known;
            above.Operations.Add(operation);
            return _done[key] = operation;
        }

        private Value Of(Value value) => _values.GetValueOrDefault(value, value);

        private void Choose(Block part, ConditionTable conditions)
        {
            Location = part.Predecessors is [{ Terminator: Branch { Condition: Operation decided } }, ..]
                ? decided.Location
                : null;
            foreach (var phi in part.Phis)
                _values[phi] = conditions.Choose(part, way => Of(phi.Operands[way]));
        }
    }
}
