using System.Diagnostics;

namespace Emu.Network.Tests;

/// <summary>Waiting that always ends.</summary>
internal static class Until
{
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(10);

    /// <summary>Waits until <paramref name="condition"/> holds; the test fails if that takes 10 s.</summary>
    public static void Holds(Func<bool> condition, string what)
    {
        var watch = Stopwatch.StartNew();
        while (!condition())
        {
            if (watch.Elapsed > s_limit) Assert.Fail($"in {s_limit.TotalSeconds} s it did not come to this: {what}");
            Thread.Sleep(2);
        }
    }
}
