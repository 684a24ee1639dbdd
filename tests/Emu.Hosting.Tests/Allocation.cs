namespace Emu.Hosting.Tests;

/// <summary>Measures what a piece of work allocates once everything it uses is in place.</summary>
internal static class Allocation
{
    private const int Attempts = 10;

    /// <summary>
    /// The least bytes that a call of <paramref name="work"/> allocates, of several after a first that does not count.
    /// </summary>
    /// <remarks>
    /// A collection that other tests cause takes the unused rest of this thread's allocation context, up to 8 KiB, and
    /// the runtime then counts it as allocated. An allocation for each frame shows in every call.
    /// </remarks>
    public static long Of(Action work)
    {
        work();
        var least = long.MaxValue;
        for (var attempt = 0; attempt < Attempts && least > 0; attempt++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            work();
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }
        return least;
    }
}
