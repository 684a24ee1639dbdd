using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Makes registers of the elements of a memory whose indices are all constants (scalar replacement of aggregates;
/// Muchnick 1997, §12.2): an event can read and write all of them at once, a memory at one place.
/// </summary>
/// <remarks>
/// So it does of a memory of few elements that a frame writes at a constant index and at another place, as one that is
/// cleared and counted in by port (complete array partitioning of high-level synthesis): a computed index selects one
/// of the registers.
/// </remarks>
internal static class ScalarReplacement
{
    /// <summary>The elements and the bits of a memory that becomes registers though indices are computed.</summary>
    private const int MostElements = 8, MostBits = 512;

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
        var files = memories.Where(memory => IsFile(memory, accesses, compilation.Process)).ToHashSet();
        memories.ExceptWith(files);
        // One of several arrays is accessed as the others are.
        while (accesses.Find(access => IsOf(access, memories) && !IsAtConstant(access, memories)) is { } other)
            memories.ExceptWith(other.State.Cast<Memory>());
        return [.. memories, .. files];
    }

    /// <summary>True of a memory that may become registers though indices are computed.</summary>
    public static bool IsSmall(Memory memory) =>
        memory.Depth is >= 2 and <= MostElements && memory.Depth * memory.Width <= MostBits;

    /// <summary>
    /// True of a memory of few elements, always accessed alone, which a frame writes at a constant index and at others.
    /// </summary>
    private static bool IsFile(Memory memory, List<Operation> accesses, Function process)
    {
        if (!IsSmall(memory)) return false;
        if (accesses.Exists(access =>
            (access.State.Count > 1 || !IsOfOneWord(access)) && access.State.Contains(memory)))
            return false;
        var writes = process.Blocks().SelectMany(block => block.Operations)
            .Where(operation => operation.Opcode == Opcode.MemoryWrite && operation.State[0] == memory).ToList();
        return writes.Exists(write => write.Operands[0] is Constant)
            && writes.Exists(write => write.Operands[0] is not Constant);
    }

    private static bool IsOf(Operation access, HashSet<Memory> memories) =>
        access.State is [Memory, ..] && access.State.Any(memory => memories.Contains((Memory)memory));

    private static bool IsAtConstant(Operation access, HashSet<Memory> memories) =>
        IsOfOneWord(access) && access.Operands is [Constant index, ..]
        && access.State.Cast<Memory>().All(memory =>
            memories.Contains(memory) && index.Bits < (UInt128)memory.Depth);

    /// <summary>True if an access is to a word, and not by a loop that is one operation.</summary>
    private static bool IsOfOneWord(Operation access) => access.Opcode is Opcode.MemoryRead or Opcode.MemoryWrite;

    private static Operation OnRegister(Operation access)
    {
        var opcode = access.Opcode == Opcode.MemoryRead ? Opcode.RegisterRead : Opcode.RegisterWrite;
        var (at, operands) = (access.Operands[0], access.Operands.Skip(1));
        return at is Constant { Bits: var index } && index < (UInt128)((Memory)access.State[0]).Depth
            ? new Operation(opcode, access.Width, operands)
            {
                State = [.. access.State.Select(memory => ((Memory)memory).Registers![(int)index])],
                Location = access.Location,
            }
            : new Operation(opcode, access.Width, operands.Append(at))
            {
                State = [.. ((Memory)access.State[0]).Registers!],
                Location = access.Location,
            };
    }
}
