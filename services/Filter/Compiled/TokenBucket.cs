namespace Emu.Services;

/// <summary>A rate with a burst: credit grows with time up to that of the burst, and each packet let by costs the time that the rate gives it.</summary>
/// <param name="cost">The nanoseconds that a packet costs.</param>
/// <param name="burst">Packets that a full bucket is enough for.</param>
internal sealed class TokenBucket(ulong cost, uint burst)
{
    private readonly ulong _capacity = cost * burst;
    private ulong _credit = cost * burst;
    private ulong _time;

    /// <summary>Whether the credit is enough for a packet, which it is then less by.</summary>
    /// <param name="time">In nanoseconds; never less than at a call before.</param>
    public bool TryTake(ulong time)
    {
        _credit += Math.Min(time - _time, _capacity - _credit);
        _time = time;
        if (_credit < cost) return false;
        _credit -= cost;
        return true;
    }
}
