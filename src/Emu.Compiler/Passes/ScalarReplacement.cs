using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Makes registers of the elements of a memory whose indices are all constants (scalar replacement of aggregates;
/// Muchnick 1997, §12.2): an event can read and write all of them at once, a memory at one place.
/// </summary>
internal static class ScalarReplacement
{
    public static void Run(Compilation compilation)
    {
        var replaced = Replaced(compilation);
        if (replaced.Count == 0) return;
        foreach (var memory in replaced) memory.BecomeRegisters();
        foreach (var function in compilation.Functions)
        {
            var registers = new Substitution();
            foreach (var block in function.Blocks())
            {
                for (var i = 0; i < block.Operations.Count; i++)
                {
                    var access = block.Operations[i];
                    if (IsOf(access, replaced)) registers.Add(access, block.Operations[i] = OnRegister(access));
                }
            }
            registers.Apply(function);
        }
    }

    /// <summary>The memories of which all elements that are used are known, and that nobody outside looks at.</summary>
    private static HashSet<Memory> Replaced(Compilation compilation)
    {
        var accesses = compilation.Functions.SelectMany(function => function.Blocks())
            .SelectMany(block => block.Operations).Where(operation => operation.State is [Memory, ..]).ToList();
        var memories = accesses.SelectMany(access => access.State).Cast<Memory>().ToHashSet();
        foreach (var column in compilation.State.ControlColumns(memories)) memories.ExceptWith(column.Memories);
        // One of several arrays is accessed as the others are.
        while (accesses.Find(access => IsOf(access, memories) && !IsAtConstant(access, memories)) is { } other)
            memories.ExceptWith(other.State.Cast<Memory>());
        return memories;
    }

    private static bool IsOf(Operation access, HashSet<Memory> memories) =>
        access.State is [Memory, ..] && access.State.Any(memory => memories.Contains((Memory)memory));

    private static bool IsAtConstant(Operation access, HashSet<Memory> memories) =>
        access.Operands[0] is Constant index
        && access.State.Cast<Memory>().All(memory =>
            memories.Contains(memory) && index.Bits < (UInt128)memory.Depth);

    private static Operation OnRegister(Operation access)
    {
        var index = (int)((Constant)access.Operands[0]).Bits;
        var opcode = access.Opcode == Opcode.MemoryRead ? Opcode.RegisterRead : Opcode.RegisterWrite;
        return new Operation(opcode, access.Width, access.Operands.Skip(1))
        {
            State = [.. access.State.Select(memory => ((Memory)memory).Registers![index])],
            Location = access.Location,
        };
    }
}
