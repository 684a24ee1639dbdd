namespace Emu.Hosting;

/// <summary>The host's clock, which live ports stamp frames with.</summary>
public static class HostClock
{
    /// <summary>Nanoseconds since 1970 (CLOCK_REALTIME); the system may set it back.</summary>
    public static unsafe ulong Now
    {
        get
        {
            // Elsewhere the clock of .NET, in steps of 100 ns: ports at devices run there as well.
            if (!OperatingSystem.IsLinux())
                return (ulong)(DateTime.UtcNow - DateTime.UnixEpoch).Ticks * TimeSpan.NanosecondsPerTick;
            LibC.Timespec time;
            _ = LibC.GetTime(LibC.RealTimeClock, &time);
            return (ulong)time.Seconds * NanosecondsPerSecond + (ulong)time.Nanoseconds;
        }
    }

    /// <summary>The nanoseconds in a second.</summary>
    internal const ulong NanosecondsPerSecond = 1_000_000_000;
}
