using System.Numerics;

namespace Emu.Hosting;

/// <summary>
/// Counts times by size, 16 buckets for each power of two, so that a percentile is right to 1/16 of its value over the
/// whole range of 64 bits, in constant memory.
/// </summary>
public sealed class LatencyHistogram
{
    private const int BucketBits = 4;
    private const int Buckets = 1 << BucketBits;

    private readonly ulong[] _counts = new ulong[(64 - BucketBits + 1) * Buckets];

    /// <summary>The number of times counted.</summary>
    public ulong Count { get; private set; }

    /// <summary>Counts one time.</summary>
    /// <param name="nanoseconds">Any number.</param>
    public void Add(ulong nanoseconds)
    {
        _counts[BucketOf(nanoseconds)]++;
        Count++;
    }

    /// <summary>
    /// The time, in nanoseconds, that this share of those counted did not exceed; 0 when none was counted.
    /// </summary>
    /// <param name="share">Above 0, up to 1: 0.5 for the median.</param>
    public ulong Percentile(double share)
    {
        if (Count == 0) return 0;
        var rank = Math.Max(1, (ulong)Math.Ceiling(share * Count));
        var seen = 0UL;
        for (var bucket = 0; bucket < _counts.Length; bucket++)
        {
            seen += _counts[bucket];
            if (seen >= rank) return UpperBound(bucket);
        }
        return ulong.MaxValue;
    }

    private static int BucketOf(ulong value)
    {
        if (value < Buckets) return (int)value;
        var exponent = BitOperations.Log2(value) - BucketBits;
        return (exponent + 1) * Buckets + (int)(value >> exponent & (Buckets - 1));
    }

    private static ulong UpperBound(int bucket)
    {
        if (bucket < Buckets) return (ulong)bucket;
        var exponent = bucket / Buckets - 1;
        var first = (ulong)(Buckets + bucket % Buckets) << exponent;
        return first + ((1UL << exponent) - 1);
    }
}
