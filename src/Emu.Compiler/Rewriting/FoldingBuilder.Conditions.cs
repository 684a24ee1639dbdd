using Emu.Compiler.IR;

namespace Emu.Compiler.Rewriting;

internal abstract partial class FoldingBuilder
{
    private Value? EqualOf(Value a, Value b)
    {
        if (a is Constant) return Equal(b, a);
        if (b is Constant bits && a.Width == 1) return bits.Bits != 0 ? a : Not(a);
        if (!IsConcat(a) && IsConcat(b)) return Equal(b, a);
        if (a is not Operation operation) return null;
        var o = operation.Operands;
        switch (operation.Opcode)
        {
            // Part by part where a part is known.
            case Opcode.Concat when b is Constant || HasConstant(a) || HasConstant(b):
                var boundary = EndOfComparison(a, b) ?? o[1].Width;
                var high = a.Width - boundary;
                return And(
                    Equal(Extract(a, boundary, high), Extract(b, boundary, high)),
                    Equal(Extract(a, 0, boundary), Extract(b, 0, boundary)));
            case Opcode.Select when b is Constant && (o[1] is Constant || o[2] is Constant):
                return Select(o[0], Equal(o[1], b), Equal(o[2], b));
            case Opcode.Xor when b is Constant mask && o[1] is Constant changed:
                return Equal(o[0], new Constant(a.Width, mask.Bits ^ changed.Bits));
            default:
                return null;
        }
    }

    /// <summary>
    /// The lowest bits of two values that are known in one of them at least, or in none: what is in none is compared as
    /// a whole, since one wide comparison takes less than several. Null when that is all of them.
    /// </summary>
    private static int? EndOfComparison(Value a, Value b)
    {
        var known = new Constant(a.Width, KnownBits(a) | KnownBits(b));
        var run = RunLength(known);
        return run < a.Width ? run : null;
    }

    /// <summary>A one for each bit of the constant parts of a concatenation.</summary>
    private static UInt128 KnownBits(Value value)
    {
        var (known, low) = (UInt128.Zero, 0);
        foreach (var part in Enumerable.Reverse(PartsOf(value)))
        {
            if (part is Constant) known |= Arithmetic.Mask(part.Width) << low;
            low += part.Width;
        }
        return known;
    }

    private Value? LessOf(Value a, Value b)
    {
        if (a == b) return Bit(false);
        var width = a.Width;
        // A sum that does not wrap around is more than what was added to.
        if (b is Operation { Opcode: Opcode.Add, Operands: [var start, Constant by] }
            && start == a && MostOf(a) <= Arithmetic.Mask(width) - by.Bits)
            return Bit(by.Bits > 0);
        if (width == 1) return And(Not(a), b);
        // Equal high parts say nothing.
        var (highA, highB) = (High(a), High(b));
        var common = Math.Min(highA?.Width ?? 0, highB?.Width ?? 0);
        if (common > 0 && common < width)
        {
            var (x, y) = (
                ((Constant)Extract(highA!, highA!.Width - common, common)).Bits,
                ((Constant)Extract(highB!, highB!.Width - common, common)).Bits);
            return x == y ? Less(Extract(a, 0, width - common), Extract(b, 0, width - common)) : Bit(x < y);
        }
        if (LessAbove(a, b) is { } above) return above;
        if (b is Constant limit)
        {
            if (limit.Bits == 1) return Equal(a, Zero(width));
            // Below a power of two: the bits from there on are 0.
            if (UInt128.IsPow2(limit.Bits))
            {
                var from = (int)UInt128.Log2(limit.Bits);
                return Equal(Extract(a, from, width - from), Zero(width - from));
            }
        }
        if (a is Constant least)
        {
            if (least.Bits == Arithmetic.Mask(width)) return Bit(false);
            if (least.Bits == 0) return Not(Equal(b, Zero(width)));
            if (UInt128.IsPow2(least.Bits + 1)) return Not(Less(b, new Constant(width, least.Bits + 1)));
        }
        return null;
    }

