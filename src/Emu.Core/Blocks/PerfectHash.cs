using System.Numerics;

namespace Emu;

/// <summary>
/// Numbers keys of any length that are given at the beginning, by a hash of each: no two have one number, so one
/// comparison tells whether a key is among them.
/// </summary>
/// <remarks>
/// <para>A part of the hash chooses a bucket, and what stands there is combined with another part (hash and displace;
/// Pagh 1999, <i>Hash and displace: efficient evaluation of minimal perfect hash functions</i>): one read. Buckets are
/// placed in the order of their size, each so that its keys come to numbers that are free.</para>
/// <para>Hashes of a few thousand keys have to be well mixed, above all their highest bits.</para>
/// </remarks>
public sealed class PerfectHash
{
    private const int HashBits = 32;

    /// <summary>Keys of a bucket, on the average.</summary>
    private const int BucketKeys = 2;

    private const int MostBits = 24;

    private readonly int[] _displacements;
    private readonly int _bucketShift;
    private readonly int _foldShift;
    private readonly int _mask;

    /// <summary>Numbers keys.</summary>
    /// <param name="hashes">The hash of each key; they differ.</param>
    /// <exception cref="ArgumentException">Two hashes are the same.</exception>
    public PerfectHash(IReadOnlyCollection<uint> hashes)
    {
        ArgumentNullException.ThrowIfNull(hashes);
        if (hashes.Distinct().Count() != hashes.Count)
        {
            throw new ArgumentException(
                "two keys have the same hash: take another hash, or another seed", nameof(hashes));
        }
        var least = BitOperations.Log2(BitOperations.RoundUpToPowerOf2((uint)(hashes.Count + hashes.Count / 4 + 1)));
        for (var bits = Math.Max(1, least); ; bits++)
        {
            if (bits > MostBits) throw new ArgumentException("the hashes are not mixed", nameof(hashes));
            (_mask, _bucketShift) = ((1 << bits) - 1, HashBits - Math.Max(1, bits - BucketKeys + 1));
            for (_foldShift = 1; _foldShift < HashBits; _foldShift++)
            {
                if (Displaced(hashes) is not { } displacements) continue;
                _displacements = displacements;
                return;
            }
        }
    }

    /// <summary>The numbers that there are, of which each key has one; a power of two.</summary>
    public int Count => _mask + 1;

    /// <summary>The number of the key that has a hash, or any number if none has.</summary>
    public int IndexOf(uint hash) => Folded(hash) ^ _displacements[hash >> _bucketShift];

    private int Folded(uint hash) => (int)(hash ^ hash >> _foldShift) & _mask;

    /// <summary>A displacement for each bucket; null if there is none for one of them.</summary>
    private int[]? Displaced(IReadOnlyCollection<uint> hashes)
    {
        var displacements = new int[1 << (HashBits - _bucketShift)];
        var isTaken = new bool[Count];
        foreach (var bucket in hashes.GroupBy(hash => hash >> _bucketShift).OrderByDescending(keys => keys.Count()))
        {
            List<int> places = [.. bucket.Select(Folded)];
            if (places.Distinct().Count() != places.Count) return null;
            var by = 0;
            while (by < Count && places.Exists(place => isTaken[place ^ by])) by++;
            if (by == Count) return null;
            displacements[bucket.Key] = by;
            foreach (var place in places) isTaken[place ^ by] = true;
        }
        return displacements;
    }
}
