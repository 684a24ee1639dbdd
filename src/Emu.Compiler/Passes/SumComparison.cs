using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// Decides comparisons of sums that have parts in common, where ranges alone do not: a frame that has grown by a number
/// ends behind the place that is the same number further on (symbolic range comparison, Blume and Eigenmann 1995).
/// </summary>
internal static class SumComparison
{
    /// <summary>More bits than those of what is compared, so that no sum wraps.</summary>
    private const int Headroom = 2;

    /// <summary>The result of a comparison; null if it is not known.</summary>
    /// <param name="less">An operation.</param>
    /// <param name="range">The numbers that values can be where it is computed.</param>
    public static bool? Of(Operation less, Func<Value, Interval> range)
    {
        if (less is not { Opcode: Opcode.LessUnsigned or Opcode.LessSigned, Operands: [var one, var other] }
            || one is Constant || other is Constant || !(IsSum(one) || IsSum(other)))
            return null;
        var signBits = less.Opcode == Opcode.LessSigned ? 1 : 0;
        if (UInt128.Max(range(one).Max, range(other).Max) > Arithmetic.Mask(one.Width - signBits)) return null;
        var distance = Form(one).Minus(Form(other));
        if (distance.Least(range) >= 0) return false;
        return LinearForm.Of(one.Width + Headroom, 0).Minus(distance).Least(range) > 0 ? true : null;

        LinearForm Form(Value value) => LinearForm.Of(value, one.Width + Headroom, range, _ => null);
    }

    private static bool IsSum(Value value) =>
        AffineForm.WithoutZeros(value) is Operation { Opcode: Opcode.Add or Opcode.Subtract };
}
