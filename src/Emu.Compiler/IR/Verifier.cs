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
        var defined = new Definitions(function, blocks);
        if (blocks.Select(block => Broken(block, defined)).FirstOrDefault(broken => broken is not null) is { } broken)
            throw new InvalidOperationException($"after {after}: {broken}\n{Printer.Print(function)}");
    }

    /// <summary>The first invariant that does not hold in a block; null when all do.</summary>
    private static string? Broken(Block block, Definitions defined) =>
        BrokenEdge(block)
        ?? block.Phis.Select(phi => Broken(phi, block, defined)).FirstOrDefault(broken => broken is not null)
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
            if (!HasRightWidths(operation)) return $"%{operation.Number} has operands of wrong widths";
        }
        return null;
    }

    private static string? BrokenEnd(Block block, Definitions defined)
    {
        foreach (var used in UsedBy(block.Terminator))
            if (!defined.ReachesEnd(used, block))
                return $"b{block.Number} ends with {Printer.Name(used)}, which is not there";
        return block.Terminator is Branch branch && (branch.Condition.Width != 1 || branch.Then == branch.Else)
            ? $"b{block.Number} branches on a value of {branch.Condition.Width} bits, or nowhere"
            : null;
    }

    /// <summary>Where values are defined, and so where they may be used.</summary>
    private sealed class Definitions
    {
        private readonly Dictionary<Value, (Block Block, int Index)> _places = new(ReferenceEqualityComparer.Instance);
        private readonly Dominators _dominators;

        public Definitions(Function function, IReadOnlyList<Block> blocks)
        {
            _dominators = new Dominators(function);
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
        _ => [],
    };

    internal static bool HasRightWidths(Operation operation)
    {
        var o = operation.Operands;
        var w = operation.Width;
        var state = operation.State;
        return operation.Opcode switch
        {
            Opcode.Add or Opcode.Subtract or Opcode.Multiply or Opcode.DivideUnsigned
                or Opcode.DivideSigned or Opcode.RemainderUnsigned
                or Opcode.RemainderSigned or Opcode.And or Opcode.Or or Opcode.Xor =>
                o.Count == 2 && o[0].Width == w && o[1].Width == w,
            Opcode.ShiftLeft or Opcode.ShiftRight or Opcode.ShiftRightSigned => o.Count == 2 && o[0].Width == w,
            Opcode.Equal or Opcode.LessUnsigned or Opcode.LessSigned =>
                o.Count == 2 && w == 1 && o[0].Width == o[1].Width,
            Opcode.ZeroExtend or Opcode.SignExtend => o.Count == 1 && o[0].Width < w,
            Opcode.Truncate => o.Count == 1 && o[0].Width > w,
            Opcode.Extract => o.Count == 1 && operation.Low >= 0 && operation.Low + w <= o[0].Width,
            Opcode.Concat => o.Count == 2 && o[0].Width + o[1].Width == w,
            Opcode.Select => o.Count == 3 && o[0].Width == 1 && o[1].Width == w && o[2].Width == w,
            Opcode.PopCount or Opcode.LeadingZeros or Opcode.TrailingZeros => o.Count == 1,
            Opcode.OnesSum => o.Count == 1 && w == 16,
            Opcode.Input => o.Count == 0,
            Opcode.FrameRead => o.Count == 1 && w % 8 == 0,
            Opcode.FrameSum => o.Count == 2 && w == 16,
            Opcode.FrameWrite => o.Count == 2 && o[1].Width % 8 == 0,
            Opcode.FrameMove => o.Count == 3,
            Opcode.FrameResize => o.Count == 2,
            Opcode.RegisterRead => HasSelector(state, o.Count) && state.All(s => s is Register && s.Width == w),
            Opcode.RegisterWrite =>
                HasSelector(state, o.Count - 1) && state.All(s => s is Register && s.Width == o[0].Width),
            Opcode.Count => o.Count == 1 && state is [Register] && o[0].Width <= state[0].Width,
            Opcode.MemoryRead => HasSelector(state, o.Count - 1) && state.All(s => s is Memory && s.Width == w),
            Opcode.MemoryWrite =>
                HasSelector(state, o.Count - 2) && state.All(s => s is Memory && s.Width == o[1].Width),
            Opcode.Send => o.Count == 3,
            _ => false,
        };
    }

    private static bool HasSelector(IReadOnlyList<StateElement> candidates, int selectors) =>
        candidates.Count > 0 && selectors == (candidates.Count > 1 ? 1 : 0);
}
