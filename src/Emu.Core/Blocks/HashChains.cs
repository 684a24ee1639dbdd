using System.Numerics;

namespace Emu;

/// <summary>
/// The index of a hash table whose entries are the caller's: numbers of entries, chained by the hashes of their keys
/// (separate chaining; Knuth 1998, <i>The Art of Computer Programming</i> 3, §6.4). The keys may be of any length.
/// </summary>
/// <remarks>
/// <para>There are four times as many chains as numbers, so most have one number or none. A number is in one chain at
/// most; the newest of a chain is first. Adding costs a read and three writes; removing a read for each number before
/// it in its chain.</para>
/// <para>A lookup goes along a chain and compares the keys of those that have the hash.</para>
/// </remarks>
/// <example><code>
/// for (var n = chains.First(hash); n != HashChains.None; n = chains.Next(n))
///     if (chains.HashOf(n) == hash &amp;&amp; IsKeyOf(n, key)) return n;
/// </code></example>
public sealed class HashChains
{
    /// <summary>No number: the end of a chain.</summary>
    public const int None = -1;

    private const int ChainsPerNumber = 4;

    /// <summary>Each a number and one more; 0 for none.</summary>
    private readonly int[] _heads, _next;
    private readonly uint[] _hashes;

    /// <summary>Makes empty chains.</summary>
    /// <param name="capacity">The numbers are below it; a power of two from 2 to 2²⁴.</param>
    /// <exception cref="ArgumentOutOfRangeException">The capacity is not such a number.</exception>
    public HashChains(int capacity)
    {
        if (capacity is < 2 or > 1 << 24 || !BitOperations.IsPow2(capacity))
            throw new ArgumentOutOfRangeException(
                nameof(capacity), capacity, "the capacity of chains must be a power of two from 2 to 16777216");
        _heads = new int[ChainsPerNumber * capacity];
        _next = new int[capacity];
        _hashes = new uint[capacity];
    }

    /// <summary>The first number of the chain of a hash; <see cref="None"/> if it is empty.</summary>
    public int First(uint hash) => _heads[ChainOf(hash)] - 1;

    /// <summary>The number behind another in its chain; <see cref="None"/> behind the last.</summary>
    public int Next(int number) => _next[number] - 1;

    /// <summary>The hash that a number was added with.</summary>
    public uint HashOf(int number) => _hashes[number];

    /// <summary>Adds a number that is in no chain.</summary>
    public void Add(int number, uint hash)
    {
        var chain = ChainOf(hash);
        _hashes[number] = hash;
        _next[number] = _heads[chain];
        _heads[chain] = (number & _next.Length - 1) + 1;
    }

    /// <summary>Removes a number that is in a chain.</summary>
    public void Remove(int number)
    {
        var chain = ChainOf(_hashes[number]);
        var before = None;
        for (var at = _heads[chain] - 1; at != number; at = Next(at)) before = at;
        if (before == None) _heads[chain] = _next[number];
        else _next[before] = _next[number];
    }

    private int ChainOf(uint hash) => (int)(hash & (uint)(_heads.Length - 1));
}
