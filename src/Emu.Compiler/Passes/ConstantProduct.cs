using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// A product by a constant as a sum of shifted values, of which some are subtracted: the digits of the constant in
/// canonical signed form (Reitwiesner 1960, <em>Binary arithmetic</em>).
/// </summary>
internal static class ConstantProduct
{
    /// <summary>The most shifted values.</summary>
    private const int MostTerms = 8;

    /// <summary>True if a product is one of few shifted values.</summary>
    public static bool IsCheap(Operation product) =>
        FactorOf(product) is var (_, factor) && Digits(factor).Count <= MostTerms;

    /// <summary>The product, given what stands for its operands.</summary>
    public static Value Of(FoldingBuilder n, Operation product, Func<Value, Value> of)
    {
        var (value, factor) = FactorOf(product)!.Value;
        return Sum(n, of(value), Digits(factor)).Value;
    }

    /// <summary>
    /// Numbers whose sum, together with the number that is given behind them, is the product of a value and a constant:
    /// those to be subtracted are complements, each of which is one less.
    /// </summary>
    public static (List<Value> Terms, int More) TermsOf(FoldingBuilder n, Value value, Constant factor)
    {
        var digits = Digits(factor);
        return (
            digits.ConvertAll(digit => digit.IsNegative
                ? n.Not(Shifted(n, value, digit.Place))
                : Shifted(n, value, digit.Place)),
            digits.Count(digit => digit.IsNegative));
    }

    private static (Value Value, Constant Factor)? FactorOf(Operation product) => product.Operands switch
    {
        [var value, Constant factor] => (value, factor),
        [Constant factor, var value] => (value, factor),
        _ => null,
    };

    /// <summary>The digits that are not 0: their places, and whether they are -1.</summary>
    private static List<(int Place, bool IsNegative)> Digits(Constant factor)
    {
        var digits = new List<(int, bool)>();
        var (rest, carry) = (factor.Bits, UInt128.Zero);
        for (var place = 0; place < factor.Width; place++, rest >>= 1)
        {
            var sum = (rest & 1) + carry;
            var isNegative = sum == 1 && (rest >> 1 & 1) == 1;
            if (sum == 1) digits.Add((place, isNegative));
            carry = isNegative || sum == 2 ? UInt128.One : 0;
        }
        return digits;
    }

    /// <summary>A balanced sum; negative if all of it is to be subtracted.</summary>
    private static (Value Value, bool IsNegative) Sum(
        FoldingBuilder n, Value value, List<(int Place, bool IsNegative)> digits)
    {
        var terms = digits.OrderBy(digit => digit.IsNegative)
            .Select(digit => (Value: Shifted(n, value, digit.Place), digit.IsNegative)).ToList();
        if (terms.Count == 0) return (FoldingBuilder.Zero(value.Width), false);
        while (terms.Count > 1 || terms[0].IsNegative)
        {
            if (terms.Count == 1) return (n.Subtract(FoldingBuilder.Zero(value.Width), terms[0].Value), false);
            var next = new List<(Value Value, bool IsNegative)>();
            for (var i = 0; i < terms.Count; i += 2)
                next.Add(i + 1 < terms.Count ? Joined(n, terms[i], terms[i + 1]) : terms[i]);
            terms = next;
        }
        return terms[0];
    }

    private static Value Shifted(FoldingBuilder n, Value value, int by) =>
        n.Make(Opcode.ShiftLeft, value.Width, value, new Constant(value.Width, (UInt128)by));

    private static (Value Value, bool IsNegative) Joined(
        FoldingBuilder n, (Value Value, bool IsNegative) a, (Value Value, bool IsNegative) b) =>
        a.IsNegative == b.IsNegative ? (n.Add(a.Value, b.Value), a.IsNegative)
        : a.IsNegative ? (n.Subtract(b.Value, a.Value), false)
        : (n.Subtract(a.Value, b.Value), false);
}
