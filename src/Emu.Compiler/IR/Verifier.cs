namespace Emu.Compiler.IR;

/// <summary>
/// Checks the invariants of the IR: what breaks one is a bug of the compiler, found where it was made.
/// </summary>
public static class Verifier
{
    /// <summary>Checks a function.</summary>
    /// <param name="function">Any function.</param>
    /// <param name="after">The step that ran before: the front end or a pass.</param>
    /// <exception cref="InvalidOperationException">An invariant does not hold; the message has the IR.</exception>
    public static void Verify(Function function, string after)
    {
        ArgumentNullException.ThrowIfNull(function);
        var blocks = function.Blocks();
        function.Number();
        var dominators = new Dominators(function);
        var defined = new Dictionary<Value, (Block Block, int Index)>();
        foreach (var block in blocks)
        {
            foreach (var phi in block.Phis) defined[phi] = (block, -1);
            for (var i = 0; i < block.Operations.Count; i++) defined[block.Operations[i]] = (block, i);
        }

        void Check(bool holds, string what)
        {
            if (!holds) throw new InvalidOperationException($"after {after}: {what}\n{Printer.Print(function)}");
        }

        bool IsAvailable(Value value, Block block, int index) =>
            value is Constant
            || defined.TryGetValue(value, out var at)
                && (at.Block == block ? at.Index < index : dominators.Dominates(at.Block, block));

        foreach (var block in blocks)
        {
            Check(block.Terminator is not null, $"b{block.Number} does not end");
            foreach (var successor in block.Terminator!.Successors)
                Check(
                    successor.Predecessors.Contains(block),
                    $"b{successor.Number} does not know that it comes from b{block.Number}");
            foreach (var predecessor in block.Predecessors)
                Check(
                    predecessor.Terminator?.Successors.Contains(block) == true,
                    $"b{block.Number} does not come from b{predecessor.Number}");
            foreach (var phi in block.Phis)
            {
                Check(
                    phi.Operands.Count == block.Predecessors.Count,
                    $"%{phi.Number} has {phi.Operands.Count} operands for {block.Predecessors.Count} predecessors");
                for (var i = 0; i < phi.Operands.Count; i++)
                {
                    Check(phi.Operands[i].Width == phi.Width, $"%{phi.Number} joins values of other widths");
                    Check(
                        IsAvailable(phi.Operands[i], block.Predecessors[i], int.MaxValue),
                        $"an operand of %{phi.Number} does not reach the end of b{block.Predecessors[i].Number}");
                }
            }
            for (var i = 0; i < block.Operations.Count; i++)
            {
                var operation = block.Operations[i];
                foreach (var operand in operation.Operands)
                    Check(
                        IsAvailable(operand, block, i),
                        $"%{operation.Number} uses {Printer.Name(operand)} before it is there");
                Check(
                    OpcodeTable.Of(operation.Opcode).Accepts(operation),
                    $"%{operation.Number} has operands of wrong widths");
            }
            foreach (var used in UsedBy(block.Terminator))
                Check(
                    IsAvailable(used, block, int.MaxValue),
                    $"b{block.Number} ends with {Printer.Name(used)}, which is not there");
            if (block.Terminator is Branch branch)
                Check(
                    branch.Condition.Width == 1 && branch.Then != branch.Else,
                    $"b{block.Number} branches on a value of {branch.Condition.Width} bits, or nowhere");
        }
    }

    internal static IEnumerable<Value> UsedBy(Terminator? terminator) => terminator switch
    {
        Branch branch => [branch.Condition],
        Return end => [end.Start, end.Length, end.Egress],
        _ => [],
    };
}
