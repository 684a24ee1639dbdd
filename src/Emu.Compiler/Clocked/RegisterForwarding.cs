using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Clocked;

/// <summary>
/// Gives reads of registers in a cycle that has a loop the value that the cycle has written there before, or found
/// there, with phis where ways join (register promotion, Cooper and Lu 1997): a loop that counts in a static field is
/// then one that counts in a variable. The writes stay.
/// </summary>
internal static class RegisterForwarding
{
    /// <summary>Forwards what a cycle writes to its own reads, if it has a loop.</summary>
    public static void Run(Function cycle)
    {
        var blocks = cycle.Blocks();
        if (Cycle.In(blocks) is not { } loop) return;
        var all = blocks.SelectMany(block => block.Operations).ToList();
        var known = new Substitution();
        foreach (var register in loop.SelectMany(block => block.Operations)
            .SelectMany(operation => operation.State).OfType<Register>().Distinct().ToList())
        {
            if (all.TrueForAll(operation => operation.State.Count == 1 || !operation.State.Contains(register)))
                Forward(cycle.Entry, blocks, register, known);
        }
        known.Apply(cycle);
    }

    private static void Forward(Block entry, List<Block> blocks, Register register, Substitution known)
    {
        var first = new Operation(Opcode.RegisterRead, register.Width) { State = [register] };
        entry.Operations.Insert(0, first);
        var atEnd = new Dictionary<Block, Value> { [entry] = first };
        foreach (var block in blocks)
        {
            if (block.Operations.FindLast(o => IsWrite(o) && o.State[0] == register) is { } last)
                atEnd[block] = last.Operands[0];
        }
        var contents = new Definitions(register.Width, atEnd);
        foreach (var block in blocks)
        {
            Value? now = block == entry ? first : null;
            foreach (var operation in block.Operations)
            {
                if (operation == first || operation.State is not [var only] || only != register) continue;
                if (IsWrite(operation)) now = operation.Operands[0];
                else known.Add(operation, now ??= contents.AtStart(block));
            }
        }
    }

    private static bool IsWrite(Operation operation) => operation.Opcode == Opcode.RegisterWrite;
}
