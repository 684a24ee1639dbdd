namespace Emu.Hosting;

/// <summary>A way to sleep until something is to be done.</summary>
internal interface IWait : IDisposable
{
    /// <summary>Waits. It may return early.</summary>
    /// <param name="until">
    /// The time at which to return at the latest, in nanoseconds since 1970; the maximum for never.
    /// </param>
    /// <returns>True if <see cref="Wake"/> was called since the last wait.</returns>
    bool Wait(ulong until);

    /// <summary>Ends the wait of another thread, or its next one; from any thread, when it is disposed too.</summary>
    void Wake();
}