    /// <summary>Low parts that are constant decide only where the parts above them are equal.</summary>
    private Value? LessAbove(Value a, Value b)
    {
        if (Low(a) is not { } lowA || Low(b) is not { } lowB || a is Constant && b is Constant) return null;
        var common = Math.Min(lowA.Width, lowB.Width);
        if (common == a.Width) return null;
        var (highA, highB) = (Extract(a, common, a.Width - common), Extract(b, common, b.Width - common));
        return (lowA.Bits & Arithmetic.Mask(common)) < (lowB.Bits & Arithmetic.Mask(common))
            ? Not(Less(highB, highA))
            : Less(highA, highB);
    }

    private static Constant? Low(Value value) => value as Constant
        ?? (value is Operation { Opcode: Opcode.Concat, Operands: [_, Constant low] } ? low : null);

    private static Constant? High(Value value)
    {
        while (IsConcat(value)) value = ((Operation)value).Operands[0];
        return value as Constant;
    }

    private Value? LessSignedOf(Value a, Value b)
    {
        if (IsNonNegative(a) && IsNonNegative(b)) return Less(a, b);
        if (b is Constant zero && zero.Bits == 0) return Extract(a, a.Width - 1, 1);
        return null;
    }

    private Value? AddOf(Value a, Value b)
    {
        if (a.Width == 1) return Xor(a, b);
        if (a is Constant) return Add(b, a);
        if (b is Constant outer && a is Operation { Opcode: Opcode.Add } sum && sum.Operands[1] is Constant inner)
            return Add(sum.Operands[0], new Constant(a.Width, outer.Bits + inner.Bits));
        if (b is Constant plus && a is Operation { Opcode: Opcode.Subtract, Operands: [var from, Constant minus] })
            return Displaced(from, plus.Bits - minus.Bits);
        return b is Constant added ? AddBelow(a, added) : null;
    }

    private Value? SubtractOf(Value a, Value b)
    {
        if (a == b) return Zero(a.Width);
        if (a.Width == 1) return Xor(a, b);
        if (b is not Constant { Bits: var minus }) return null;
        return a switch
        {
            Operation { Opcode: Opcode.Add, Operands: [var first, Constant { Bits: var plus }] } =>
                Displaced(first, plus - minus),
            Operation { Opcode: Opcode.Subtract, Operands: [var first, Constant { Bits: var before }] } =>
                Displaced(first, UInt128.Zero - before - minus),
            _ => null,
        };
    }

    /// <summary>A value and a number that may be negative (reassociation, Muchnick 1997 §12.3).</summary>
    private Value Displaced(Value value, UInt128 number)
    {
        var by = new Constant(value.Width, number);
        return by.Bits >> (value.Width - 1) == 0
            ? Add(value, by)
            : Subtract(value, new Constant(value.Width, UInt128.Zero - number));
    }

    /// <summary>Low bits that are constant carry nothing to those above, if their sum has no more of them.</summary>
    private Value? AddBelow(Value a, Constant added)
    {
        if (a is not Operation { Opcode: Opcode.Concat, Operands: [var high, Constant low] }) return null;
        var sum = low.Bits + (added.Bits & Arithmetic.Mask(low.Width));
        return low.Width < 128 && sum <= Arithmetic.Mask(low.Width)
            ? Concat(
                Add(high, new Constant(high.Width, added.Bits >> low.Width)), new Constant(low.Width, sum))
            : null;
    }

