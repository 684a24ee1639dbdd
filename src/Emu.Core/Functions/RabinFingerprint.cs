namespace Emu;

/// <summary>
/// A keyed hash of byte strings of any length: the remainder of the string, as a polynomial over GF(2), by a random
/// irreducible polynomial of degree 32 (Rabin 1981, <i>Fingerprinting by random polynomials</i>). Each bit of it is the
/// parity of some bits of the string; with a secret seed an attacker cannot choose strings that collide.
/// </summary>
/// <remarks>
/// Two different strings of <i>n</i> bytes have the same fingerprint for at most <i>n</i> / 2²³ of all seeds.
/// </remarks>
public sealed class RabinFingerprint
{
    private const int Degree = 32;
    private const int NibbleBits = 4;
    private const int NibbleMask = (1 << NibbleBits) - 1;
    private const uint X = 2;

    /// <summary>The remainders of the highest eight bits of a fingerprint, moved eight bits on, by nibbles.</summary>
    private readonly uint[] _low = new uint[1 << NibbleBits], _high = new uint[1 << NibbleBits];

    /// <summary>Draws the function that <paramref name="seed"/> names.</summary>
    /// <param name="seed">Chooses one function of the class; secret where an attacker picks the strings.</param>
    public RabinFingerprint(ulong seed)
    {
        var random = new SplitMix64(seed);
        uint polynomial;
        do polynomial = (uint)random.Next() | 1;
        while (!IsIrreducible(polynomial));
        for (var i = 0u; i < _low.Length; i++)
        {
            _low[i] = Product(i << 24, 1 << 8, polynomial);
            _high[i] = Product(i << 28, 1 << 8, polynomial);
        }
    }

    /// <summary>The fingerprint of <paramref name="bytes"/>, all 32 bits of it alike.</summary>
    public uint Compute(ReadOnlySpan<byte> bytes)
    {
        // A 1 in front, so that leading zeros count, and zeros behind, so that the last bytes are mixed as well.
        var hash = 1u;
        foreach (var octet in bytes) hash = Next(hash, octet);
        for (var i = 0; i < sizeof(uint); i++) hash = Next(hash, 0);
        return hash;
    }

    private uint Next(uint hash, byte octet) =>
        (hash << 8 | octet) ^ _low[hash >> 24 & NibbleMask] ^ _high[hash >> 28];

    /// <summary>
    /// Rabin's test: x^(2³²) is x, and x^(2¹⁶) − x has no factor in common with the polynomial, whose x³² is left out.
    /// </summary>
    private static bool IsIrreducible(uint polynomial)
    {
        var power = X;
        for (var i = 0; i < Degree / 2; i++) power = Product(power, power, polynomial);
        if (!HasNoFactor(power ^ X, polynomial)) return false;
        for (var i = 0; i < Degree / 2; i++) power = Product(power, power, polynomial);
        return power == X;
    }

    /// <summary>Euclid's algorithm.</summary>
    private static bool HasNoFactor(ulong a, uint polynomial)
    {
        var b = 1UL << Degree | polynomial;
        while (a != 0)
        {
            while (b != 0 && ulong.Log2(b) >= ulong.Log2(a)) b ^= a << (int)(ulong.Log2(b) - ulong.Log2(a));
            (a, b) = (b, a);
        }
        return b == 1;
    }

    private static uint Product(uint a, uint b, uint polynomial)
    {
        var product = 0u;
        for (; b != 0; b >>= 1)
        {
            if ((b & 1) != 0) product ^= a;
            a = a << 1 ^ (a >> 31) * polynomial;
        }
        return product;
    }
}
