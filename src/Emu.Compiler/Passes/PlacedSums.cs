using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Makes folds of checksums that begin at a computed place, such as behind a chain of extension headers: where that is
/// comes of another walk over the frame, so they are a second one, which adds.
/// </summary>
internal static class PlacedSums
{
    /// <summary>Makes folds of all that a pipeline would defer.</summary>
    /// <param name="compilation">The service; what it does with a frame is changed.</param>
    /// <param name="blocks">The blocks in which checksums are looked for.</param>
    /// <returns>True if there were any.</returns>
    public static bool Run(Compilation compilation, IReadOnlySet<Block> blocks)
    {
        var facts = compilation.PathRangesOf(compilation.Process);
        var known = new Substitution();
        foreach (var block in blocks)
        {
            var list = new List<Operation>();
            foreach (var operation in block.Operations)
            {
                if (operation is { Opcode: Opcode.FrameSum, Operands: [not Constant and var offset, _] })
                    known.Add(operation, Fold(operation, facts.At(block, offset).Min, list));
                else
                    list.Add(operation);
            }
            block.Operations.Clear();
            block.Operations.AddRange(list);
        }
        if (known.IsEmpty) return false;
        known.Apply(compilation.Process);
        return true;
    }

    private static Operation Fold(Operation sum, UInt128 least, List<Operation> list)
    {
        var n = new OperationList(list) { Location = sum.Location };
        var start = n.Resize(sum.Operands[0], FrameFold.OffsetBits);
        var end = n.Add(start, n.Resize(sum.Operands[1], FrameFold.OffsetBits));
        // A beat of turns that add nothing costs a cycle, however far in front of the first byte they begin.
        var fold = FoldStart.Beginning(LateSums.From(sum, start, end), least);
        list.Add(fold);
        var folded = new Operation(Opcode.OnesSum, sum.Width, fold) { Location = sum.Location };
        list.Add(folded);
        return folded;
    }
}
