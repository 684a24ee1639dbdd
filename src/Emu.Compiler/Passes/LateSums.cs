using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Checksums of as many bytes as a loop over the frame has found: only behind the loop is it known where they end, so
/// they are a second walk, a fold that adds.
/// </summary>
internal static class LateSums
{
    /// <summary>True if the number of bytes of a checksum comes of a loop over the frame.</summary>
    /// <param name="sum">The checksum, in the IR.</param>
    public static bool IsLate(Operation sum)
    {
        var (seen, open) = (new HashSet<Value>(ReferenceEqualityComparer.Instance), new Stack<Value>());
        open.Push(sum.Operands[1]);
        while (open.TryPop(out var next))
        {
            if (!seen.Add(next)) continue;
            if (next is Operation { Opcode: Opcode.FrameFold }) return true;
            foreach (var operand in next is Phi phi ? phi.Operands : next is Operation made ? made.Operands : [])
                open.Push(operand);
        }
        return false;
    }

    /// <summary>
    /// The sum of the frame's bytes from an offset on, as an operation. It is not folded: carries are in the bits from
    /// 16 on. Bytes that the frame did not have when it came are not added, so it may cover zeros that fill it up.
    /// </summary>
    /// <param name="sum">The checksum, in the IR.</param>
    /// <param name="start">The first byte, at an even distance from the checksum's first.</param>
    /// <param name="end">The offset behind the last.</param>
    public static Operation From(Operation sum, Value start, Value end)
    {
        var body = new Block();
        Phi Parameter(int width)
        {
            var phi = new Phi(width, body);
            body.Phis.Add(phi);
            return phi;
        }
        var (octet, offset) = (Parameter(8), Parameter(FrameFold.OffsetBits));
        var isBehind = Parameter(1);
        List<Value> known = start is Constant ? [] : [start];
        var first = start is Constant ? start : Parameter(FrameFold.OffsetBits);
        var total = Parameter(OnesComplementSums.WidestSum);
        var turn = new OperationList(body.Operations) { Location = sum.Location };
        // A byte at an even distance is the high one of its word.
        var isHigh = turn.Equal(turn.Extract(offset, 0, 1), turn.Extract(first, 0, 1));
        var zero = FoldingBuilder.Zero(8);
        var word = turn.Select(isHigh, turn.Concat(octet, zero), turn.Concat(zero, octet));
        body.Terminator = new Yield(isBehind, [turn.Add(total, turn.Resize(word, total.Width))]);
        var fold = new FrameFold(new Function("checksum", body), Bytes: 1, Bounds: 1, known.Count, Found: 0);
        return new Operation(
            Opcode.FrameFold, total.Width, [start, end, .. known, FoldingBuilder.Zero(total.Width)])
        {
            Fold = fold,
            Location = sum.Location,
        };
    }
}
