using System.Numerics;

namespace Emu;

/// <summary>The time since midnight UT.</summary>
public static class TimeOfDay
{
    private const uint NanosecondsPerMillisecond = 1_000_000;
    private const uint MillisecondsPerDay = 86_400_000;
    private const int TimeBits = 64;

    /// <summary>
    /// The whole milliseconds since midnight, 0 to 86,399,999: a timestamp of IP (RFC 791 §3.1) or ICMP (RFC 792).
    /// </summary>
    /// <param name="time">Nanoseconds since any midnight, as <see cref="Frame.Time"/>; there are no leap
    /// seconds.</param>
    /// <remarks>
    /// By long division, a binary digit of the time after the other, in numbers of 32 bits: each digit of the
    /// milliseconds is at once the next one that is divided by those of a day.
    /// </remarks>
    public static uint Milliseconds(ulong time)
    {
        var (nanoseconds, milliseconds) = (0u, 0u);
        for (var left = TimeBits - BitOperations.LeadingZeroCount(time); left > 0; left--)
        {
            nanoseconds = nanoseconds << 1 | (uint)(time >> left - 1) & 1;
            var digit = nanoseconds >= NanosecondsPerMillisecond;
            if (digit) nanoseconds -= NanosecondsPerMillisecond;
            milliseconds = milliseconds << 1 | (digit ? 1u : 0);
            if (milliseconds >= MillisecondsPerDay) milliseconds -= MillisecondsPerDay;
        }
        return milliseconds;
    }
}
