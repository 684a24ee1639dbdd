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
        var blocks = function.Numbered();
        var defined = new Definitions(blocks);
        if (blocks.Select(block => Broken(block, defined)).FirstOrDefault(broken => broken is not null) is { } broken)
            throw new InvalidOperationException($"after {after}: {broken}\n{Printer.Print(function)}");
    }

    /// <summary>The first invariant that does not hold in a block; null when all do.</summary>
    private static string? Broken(Block block, Definitions defined) =>
        BrokenEdge(block)
        ?? BrokenPhi(block, defined)
        ?? BrokenOperation(block, defined)
        ?? BrokenEnd(block, defined);

    private static string? BrokenEdge(Block block)
    {
        if (block.Terminator is null) return $"b{block.Number} does not end";
        foreach (var successor in block.Terminator.Successors)
            if (!successor.Predecessors.Contains(block))
                return $"b{successor.Number} does not know that it comes from b{block.Number}";
        foreach (var predecessor in block.Predecessors)
            if (predecessor.Terminator?.Successors.Contains(block) != true)
                return $"b{block.Number} does not come from b{predecessor.Number}";
        return null;
    }

    private static string? BrokenPhi(Block block, Definitions defined)
    {
        foreach (var phi in block.Phis)
            if (Broken(phi, block, defined) is { } broken) return broken;
        return null;
    }

    private static string? Broken(Phi phi, Block block, Definitions defined)
    {
        if (phi.Operands.Count != block.Predecessors.Count)
            return $"%{phi.Number} has {phi.Operands.Count} operands for {block.Predecessors.Count} predecessors";
        for (var i = 0; i < phi.Operands.Count; i++)
        {
            if (phi.Operands[i].Width != phi.Width) return $"%{phi.Number} joins values of other widths";
            if (!defined.ReachesEnd(phi.Operands[i], block.Predecessors[i]))
                return $"an operand of %{phi.Number} does not reach the end of b{block.Predecessors[i].Number}";
        }
        return null;
    }

    private static string? BrokenOperation(Block block, Definitions defined)
    {
        for (var i = 0; i < block.Operations.Count; i++)
        {
            var operation = block.Operations[i];
            foreach (var operand in operation.Operands)
                if (!defined.Reaches(operand, block, i))
                    return $"%{operation.Number} uses {Printer.Name(operand)} before it is there";
            if (!OpcodeTable.Of(operation.Opcode).Accepts(operation))
                return $"%{operation.Number} has operands of wrong widths";
        }
        return null;
    }

    private static string? BrokenEnd(Block block, Definitions defined)
    {
        foreach (var used in UsedBy(block.Terminator))
            if (!defined.ReachesEnd(used, block))
                return $"b{block.Number} ends with {Printer.Name(used)}, which is not there";
        if (block.Terminator is Fault { Kind: FaultKind.Exception })
            return $"b{block.Number} ends with an exception that is a fault on .NET only";
        return block.Terminator is Branch branch && (branch.Condition.Width != 1 || branch.Then == branch.Else)
            ? $"b{block.Number} branches on a value of {branch.Condition.Width} bits, or nowhere"
            : null;
    }

    /// <summary>The places where values are defined, and so where they may be used.</summary>
    private sealed class Definitions
    {
        private readonly NodeTable<Value, (Block Block, int Index)> _places = new();
        private readonly Dominators _dominators;

        public Definitions(IReadOnlyList<Block> blocks)
        {
            _dominators = new Dominators(blocks);
            foreach (var block in blocks)
            {
                foreach (var phi in block.Phis) _places[phi] = (block, -1);
                for (var i = 0; i < block.Operations.Count; i++) _places[block.Operations[i]] = (block, i);
            }
        }

        public bool Reaches(Value value, Block block, int index) =>
            value is Constant
            || _places.TryGetValue(value, out var at)
                && (at.Block == block ? at.Index < index : _dominators.Dominates(at.Block, block));

        public bool ReachesEnd(Value value, Block block) => Reaches(value, block, int.MaxValue);
    }

    internal static IEnumerable<Value> UsedBy(Terminator? terminator) => terminator switch
    {
        Branch branch => [branch.Condition],
        Return end => [end.Start, end.Length, end.Egress],
        Yield turn => [turn.IsLeft, .. turn.Values],
        _ => [],
    };
}
