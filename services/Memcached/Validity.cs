namespace Emu.Services;

/// <summary>The items that are valid still: they have neither expired nor been flushed.</summary>
internal sealed class Validity
{
    private const int MaxRelativeTime = 60 * 60 * 24 * 30;
    private const ulong NanosecondsPerSecond = 1_000_000_000;

    private ulong _unique, _flushed;
    private uint _flushTime;

    /// <summary>The second at which an item expires of which a client says so.</summary>
    /// <param name="time">
    /// Seconds from now, up to 30 days of them; above, seconds since 1970; 0 for never, and below 0 for now.
    /// </param>
    /// <param name="now">The time in seconds.</param>
    public static uint Expiry(long time, uint now) =>
        time < 0 ? Math.Max(now, 1)
        : time is 0 or > MaxRelativeTime ? (uint)time
        : (uint)time + now;

    /// <summary>A unique number, higher than those before.</summary>
    public ulong NextUnique() => ++_unique;

    /// <summary>Makes all items invalid that there are at some time.</summary>
    /// <param name="time">The second; now or before, at once.</param>
    /// <param name="now">The time in seconds.</param>
    public void Flush(uint time, uint now)
    {
        if (time > now)
        {
            _flushTime = time;
            return;
        }
        _unique++;
        FlushAll();
    }

    /// <summary>Does the flush that is due.</summary>
    public void Advance(uint now)
    {
        if (_flushTime != 0 && now >= _flushTime) FlushAll();
    }

    /// <summary>True if an item is neither expired nor flushed.</summary>
    public bool IsValid(in Item item, uint now) =>
        item.Unique > _flushed && (item.Expiry == 0 || now < item.Expiry);

    /// <summary>True if an item is valid at a time in nanoseconds, and no flush is still to come.</summary>
    public bool IsPlainlyValid(in Item item, ulong time) =>
        _flushTime == 0 && item.Unique > _flushed
        && (item.Expiry == 0 || time < item.Expiry * NanosecondsPerSecond);

    private void FlushAll() => (_flushed, _flushTime) = (_unique, 0);
}
