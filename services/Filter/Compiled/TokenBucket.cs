namespace Emu.Services;

/// <summary>
/// A rate with a burst: credit grows with time up to that of the burst, and each packet let by costs the time that the
/// rate gives it. All of that is in one number, the time at which the bucket is full again.
/// </summary>
/// <param name="cost">The nanoseconds that a packet costs.</param>
/// <param name="burst">Packets that a full bucket is enough for.</param>
internal sealed class TokenBucket(ulong cost, uint burst)
{
    /// <summary>The most that may be missing from a full bucket while a packet's cost is left.</summary>
    private readonly ulong _most = cost * (burst - 1);
    private ulong _full;

    /// <summary>True if the credit is enough for a packet. The packet's cost is then taken from it.</summary>
    /// <param name="time">In nanoseconds; never less than at a call before.</param>
    public bool TryTake(ulong time)
    {
        var isFull = time >= _full;
        if (!isFull && _full - time > _most) return false;
        _full = (isFull ? time : _full) + cost;
        return true;
    }
}