    private Value? SelectOf(Value condition, Value then, Value @else)
    {
        if (Constant.AreSame(then, @else)) return then;
        if (IsNot(condition) is { } positive) return Select(positive, @else, then);
        if (then is Operation { Opcode: Opcode.Select } t && t.Operands[0] == condition)
            return Select(condition, t.Operands[1], @else);
        if (@else is Operation { Opcode: Opcode.Select } e && e.Operands[0] == condition)
            return Select(condition, then, e.Operands[2]);
        if (then.Width == 1) return SelectBit(condition, then, @else);
        // The same choice again, under one more condition.
        if (@else is Operation { Opcode: Opcode.Select } other && Constant.AreSame(other.Operands[1], then))
            return Select(Or(condition, other.Operands[0]), then, other.Operands[2]);
        if (then is Operation { Opcode: Opcode.Select } same && Constant.AreSame(same.Operands[2], @else))
            return Select(And(condition, same.Operands[0]), same.Operands[1], @else);
        return SelectParts(condition, then, @else);
    }

    private Value? SelectBit(Value condition, Value then, Value @else)
    {
        if (then is Constant t) return t.Bits != 0 ? Or(condition, @else) : And(Not(condition), @else);
        if (@else is Constant e) return e.Bits != 0 ? Or(Not(condition), then) : And(condition, then);
        if (then == condition) return Or(condition, @else);
        if (@else == condition) return And(condition, then);
        return null;
    }

    /// <summary>
    /// A condition and a choice by a part of it: <c>(w | z) &amp; (w ? x : y)</c> is <c>w ? x : y &amp; z</c>, and the
    /// same with AND and OR in each other's place. What late <c>w</c> does not decide can be known early.
    /// </summary>
    private Value? BesideChoice(Opcode opcode, Value own, Value value)
    {
        if (opcode is not (Opcode.And or Opcode.Or)) return null;
        var dual = opcode == Opcode.And ? Opcode.Or : Opcode.And;
        if (value is not Operation { Opcode: Opcode.Select, Operands: [var condition, var then, var @else] }
            || own is not Operation { Operands: [var one, var other] } gate || gate.Opcode != dual)
            return null;
        // Where the condition is so, the other part decides nothing, and what is chosen is all.
        foreach (var (part, rest) in new[] { (one, other), (other, one) })
        {
            var isSame = part == condition;
            if (!isSame && !IsNotOf(part, condition)) continue;
            return isSame == (opcode == Opcode.And)
                ? Select(condition, then, Make(opcode, 1, @else, rest))
                : Select(condition, Make(opcode, 1, then, rest), @else);
        }
        return null;
    }

    /// <summary>Parts that both have in common, or that are constant in both, are chosen apart.</summary>
    private Value? SelectParts(Value condition, Value then, Value @else)
    {
        var boundary = (then, @else) switch
        {
            (Operation { Opcode: Opcode.Concat } a, Operation { Opcode: Opcode.Concat } b) =>
                Math.Min(a.Operands[1].Width, b.Operands[1].Width),
            (Operation { Opcode: Opcode.Concat } a, Constant) => a.Operands[1].Width,
            (Constant, Operation { Opcode: Opcode.Concat } b) => b.Operands[1].Width,
            // Two small numbers: zeros above both.
            (Constant a, Constant b) => Math.Max(1, 128 - (int)UInt128.LeadingZeroCount(a.Bits | b.Bits)) % then.Width,
            _ => 0,
        };
        if (boundary == 0) return null;
        var high = then.Width - boundary;
        var (thenHigh, elseHigh) = (Extract(then, boundary, high), Extract(@else, boundary, high));
        var (thenLow, elseLow) = (Extract(then, 0, boundary), Extract(@else, 0, boundary));
        var isKnown = Constant.AreSame(thenHigh, elseHigh)
            || Constant.AreSame(thenLow, elseLow) || HasConstantHigh(thenHigh, elseHigh);
        return isKnown ? Concat(Select(condition, thenHigh, elseHigh), Select(condition, thenLow, elseLow)) : null;
    }

    private static bool HasConstantHigh(Value a, Value b) => High(a) is not null && High(b) is not null;

    private static Value? IsNot(Value value) =>
        value is Operation { Opcode: Opcode.Xor, Width: 1 } not && Constant.Is(not.Operands[1], 1)
            ? not.Operands[0]
            : null;
}
