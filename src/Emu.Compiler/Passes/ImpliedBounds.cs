using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// Branches in a loop over bytes that a test of the same index before them has decided: an index that is four below the
/// end is not beyond it (elimination of array bounds checks; Bodík, Gupta and Sarkar 2000, <em>ABCD</em>).
/// </summary>
/// <param name="loop">The loop.</param>
/// <param name="ranges">The numbers that values can be.</param>
/// <param name="dominators">Of its function.</param>
/// <param name="bits">The bits of an offset.</param>
internal sealed class ImpliedBounds(ByteLoop loop, Ranges ranges, Dominators dominators, int bits)
{
    /// <summary>Index + <paramref name="Ahead"/> &gt;= <paramref name="End"/>.</summary>
    /// <param name="End">What the index is compared with.</param>
    /// <param name="Ahead">The constant.</param>
    /// <param name="IsExact">True if the condition says no less than this.</param>
    /// <param name="WhenHolds">The outcome of the condition when this holds.</param>
    private sealed record Test(Value End, UInt128 Ahead, bool IsExact, bool WhenHolds);

    /// <summary>Makes jumps of branches that are decided, and comparisons with the end of those that can be.</summary>
    public void Remove()
    {
        // That a walk goes on is known by how far it may have come.
        if (loop.Step is not null) foreach (var block in loop.Blocks) CompareUnsigned(block);
        foreach (var block in loop.Blocks)
        {
            if (block.Terminator is not Branch branch || TestOf(branch.Condition) is not { } test) continue;
            if (Exists(block, test.End, before => before.IsExact && before.Ahead >= test.Ahead))
            {
                var never = test.WhenHolds ? branch.Then : branch.Else;
                Edges.Remove(block, never);
                block.Terminator = new Jump(never == branch.Then ? branch.Else : branch.Then);
            }
            else if (BytesLeft(branch.Condition) is var (left, count) && Exists(block, test.End, _ => true))
            {
                Compare(block, branch, left, count);
            }
        }
    }

    /// <summary>
    /// Compares the index with its end as numbers that are not negative, which both are: so the branch says as much of
    /// the index as those that it implies.
    /// </summary>
    private void CompareUnsigned(Block block)
    {
        if (block.Terminator is not Branch { Condition: Operation { Opcode: Opcode.LessSigned } less } branch
            || TestOf(less) is not { IsExact: true }
            || !less.Operands.TrueForAll(IsNonNegative))
            return;
        var isBefore = new Operation(Opcode.LessUnsigned, 1, less.Operands[0], less.Operands[1])
        {
            Location = less.Location,
        };
        block.Operations.Add(isBefore);
        loop.Add(isBefore);
        block.Terminator = branch with { Condition = isBefore };
    }

    private bool IsNonNegative(Value value) =>
        (loop.MostOfIndexed(value) ?? ranges.Of(value).Max) <= Arithmetic.Mask(value.Width - 1);

    /// <summary>
    /// Asks whether the index is near its end instead of how many bytes are left: the index is not beyond the end.
    /// </summary>
    private void Compare(Block block, Branch branch, Operation left, UInt128 count)
    {
        var (end, index) = (left.Operands[0], left.Operands[1]);
        if (loop.MostOfIndexed(index) is not { } most || most + count > Arithmetic.Mask(index.Width - 1)) return;
        var ahead = new Operation(Opcode.Add, index.Width, index, new Constant(index.Width, count - 1))
        {
            Location = left.Location,
        };
        var isBefore = new Operation(Opcode.LessUnsigned, 1, ahead, end) { Location = left.Location };
        block.Operations.AddRange([ahead, isBefore]);
        loop.Add(ahead, isBefore);
        block.Terminator = new Branch(isBefore, branch.Else, branch.Then);
    }

    /// <summary>
    /// True if a test before a block, of a kind, says that the index is not so near the end, or not beyond it.
    /// </summary>
    private bool Exists(Block block, Value end, Predicate<Test> isOfKind)
    {
        for (var at = block; at != loop.Header;)
        {
            var inner = at;
            at = dominators.Immediate(at)!;
            if (at.Terminator is not Branch branch || TestOf(branch.Condition) is not { } before
                || !before.IsExact && BytesLeft(branch.Condition) is not null)
                continue;
            var goesOn = before.WhenHolds ? branch.Else : branch.Then;
            if (goesOn == inner && inner.Predecessors.Count == 1 && Constant.AreSame(before.End, end)
                && isOfKind(before))
                return true;
        }
        return false;
    }

    private Test? TestOf(Value condition)
    {
        if (condition is not Operation { Operands: [var a, var b] } operation) return null;
        switch (operation.Opcode)
        {
            case Opcode.LessUnsigned or Opcode.LessSigned when Ahead(a) is { } below && IsEnd(operation, b):
                return new Test(AffineForm.WithoutZeros(b), below, IsExact: true, WhenHolds: false);
            case Opcode.LessUnsigned or Opcode.LessSigned
                when Ahead(b) is { } above && above > 0 && IsEnd(operation, a):
                return new Test(AffineForm.WithoutZeros(a), above - 1, IsExact: true, WhenHolds: true);
            case Opcode.LessUnsigned or Opcode.LessSigned
                when Ahead(b) is { } same && same == 0 && IsEnd(operation, a):
                return Beyond(a);
            default:
                return BytesLeft(condition) is var (left, count) && Ahead(left.Operands[1]) is { } ahead
                    ? new Test(
                        AffineForm.WithoutZeros(left.Operands[0]), count - 1 + ahead, IsExact: false, WhenHolds: true)
                    : null;
        }
    }

    /// <summary>The difference from index to end, and a number of bytes that it is asked to be less than.</summary>
    private static (Operation Left, UInt128 Count)? BytesLeft(Value condition)
    {
        var (left, count) = condition switch
        {
            Operation { Opcode: Opcode.LessUnsigned, Operands: [var less, Constant limit] } => (less, limit.Bits),
            Operation
            {
                Opcode: Opcode.Equal, Operands: [Operation { Opcode: Opcode.Extract } high, Constant { Bits: var no }],
            }
                when no == 0 && high.Low + high.Width == high.Operands[0].Width =>
                (high.Operands[0], UInt128.One << high.Low),
            _ => (condition, UInt128.Zero),
        };
        return count > 0 && left is Operation { Opcode: Opcode.Subtract } difference ? (difference, count) : null;
    }

    /// <summary>The index is beyond the end: then it is at the end, too.</summary>
    private static Test Beyond(Value end) => new(AffineForm.WithoutZeros(end), 0, IsExact: false, WhenHolds: true);

    /// <summary>The number that is added to the index, if that is a small constant.</summary>
    private UInt128? Ahead(Value value) =>
        loop.MostOfIndexed(value) is not null
        && loop.OffsetOf(value) is { Terms: [var only] } sum && only == loop.Index
        && sum.Constant < UInt128.One << (bits - 1)
            ? sum.Constant
            : null;

    private bool IsEnd(Operation test, Value end) =>
        loop.IsSame(end)
        && (test.Opcode == Opcode.LessUnsigned || ranges.Of(end).Max <= Arithmetic.Mask(end.Width - 1));
}
