using System.Numerics;

namespace Emu;

/// <summary>
/// Counts for more keys than there is memory for, never too little: heavy hitters, scans, floods (Cormode and
/// Muthukrishnan 2005, <i>An improved data stream summary: the count-min sketch and its applications</i>).
/// </summary>
/// <remarks>
/// Each row has a counter for each value of a hash of its own (<see cref="H3Hash"/>), and the least of a key's counters
/// is its count: of <i>n</i> added in all it is too much by 2<i>n</i> / columns or more with a probability of at most
/// 2⁻ʳᵒʷˢ.
/// </remarks>
/// <typeparam name="TKey">The type of the keys.</typeparam>
public sealed class CountMinSketch<TKey>
    where TKey : struct, ITableKey<TKey>
{
    private readonly uint[][] _counts;
    private readonly H3Hash[] _hashes;

    /// <summary>Makes an empty sketch.</summary>
    /// <param name="rows">Rows, 1 to 8.</param>
    /// <param name="columns">The counters of a row, a power of two from 2 to 2²⁰.</param>
    /// <param name="hashSeed">Chooses the hashes; secret where an attacker picks the keys.</param>
    /// <exception cref="ArgumentOutOfRangeException">A number is outside its range.</exception>
    public CountMinSketch(int rows, int columns, ulong hashSeed)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(rows, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(rows, 8);
        if (columns is < 2 or > 1 << 20 || !BitOperations.IsPow2(columns))
            throw new ArgumentOutOfRangeException(
                nameof(columns), columns, "a sketch's columns must be a power of two from 2 to 1048576");
        _counts = new uint[rows][];
        _hashes = new H3Hash[rows];
        for (var row = 0; row < rows; row++)
        {
            _counts[row] = new uint[columns];
            _hashes[row] = new H3Hash(
                TKey.Width, BitOperations.Log2((uint)columns), SplitMix64.Draw(hashSeed, (ulong)row));
        }
    }

    /// <summary>Adds to the count of a key.</summary>
    /// <param name="key">The key.</param>
    /// <param name="amount">1 for a frame, or its bytes; a counter that would overflow stays at its most.</param>
    /// <returns>The count of the key with that: what was added for it, or more.</returns>
    public uint Add(TKey key, uint amount)
    {
        var bits = key.KeyBits;
        var least = uint.MaxValue;
        for (var row = 0; row < _counts.Length; row++)
        {
            ref var count = ref _counts[row][_hashes[row].Index(bits)];
            var sum = count + amount;
            count = sum < amount ? uint.MaxValue : sum;
            least = Math.Min(least, count);
        }
        return least;
    }
}
