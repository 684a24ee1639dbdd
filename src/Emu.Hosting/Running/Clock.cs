namespace Emu.Hosting;

/// <summary>The host's clock.</summary>
internal static class Clock
{
    /// <summary>Nanoseconds since 1970, to 100 ns.</summary>
    public static ulong Now() => (ulong)(DateTime.UtcNow.Ticks - DateTime.UnixEpoch.Ticks) * 100;
}
