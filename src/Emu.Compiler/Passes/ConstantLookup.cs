using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// A word of a table that nothing writes as a function of its index: a tree of choices by the bits of the index, the
/// expansion by Boole and Shannon. A turn of a loop that looks something up in such a table only computes.
/// </summary>
internal static class ConstantLookup
{
    /// <summary>The most words of such a table, and the most bits of it.</summary>
    private const int MostWords = 256, MostBits = 1 << 14;

    /// <summary>True if an operation reads a small table that nothing writes, perhaps one of several.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="written">The state that the service writes.</param>
    public static bool Is(Operation operation, IReadOnlySet<StateElement> written) =>
        operation.Opcode == Opcode.MemoryRead && operation.State.All(element =>
            element is Memory { Depth: > 0 and <= MostWords } memory && memory.Depth * memory.Width <= MostBits
            && !written.Contains(memory));

    /// <summary>The word that an operation reads; any where there is none.</summary>
    /// <param name="n">Makes values.</param>
    /// <param name="read">The operation.</param>
    /// <param name="operands">The values that stand for its operands.</param>
    public static Value Of(FoldingBuilder n, Operation read, IReadOnlyList<Value> operands)
    {
        var words = read.State.Select(memory => Chosen(n, operands[0], Words((Memory)memory))).ToList();
        return words.Count == 1 ? words[0] : Chosen(n, operands[1], words);
    }

    private static List<Value> Words(Memory memory) =>
        [.. memory.Reset.Select(word => new Constant(memory.Width, word))];

    /// <summary>The value with a number; behind the last there is none, so any will do.</summary>
    private static Value Chosen(FoldingBuilder n, Value number, List<Value> values)
    {
        for (var bit = 0; values.Count > 1 && bit < number.Width; bit++)
        {
            var isUpper = n.Extract(number, bit, 1);
            values = [.. values.Chunk(2).Select(pair => n.Select(isUpper, pair[^1], pair[0]))];
        }
        return values[0];
    }
}
