using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Makes of a checksum over one of a few numbers of bytes, as of an answer that is long or short, the sum of those that
/// are always covered and of each part that may be. So all are at constant places.
/// </summary>
internal static class SumChoice
{
    /// <summary>The most bytes: more pass as a stream.</summary>
    private const int MostBytes = 128;

    private const int WordBits = 16;

    /// <summary>Makes the sums.</summary>
    /// <param name="function">The function; blocks behind a side exit are left as they are.</param>
    /// <param name="capacity">The most bytes of a frame.</param>
    /// <returns>True if there were any.</returns>
    public static bool Run(Function function, int capacity)
    {
        var (sets, known, changed) = (new ValueSets(OffsetChoice.MaxOffsets), new Substitution(), false);
        foreach (var block in PathDivision.FastBlocks(function))
        {
            foreach (var sum in block.Operations.FindAll(IsOfComputedLength))
            {
                if (sets.Of(sum.Operands[1]) is not { Count: > 1 } lengths || !AreWords(lengths)) continue;
                if (((Constant)sum.Operands[0]).Bits + lengths.Max > (UInt128)capacity) continue;
                var made = new List<Operation>();
                known.Add(sum, Parts(sum, [.. lengths], made));
                var index = block.Operations.IndexOf(sum);
                block.Operations.RemoveAt(index);
                block.Operations.InsertRange(index, made);
                changed = true;
            }
        }
        known.Apply(function);
        return changed;
    }

    private static bool IsOfComputedLength(Operation operation) =>
        operation is { Opcode: Opcode.FrameSum, Operands: [Constant, not Constant] };

    /// <summary>True if parts begin with whole words: the last may end in half of one.</summary>
    private static bool AreWords(SortedSet<UInt128> lengths) =>
        lengths.Max <= MostBytes && lengths.SkipLast(1).All(length => length % 2 == 0);

    private static Value Parts(Operation sum, List<UInt128> lengths, List<Operation> made)
    {
        var n = new OperationList(made) { Location = sum.Location };
        var (offset, length) = ((Constant)sum.Operands[0], sum.Operands[1]);
        Operation Of(UInt128 from, UInt128 to)
        {
            var part = new Operation(
                Opcode.FrameSum, WordBits, new Constant(offset.Width, offset.Bits + from),
                new Constant(length.Width, to - from))
            {
                Location = sum.Location,
            };
            made.Add(part);
            return part;
        }
        var all = n.Resize(Of(0, lengths[0]), 2 * WordBits);
        foreach (var (from, to) in lengths.Zip(lengths.Skip(1)))
            all = n.Add(all, n.Resize(
                n.Select(
                    n.Less(new Constant(length.Width, from), length), Of(from, to), FoldingBuilder.Zero(WordBits)),
                2 * WordBits));
        return n.Make(Opcode.OnesSum, WordBits, all);
    }
}
