using System.Numerics;

namespace Emu.Compiler.Rewriting;

/// <summary>
/// A multiplication that gives the quotient by a constant: the product's bits from <paramref name="Shift"/> on.
/// </summary>
/// <param name="Multiplier">The number to multiply by.</param>
/// <param name="Shift">The lowest bit of the quotient in the product.</param>
internal readonly record struct Reciprocal(BigInteger Multiplier, int Shift)
{
    /// <summary>
    /// Finds the smallest one that is right for every dividend (Granlund and Montgomery 1994, <em>Division by invariant
    /// integers using multiplication</em>, theorem 4.2).
    /// </summary>
    /// <param name="divisor">The divisor, at least 1.</param>
    /// <param name="bits">The bits of the dividend.</param>
    public static Reciprocal Of(UInt128 divisor, int bits)
    {
        for (var shift = bits; ; shift++)
        {
            var power = BigInteger.One << shift;
            var multiplier = (power + divisor - 1) / divisor;
            if (multiplier * divisor - power <= BigInteger.One << (shift - bits))
                return new Reciprocal(multiplier, shift);
        }
    }
}
