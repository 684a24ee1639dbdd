using Emu.Compiler.IR;

namespace Emu.Compiler.Rewriting;

internal abstract partial class FoldingBuilder
{
    /// <summary>A mask of a field is split; one of scattered bits, as a hash has, reads better whole.</summary>
    private const int MaxRuns = 3;

    private Value? ExtractOf(Value value, int low, int width)
    {
        if (value is not Operation operation) return null;
        var o = operation.Operands;
        switch (operation.Opcode)
        {
            case Opcode.Extract:
                return Extract(o[0], operation.Low + low, width);
            case Opcode.Concat:
                var boundary = o[1].Width;
                if (low >= boundary) return Extract(o[0], low - boundary, width);
                if (low + width <= boundary) return Extract(o[1], low, width);
                return Concat(Extract(o[0], 0, low + width - boundary), Extract(o[1], low, boundary - low));
            // One step at most: of a cipher, each of whose rounds rotates what the one before gave, every bit would
            // become a tree of its own.
            case Opcode.And or Opcode.Or or Opcode.Xor when !o.Exists(IsUsedWhole):
                return Make(operation.Opcode, width, Extract(o[0], low, width), Extract(o[1], low, width));
            // Low bits of a product that a multiplier block gives whole are not another one.
            case Opcode.Multiply when value.Width <= WideArithmetic.BlockBits:
                return null;
            // Higher bits that are used as well are no reason for a sum of their own.
            case Opcode.Add or Opcode.Subtract or Opcode.Multiply
                when Math.Max(DemandedOf(value), low + width) is var bits && bits < value.Width:
                return Extract(
                    Make(operation.Opcode, bits, Extract(o[0], 0, bits), Extract(o[1], 0, bits)), low, width);
            case Opcode.Select when (o[1] is Constant || o[2] is Constant || IsConcat(o[1]) || IsConcat(o[2]))
                && !CutsChoices(o[1], low, width) && !CutsChoices(o[2], low, width):
                return Select(o[0], Extract(o[1], low, width), Extract(o[2], low, width));
            case Opcode.SignExtend when low + width <= o[0].Width:
                return Extract(o[0], low, width);
            case Opcode.SignExtend when low == 0:
                return Make(Opcode.SignExtend, width, o[0]);
            case Opcode.ShiftLeft when low == 0:
                return Make(Opcode.ShiftLeft, width, Extract(o[0], 0, width), o[1]);
            case Opcode.PopCount when low == 0 && width == 1 && ParityOperand(o[0]) is var bits && bits != o[0]:
                return bits.Width == 1 ? bits : Extract(Make(Opcode.PopCount, value.Width, bits), 0, 1);
            default:
                return null;
        }
    }

    private Value? ConcatOf(Value high, Value low)
    {
        // Bits of one value that lie side by side.
        if (high is Operation { Opcode: Opcode.Extract } h && low is Operation { Opcode: Opcode.Extract } l
            && h.Operands[0] == l.Operands[0] && h.Low == l.Low + l.Width)
            return Extract(h.Operands[0], l.Low, high.Width + low.Width);
        // The lowest part stands alone: {a, {b, c}} becomes {{a, b}, c}.
        if (low is Operation { Opcode: Opcode.Concat } lower)
            return Concat(Concat(high, lower.Operands[0]), lower.Operands[1]);
        if (high is Operation { Opcode: Opcode.Concat } upper && Join(upper.Operands[1], low) is { } joined)
            return Concat(upper.Operands[0], joined);
        return null;
    }

    /// <summary>Two neighbours as one value, when that is no longer a concatenation.</summary>
    private Value? Join(Value high, Value low) => (high, low) switch
    {
        (Constant a, Constant b) => new Constant(a.Width + b.Width, a.Bits << b.Width | b.Bits),
        (Operation { Opcode: Opcode.Extract } a, Operation { Opcode: Opcode.Extract } b)
            when a.Operands[0] == b.Operands[0] && a.Low == b.Low + b.Width =>
            Extract(a.Operands[0], b.Low, high.Width + low.Width),
        _ => null,
    };

    private Value? Bitwise(Opcode opcode, Value a, Value b)
    {
        if (a is Constant) return Make(opcode, a.Width, b, a);
        if (Same(opcode, a, b) is { } same) return same;
        if (JoinedRanges(opcode, a, b) is { } joined) return joined;
        if ((WithoutOpposite(opcode, a, b) ?? WithoutOpposite(opcode, b, a)) is { } shorter)
            return Make(opcode, a.Width, shorter.Own, shorter.Other);
        if (a.Width == 1 && (BesideChoice(opcode, a, b) ?? BesideChoice(opcode, b, a)) is { } choice) return choice;
        // One form of the two (De Morgan), so that what is asked for both ways is one value.
        if (opcode == Opcode.Or && a.Width == 1 && IsNot(a) is { } x && IsNot(b) is { } y) return Not(And(x, y));
        if (opcode != Opcode.And && WiringOf(a, b) is { } wiring) return wiring;
        if (b is Constant mask && mask.Width > 1)
        {
            // Runs of equal bits, so that each part folds.
            var run = RunLength(mask);
            if (run < mask.Width && Runs(mask) <= MaxRuns && (opcode != Opcode.Xor || IsConcat(a) && !IsScattered(a)))
                return Concat(Part(opcode, a, b, run, a.Width - run), Part(opcode, a, b, 0, run));
        }
        if ((Boundary(a) ?? Boundary(b)) is { } at)
            return Concat(Part(opcode, a, b, at, a.Width - at), Part(opcode, a, b, 0, at));
        return null;
    }

