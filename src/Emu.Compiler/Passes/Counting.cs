namespace Emu.Compiler;

/// <summary>
/// A register that is read only to write it back increased by 1 is counted up: nobody waits for what it holds.
/// </summary>
internal static class Counting
{
    public static void Run(Function function)
    {
        var blocks = function.Blocks();
        var uses = new Dictionary<Value, int>(ReferenceEqualityComparer.Instance);
        void Use(Value value) => uses[value] = uses.GetValueOrDefault(value) + 1;
        foreach (var block in blocks)
        {
            foreach (var phi in block.Phis) phi.Operands.ForEach(Use);
            foreach (var operation in block.Operations) operation.Operands.ForEach(Use);
            foreach (var value in Verifier.UsedBy(block.Terminator)) Use(value);
        }
        foreach (var block in blocks)
        {
            for (var i = 0; i < block.Operations.Count; i++)
            {
                if (Counted(block, i, uses) is { } register)
                    block.Operations[i] = new Operation(Opcode.Count, 1) { State = [register], Location = block.Operations[i].Location };
            }
        }
        DeadCode.Run(function);
    }

    /// <summary>The register that a write counts up, reading it in the same block with no other write between.</summary>
    private static Register? Counted(Block block, int index, Dictionary<Value, int> uses)
    {
        if (block.Operations[index] is not { Opcode: Opcode.RegisterWrite, State: [Register register] } write) return null;
        if (write.Operands[0] is not Operation { Opcode: Opcode.Add } sum || !Constant.Is(sum.Operands[1], 1) || uses[sum] > 1) return null;
        if (sum.Operands[0] is not Operation { Opcode: Opcode.RegisterRead } read || read.State[0] != register || uses[read] > 1) return null;
        var from = block.Operations.IndexOf(read);
        if (from < 0) return null;
        return block.Operations.GetRange(from, index - from).Exists(o => o.IsEffect && o.State.Contains(register)) ? null : register;
    }
}
