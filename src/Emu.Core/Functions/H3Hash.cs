using System.Numerics;

namespace Emu;

/// <summary>
/// A keyed hash of the H3 class (Carter and Wegman 1979, <i>Universal classes of hash functions</i>): each bit of the
/// result is the parity of a random half of the key's bits. In hardware that is a shallow tree of XORs; with a secret
/// seed an attacker cannot choose keys that collide.
/// </summary>
/// <remarks>
/// The lowest bits of the key go into one bit of the result each, so that keys which differ only there never collide:
/// neighbours in an address block spread evenly.
/// </remarks>
public sealed class H3Hash
{
    private readonly ulong[] _low;
    private readonly ulong[] _high;
    private readonly bool _isWide;

    /// <summary>Draws the function that <paramref name="seed"/> names.</summary>
    /// <param name="keyWidth">The key's width in bits, 1 to 128.</param>
    /// <param name="indexWidth">The result's width in bits, 0 to 30.</param>
    /// <param name="seed">Chooses one function of the class; secret where an attacker picks the keys.</param>
    public H3Hash(int keyWidth, int indexWidth, ulong seed)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(keyWidth, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(keyWidth, 128);
        ArgumentOutOfRangeException.ThrowIfNegative(indexWidth);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(indexWidth, 30);

        _isWide = keyWidth > 64;
        _low = new ulong[indexWidth];
        _high = new ulong[indexWidth];
        var random = new SplitMix64(seed);
        var inKey = keyWidth == 128 ? UInt128.MaxValue : (UInt128.One << keyWidth) - 1;
        var aboveIndex = UInt128.MaxValue << indexWidth;
        for (var i = 0; i < indexWidth; i++)
        {
            var mask = (new UInt128(random.Next(), random.Next()) & aboveIndex | UInt128.One << i) & inKey;
            _low[i] = (ulong)mask;
            _high[i] = (ulong)(mask >> 64);
        }
    }

    /// <summary>The hash of <paramref name="key"/>, below 2^indexWidth.</summary>
    public int Index(UInt128 key)
    {
        var low = (ulong)key;
        var high = (ulong)(key >> 64);
        var index = 0;
        for (var i = 0; i < _low.Length; i++)
        {
            var ones = BitOperations.PopCount(low & _low[i]);
            if (_isWide) ones += BitOperations.PopCount(high & _high[i]);
            index |= (ones & 1) << i;
        }
        return index;
    }
}
