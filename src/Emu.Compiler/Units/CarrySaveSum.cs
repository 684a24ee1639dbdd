using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Units;

/// <summary>
/// The sum of several numbers with one carry: three at a time become two, without any carry from bit to bit, until two
/// are left (Wallace 1964, <em>A suggestion for a fast multiplier</em>).
/// </summary>
internal static class CarrySaveSum
{
    /// <summary>Makes it.</summary>
    /// <param name="n">Makes values.</param>
    /// <param name="terms">The numbers, all as wide as the sum.</param>
    public static Value Of(FoldingBuilder n, IReadOnlyList<Value> terms) =>
        Saved(n, terms) is var (sum, carries) && Constant.Is(carries, 0) ? sum : n.Add(sum, carries);

    /// <summary>Two numbers that add up to the sum, of which the carries are saved.</summary>
    /// <param name="n">Makes values.</param>
    /// <param name="terms">The numbers, all as wide as the sum.</param>
    public static (Value Sum, Value Carries) Saved(FoldingBuilder n, IReadOnlyList<Value> terms)
    {
        while (terms.Count > 2)
        {
            var next = new List<Value>();
            for (var i = 0; i < terms.Count; i += 3)
            {
                if (terms.Count - i < 3) next.AddRange(terms.Skip(i));
                else next.AddRange(Compressed(n, terms[i], terms[i + 1], terms[i + 2]));
            }
            terms = next;
        }
        return (terms[0], terms.Count == 1 ? FoldingBuilder.Zero(terms[0].Width) : terms[1]);
    }

    /// <summary>Two numbers whose sum is that of three: the sums of the bits at each place, and the carries.</summary>
    private static Value[] Compressed(FoldingBuilder n, Value a, Value b, Value c)
    {
        var half = n.Xor(a, b);
        if (a.Width == 1) return [n.Xor(half, c)];
        var carries = n.Or(n.And(a, b), n.And(half, c));
        return [n.Xor(half, c), n.Concat(n.Extract(carries, 0, a.Width - 1), FoldingBuilder.Zero(1))];
    }
}
