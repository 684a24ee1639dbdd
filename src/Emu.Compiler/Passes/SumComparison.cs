using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// Takes out checks between a change of the frame's length and a move of bytes by one of a few distances, where sums
/// that have parts in common decide them and ranges alone do not: a frame that has grown by a number ends behind the
/// place that is the same number further on (symbolic range comparison, Blume and Eigenmann 1995).
/// </summary>
/// <remarks>
/// Other checks stay, even those that always hold: they say how many bytes there are to what looks at ranges alone.
/// </remarks>
internal static class SumComparison
{
    /// <summary>More bits than those of what is compared, so that no sum wraps.</summary>
    private const int Headroom = 2;

    /// <summary>Takes out the checks; true if there were any.</summary>
    /// <param name="compilation">The service; what it does with a frame is changed.</param>
    public static bool Run(Compilation compilation)
    {
        var function = compilation.Process;
        var facts = compilation.PathRangesOf(function);
        var decided = PathDivision.FastBlocks(function).FindAll(Moves).SelectMany(ChecksAbove)
            .Select(check => (check.Block, check.Branch, IsLess: Of(check.Branch.Condition, facts)))
            .Where(check => check.IsLess is not null).DistinctBy(check => check.Block).ToList();
        foreach (var (block, branch, isLess) in decided)
        {
            var (to, never) = isLess == true ? (branch.Then, branch.Else) : (branch.Else, branch.Then);
            Edges.Remove(block, never);
            block.Terminator = new Jump(to);
        }
        if (decided.Count > 0) Edges.ForgetUnreachable(function);
        return decided.Count > 0;
    }

    private static bool Moves(Block block) => block.Operations.Exists(operation =>
        operation.Opcode == Opcode.FrameMove && operation.Operands.Take(2).Any(place => place is not Constant));

    /// <summary>The branches that lead to a block, up to the last change of length.</summary>
    private static IEnumerable<(Block Block, Branch Branch)> ChecksAbove(Block block)
    {
        while (block.Predecessors is [{ Terminator: Branch branch } above])
        {
            yield return (above, branch);
            if (above.Operations.Exists(operation => operation.IsEffect)) yield break;
            block = above;
        }
    }

    /// <summary>The result of a comparison; null if it is not known.</summary>
    private static bool? Of(Value condition, PathRanges facts)
    {
        if (condition is not Operation
            {
                Opcode: Opcode.LessUnsigned or Opcode.LessSigned, Operands: [var one, var other],
            } less)
            return null;
        if (one is Constant || other is Constant || !(IsSum(one) || IsSum(other))) return null;
        var signBits = less.Opcode == Opcode.LessSigned ? 1 : 0;
        if (UInt128.Max(Range(one).Max, Range(other).Max) > Arithmetic.Mask(one.Width - signBits)) return null;
        var distance = Form(one).Minus(Form(other));
        if (distance.Least(Range) >= 0) return false;
        return LinearForm.Of(one.Width + Headroom, 0).Minus(distance).Least(Range) > 0 ? true : null;

        LinearForm Form(Value value) => LinearForm.Of(value, one.Width + Headroom, Range, Alike);

        Interval Range(Value part) => facts.AtOperand(less, part);
    }

    /// <summary>The first phi of a block that joins the same constants, whatever its width; null for others.</summary>
    private static Phi? Alike(Value value) =>
        value is Phi { Operands: var own } phi && own.TrueForAll(operand => operand is Constant)
            ? phi.Block.Phis.Find(other => other.Operands.Zip(own).All(
                pair => pair is (Constant { Bits: var a }, Constant { Bits: var b }) && a == b))
            : null;

    private static bool IsSum(Value value) =>
        AffineForm.WithoutZeros(value) is Operation { Opcode: Opcode.Add or Opcode.Subtract };
}
