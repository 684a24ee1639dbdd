namespace Emu.Hosting;

/// <summary>Waits until a port has frames, a time has come, or another thread wakes it.</summary>
public sealed class Poller : IDisposable
{
    private readonly IWait _wait;

    /// <summary>Makes a poller for these ports.</summary>
    /// <param name="ports">Ports without a descriptor are never waited for.</param>
    /// <exception cref="CommandException">The system has no descriptor left.</exception>
    public Poller(IEnumerable<Port> ports)
        : this(OperatingSystem.IsLinux() ? new DescriptorWait(ports) : new TimedWait())
    {
    }

    internal Poller(IWait wait) => _wait = wait;

    /// <summary>Waits. It may return early; whoever calls it looks at all ports.</summary>
    /// <param name="until">
    /// The time at which to return at the latest, in nanoseconds since 1970; the maximum for never.
    /// </param>
    /// <returns>True if <see cref="Wake"/> was called since the last wait.</returns>
    /// <exception cref="CommandException">The system cannot wait.</exception>
    public bool Wait(ulong until) => _wait.Wait(until);

    /// <summary>Ends the wait of another thread, or its next one; from any thread.</summary>
    public void Wake() => _wait.Wake();

    /// <inheritdoc/>
    public void Dispose() => _wait.Dispose();
}
