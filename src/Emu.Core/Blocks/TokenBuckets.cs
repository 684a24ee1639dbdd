namespace Emu;

/// <summary>
/// Buckets that fill with tokens at a rate, up to a burst, and from which tokens are taken: a policer, a limit on what
/// is logged (RFC 2697 §3, one rate and one burst).
/// </summary>
/// <remarks>
/// A bucket is kept as the time at which it will be full, so it needs no clock and no work between events (virtual
/// scheduling, ITU-T I.371 annex A). At first all are full.
/// </remarks>
public sealed class TokenBuckets
{
    private const ulong NanosecondsPerSecond = 1_000_000_000;

    private readonly ulong[] _full;
    private readonly ulong _interval, _burst;

    /// <summary>Makes full buckets.</summary>
    /// <param name="count">The number of buckets, at least 1.</param>
    /// <param name="rate">
    /// Tokens a second, 1 to 10⁹; a token comes every 10⁹ / rate nanoseconds, rounded down.
    /// </param>
    /// <param name="burst">The tokens in a full bucket, at least 1.</param>
    /// <exception cref="ArgumentOutOfRangeException">A number is outside its range.</exception>
    public TokenBuckets(int count, int rate, int burst)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(count, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(rate, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(rate, (int)NanosecondsPerSecond);
        ArgumentOutOfRangeException.ThrowIfLessThan(burst, 1);
        _full = new ulong[count];
        _interval = NanosecondsPerSecond / (ulong)rate;
        _burst = (ulong)burst * _interval;
    }

    /// <summary>Takes tokens, if there are so many.</summary>
    /// <param name="bucket">The number of the bucket, counted from 0.</param>
    /// <param name="tokens">Tokens: bytes, or 1 for a frame.</param>
    /// <param name="time">The time of the event in nanoseconds; never less than at a call before.</param>
    /// <returns>False when the bucket has fewer: then none is taken.</returns>
    public bool TryTake(int bucket, uint tokens, ulong time)
    {
        var cost = tokens * _interval;
        ref var full = ref _full[bucket];
        if (cost > _burst || full > time + (_burst - cost)) return false;
        full = Math.Max(full, time) + cost;
        return true;
    }
}
