using Emu.Compiler.IR;

namespace Emu.Compiler.Rewriting;

internal abstract partial class FoldingBuilder
{
    /// <summary>
    /// Two comparisons of one value with constants as one, where one is enough: at least 80 and at most 80 is 80.
    /// </summary>
    private Value? JoinedRanges(Opcode opcode, Value a, Value b)
    {
        if (a.Width != 1 || opcode == Opcode.Xor || RangeTest.Of(a) is not { } x || RangeTest.Of(b) is not { } y
            || x.Value != y.Value)
            return null;
        // Either of two is not neither of their opposites.
        var isOr = opcode == Opcode.Or;
        if ((isOr ? x.Opposite : x).TryAnd(isOr ? y.Opposite : y) is not { } both) return null;
        return (isOr ? both.Opposite : both) is { IsOneComparison: true } test ? Comparison(test) : null;
    }

    private Value Comparison(RangeTest test)
    {
        if (test.IsNegated) return Not(Comparison(test.Opposite));
        var (value, width) = (test.Value, test.Value.Width);
        var (min, max) = test.Range;
        if (test.IsEmpty) return Bit(false);
        if (min == 0 && max == Arithmetic.Mask(width)) return Bit(true);
        if (test.EqualBits is { } low)
            return Equal(Extract(value, low, width - low), new Constant(width - low, min >> low));
        return min == 0
            ? Less(value, new Constant(width, max + 1))
            : Not(Less(value, new Constant(width, min)));
    }
}
