using System.Diagnostics;

namespace Emu.Testing;

/// <summary>Waiting that always ends.</summary>
internal static class Wait
{
    private static readonly TimeSpan s_step = TimeSpan.FromMilliseconds(5);

    /// <summary>Looks every few milliseconds whether <paramref name="condition"/> holds.</summary>
    /// <returns>True if it held before <paramref name="timeout"/> passed.</returns>
    public static bool Until(Func<bool> condition, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        var clock = Stopwatch.StartNew();
        while (!condition())
        {
            if (clock.Elapsed >= timeout) return false;
            cancellationToken.ThrowIfCancellationRequested();
            Thread.Sleep(s_step);
        }
        return true;
    }
}
