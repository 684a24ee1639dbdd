using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Computes the words of a table that is a linear map over GF(2), as those of a CRC or of a fingerprint by polynomials
/// are (Sarwate 1988, <em>Computation of cyclic redundancy checks via table look-up</em>): each bit of the index that
/// is 1 adds a constant by XOR. A loop that reads such a table only computes.
/// </summary>
internal static class LinearTables
{
    /// <summary>The most bits of an index: the words of a larger table are not looked through.</summary>
    private const int MostBits = 12;

    /// <summary>Computes what is read in loops.</summary>
    /// <param name="compilation">The service; what it does with a frame is changed.</param>
    /// <param name="blocks">The blocks in which loops are looked for.</param>
    public static void Run(Compilation compilation, IReadOnlySet<Block> blocks)
    {
        var function = compilation.Process;
        var written = ConstantState.Written(compilation.Functions);
        var known = new Substitution();
        foreach (var block in Loop.All(function).SelectMany(loop => loop.Body).Distinct().Where(blocks.Contains))
        {
            var operations = block.Operations.ToList();
            if (!operations.Exists(IsLinear)) continue;
            block.Operations.Clear();
            foreach (var operation in operations)
            {
                if (IsLinear(operation)) known.Add(operation, Computed(operation, block.Operations));
                else block.Operations.Add(operation);
            }
        }
        known.Apply(function);

        bool IsLinear(Operation operation) =>
            operation is { Opcode: Opcode.MemoryRead, State: [Memory memory], Operands: [var index] }
            && !written.Contains(memory) && IsLinearMap(memory, index.Width);
    }

    /// <summary>True if each word is the first and, by XOR, what the bits of its index add.</summary>
    private static bool IsLinearMap(Memory memory, int bits)
    {
        var words = memory.Reset;
        if (words.Count < 2 || Interval.Of((UInt128)words.Count - 1).Width > Math.Min(bits, MostBits)) return false;
        for (var index = 1; index < words.Count; index++)
        {
            var lowest = index & -index;
            if (words[index] != (words[index - lowest] ^ words[lowest] ^ words[0])) return false;
        }
        return true;
    }

    private static Value Computed(Operation read, List<Operation> operations)
    {
        var (words, index) = (((Memory)read.State[0]).Reset, read.Operands[0]);
        var n = new OperationList(operations) { Location = read.Location };
        var parts = new List<Value> { new Constant(read.Width, words[0]) };
        for (var bit = 0; 1 << bit < words.Count; bit++)
        {
            var isAdded = n.Extract(index, bit, 1);
            if (read.Width > 1) isAdded = n.Make(Opcode.SignExtend, read.Width, isAdded);
            parts.Add(n.And(isAdded, new Constant(read.Width, words[1 << bit] ^ words[0])));
        }
        // A balanced sum.
        for (; parts.Count > 1; parts = [.. parts.Chunk(2).Select(pair => pair.Aggregate(Xor))]) continue;
        return parts[0];

        Value Xor(Value a, Value b) => n.Make(Opcode.Xor, read.Width, a, b);
    }
}
