namespace Emu.Compiler;

/// <summary>
/// A counter of 64 bits that nothing reads but to write it back increased by 1 is counted up: nobody waits for what it holds. In hardware a count is
/// one bit in a cycle, so a counter that one event may count up at two places stays a number like any other.
/// </summary>
internal static class Counting
{
    private const int CounterBits = 64;

    public static void Run(IReadOnlyList<Function> functions)
    {
        var uses = Uses(functions);
        var counts = new Dictionary<Operation, Register>(ReferenceEqualityComparer.Instance);
        foreach (var block in functions.SelectMany(f => f.Blocks()))
        {
            for (var i = 0; i < block.Operations.Count; i++)
            {
                if (Counted(block, i, uses) is { } register) counts[block.Operations[i]] = register;
            }
        }
        var accesses = functions.SelectMany(f => f.Blocks()).SelectMany(b => b.Operations).Where(o => o.Opcode is Opcode.RegisterRead or Opcode.RegisterWrite)
            .SelectMany(o => o.State.Select(s => (Register: s, Access: o))).ToLookup(a => a.Register, a => a.Access);
        // Each count is one read and one write; there must be no other.
        var counters = counts.GroupBy(c => c.Value).Where(c => accesses[c.Key].Count() == 2 * c.Count())
            .Select(c => c.Key)
            .Except(CountedTwice(functions, counts)).ToHashSet();
        foreach (var function in functions)
        {
            foreach (var block in function.Blocks())
            {
                for (var i = 0; i < block.Operations.Count; i++)
                {
                    if (counts.TryGetValue(block.Operations[i], out var register) && counters.Contains(register))
                        block.Operations[i] = new Operation(Opcode.Count, 1) { State = [register], Location = block.Operations[i].Location };
                }
            }
            DeadCode.Run(function);
        }
    }

    /// <summary>The registers of which a count may follow another, but for the next turn of a loop.</summary>
    private static HashSet<Register> CountedTwice(IReadOnlyList<Function> functions, Dictionary<Operation, Register> counts)
    {
        var twice = new HashSet<Register>();
        foreach (var function in functions)
        {
            var before = new Dictionary<Block, HashSet<Register>>();
            foreach (var block in function.Blocks())
            {
                HashSet<Register> counted = [.. block.Predecessors.SelectMany(p => before.GetValueOrDefault(p) ?? [])];
                foreach (var operation in block.Operations)
                    if (counts.TryGetValue(operation, out var register) && !counted.Add(register)) twice.Add(register);
                before[block] = counted;
            }
        }
        return twice;
    }

    private static Dictionary<Value, int> Uses(IReadOnlyList<Function> functions)
    {
        var uses = new Dictionary<Value, int>(ReferenceEqualityComparer.Instance);
        void Use(Value value) => uses[value] = uses.GetValueOrDefault(value) + 1;
        foreach (var block in functions.SelectMany(f => f.Blocks()))
        {
            foreach (var phi in block.Phis) phi.Operands.ForEach(Use);
            foreach (var operation in block.Operations) operation.Operands.ForEach(Use);
            foreach (var value in Verifier.UsedBy(block.Terminator)) Use(value);
        }
        return uses;
    }

    /// <summary>The register that a write counts up, reading it in the same block with no other write between.</summary>
    private static Register? Counted(Block block, int index, Dictionary<Value, int> uses)
    {
        if (block.Operations[index] is not { Opcode: Opcode.RegisterWrite, State: [Register { Width: CounterBits } register] } write
            || register.Reset != 0)
            return null;
        if (write.Operands[0] is not Operation { Opcode: Opcode.Add } sum || !Constant.Is(sum.Operands[1], 1) || uses[sum] > 1) return null;
        if (sum.Operands[0] is not Operation { Opcode: Opcode.RegisterRead, State: [var counted] } read || counted != register || uses[read] > 1) return null;
        var from = block.Operations.IndexOf(read);
        if (from < 0) return null;
        return block.Operations.GetRange(from, index - from).Exists(o => o.IsEffect && o.State.Contains(register)) ? null : register;
    }
}
