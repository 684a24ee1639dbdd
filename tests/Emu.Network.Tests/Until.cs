using System.Diagnostics;

namespace Emu.Network.Tests;

/// <summary>Waiting that always ends.</summary>
internal static class Until
{
    /// <summary>The time after which something hangs: no slow or busy machine needs it.</summary>
    public static readonly TimeSpan Limit = TimeSpan.FromMinutes(10);

    /// <summary>
    /// Waits until <paramref name="condition"/> holds; the test fails if that takes longer than <see cref="Limit"/>.
    /// </summary>
    public static void Holds(Func<bool> condition, string what)
    {
        var watch = Stopwatch.StartNew();
        while (!condition())
        {
            if (watch.Elapsed > Limit) Assert.Fail($"in {Limit.TotalSeconds} s it did not come to this: {what}");
            Thread.Sleep(2);
        }
    }
}
