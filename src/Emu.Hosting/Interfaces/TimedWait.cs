namespace Emu.Hosting;

/// <summary>
/// Waits for a time alone, in whole milliseconds, on any system that .NET runs on. Ports say by
/// <see cref="Port.NextDue"/> when they are to be looked at.
/// </summary>
internal sealed class TimedWait : IWait
{
    private const ulong Millisecond = 1_000_000;

    private readonly AutoResetEvent _wake = new(false);

    /// <inheritdoc/>
    public bool Wait(ulong until)
    {
        if (until == ulong.MaxValue) return _wake.WaitOne();
        var now = HostClock.Now;
        var left = until > now ? (until - now + Millisecond - 1) / Millisecond : 0;
        return _wake.WaitOne((int)Math.Min(left, int.MaxValue));
    }

    /// <inheritdoc/>
    public void Wake()
    {
        try
        {
            _wake.Set();
        }
        catch (ObjectDisposedException)
        {
            // The wait is over.
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _wake.Dispose();
}