    private Value Part(Opcode opcode, Value a, Value b, int low, int width) =>
        Make(opcode, width, Extract(a, low, width), Extract(b, low, width));

    private static Value? Same(Opcode opcode, Value a, Value b)
    {
        if (a == b) return opcode == Opcode.Xor ? Zero(a.Width) : a;
        if (IsNotOf(a, b) || IsNotOf(b, a))
            return opcode == Opcode.And ? Zero(a.Width) : new Constant(a.Width, UInt128.MaxValue);
        if (opcode == Opcode.Or && b is Constant all && all.Bits == Arithmetic.Mask(all.Width)) return all;
        // a & (a & b), a | (a | b), and the ones that absorb: a & (a | b), a | (a & b).
        if (opcode is Opcode.And or Opcode.Or && Within(a, b) is { } ab) return ab == opcode ? b : a;
        if (opcode is Opcode.And or Opcode.Or && Within(b, a) is { } ba) return ba == opcode ? a : b;
        // (a & c) | (a & !c) is a: where the two ways of a branch meet again.
        if (opcode == Opcode.Or && a is Operation { Opcode: Opcode.And } x && b is Operation { Opcode: Opcode.And } y)
            return Common(x, y);
        return null;
    }

    private static Value? Common(Operation a, Operation b)
    {
        for (var i = 0; i < 2; i++)
        {
            for (var j = 0; j < 2; j++)
            {
                var (one, other) = (a.Operands[1 - i], b.Operands[1 - j]);
                if (a.Operands[i] == b.Operands[j] && (IsNotOf(one, other) || IsNotOf(other, one)))
                    return a.Operands[i];
            }
        }
        return null;
    }

    /// <summary>a | (!a &amp; b) is a | b, and a &amp; (!a | b) is a &amp; b.</summary>
    private static (Value Own, Value Other)? WithoutOpposite(Opcode opcode, Value own, Value value)
    {
        var inner = opcode == Opcode.Or ? Opcode.And : Opcode.Or;
        if (opcode == Opcode.Xor || value is not Operation operation || operation.Opcode != inner) return null;
        var (x, y) = (operation.Operands[0], operation.Operands[1]);
        return IsNotOf(x, own) || IsNotOf(own, x) ? (own, y) : IsNotOf(y, own) || IsNotOf(own, y) ? (own, x) : null;
    }

    private static bool IsNotOf(Value a, Value b) =>
        a is Operation { Opcode: Opcode.Xor } not && not.Operands[0] == b
        && not.Operands[1] is Constant ones && ones.Bits == Arithmetic.Mask(ones.Width);

    private static Opcode? Within(Value value, Value operation) =>
        operation is Operation { Opcode: Opcode.And or Opcode.Or } o
        && (o.Operands[0] == value || o.Operands[1] == value)
            ? o.Opcode
            : null;

    private static bool IsUsedWhole(Value value) => IsBitwise(value) || IsScattered(value);

    private static bool IsBitwise(Value value) =>
        value is Operation { Opcode: Opcode.And or Opcode.Or or Opcode.Xor } bitwise
        && bitwise.Operands[1] is not Constant;

    /// <summary>
    /// True if some bits of a value are a part of a choice, and again of a choice in that: of what a row of choices
    /// leaves to the next, each row would be made anew for both sides of the next.
    /// </summary>
    private static bool CutsChoices(Value value, int low, int width, int depth = 2) => value switch
    {
        Operation { Opcode: Opcode.Select } choice when low > 0 || width < value.Width =>
            depth == 1
            || CutsChoices(choice.Operands[1], low, width, depth - 1)
            || CutsChoices(choice.Operands[2], low, width, depth - 1),
        Operation { Opcode: Opcode.Concat, Operands: [var high, var right] } =>
            low < right.Width && CutsChoices(right, low, Math.Min(right.Width - low, width), depth)
            || low + width > right.Width && CutsChoices(
                high, Math.Max(0, low - right.Width), low + width - Math.Max(low, right.Width), depth),
        _ => false,
    };

    private static bool IsConcat(Value value) => value is Operation { Opcode: Opcode.Concat };

    /// <summary>
    /// The end of the lowest part of a concatenation that has a constant part; null when it has none.
    /// </summary>
    private static int? Boundary(Value value) =>
        HasConstant(value) && !IsScattered(value) ? ((Operation)value).Operands[1].Width : null;

    private static bool HasConstant(Value value)
    {
        for (; value is Operation { Opcode: Opcode.Concat } concat; value = concat.Operands[0])
        {
            if (concat.Operands[1] is Constant || concat.Operands[0] is Constant) return true;
        }
        return false;
    }

    /// <summary>The number of runs of equal bits.</summary>
    private static int Runs(Constant mask) =>
        1 + (int)UInt128.PopCount((mask.Bits ^ mask.Bits >> 1) & Arithmetic.Mask(mask.Width - 1));

    /// <summary>The number of lowest bits that are equal.</summary>
    private static int RunLength(Constant mask)
    {
        var run = (mask.Bits & 1) == 0
            ? (int)UInt128.TrailingZeroCount(mask.Bits)
            : (int)UInt128.TrailingZeroCount(~mask.Bits);
        return Math.Min(run, mask.Width);
    }
}
