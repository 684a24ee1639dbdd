namespace Emu.Hosting;

/// <summary>Waits for descriptors of Linux.</summary>
internal sealed unsafe class DescriptorWait : IWait
{
    private readonly LibC.PollDescriptor[] _descriptors;
    private readonly int _wakeUp;
    private int _isDisposed;

    /// <param name="ports">Ports without a descriptor are never waited for.</param>
    /// <exception cref="CommandException">The system has no descriptor left.</exception>
    public DescriptorWait(IEnumerable<Port> ports)
    {
        _wakeUp = LibC.EventDescriptor(0, LibC.NonBlocking | LibC.CloseOnExec);
        if (_wakeUp < 0)
            throw CommandException.Failure($"no descriptor to wait with can be had: {LibC.Describe(LibC.Error)}");
        _descriptors = [Readable(_wakeUp), .. ports.Select(port => Readable(port.PollDescriptor))];
    }

    /// <inheritdoc/>
    /// <exception cref="CommandException">The system cannot wait.</exception>
    public bool Wait(ulong until)
    {
        var now = until == ulong.MaxValue ? 0 : HostClock.Now;
        var left = until > now ? until - now : 0;
        var timeout = new LibC.Timespec
        {
            Seconds = (long)(left / HostClock.NanosecondsPerSecond),
            Nanoseconds = (long)(left % HostClock.NanosecondsPerSecond),
        };
        fixed (LibC.PollDescriptor* descriptors = _descriptors)
        {
            var ready = LibC.Poll(
                descriptors, (nuint)_descriptors.Length, until == ulong.MaxValue ? null : &timeout, null);
            if (ready < 0 && LibC.Error != Errno.Interrupted)
                throw CommandException.Failure($"waiting for frames failed: {LibC.Describe(LibC.Error)}");
            return ready > 0 && descriptors[0].ReturnedEvents != 0 && TakeWakeUps();
        }
    }

    /// <inheritdoc/>
    public void Wake()
    {
        var one = 1UL;
        if (Volatile.Read(ref _isDisposed) == 0) _ = LibC.Write(_wakeUp, &one, sizeof(ulong));
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) == 0) _ = LibC.Close(_wakeUp);
    }

    private bool TakeWakeUps()
    {
        ulong wakeUps;
        return LibC.Read(_wakeUp, &wakeUps, sizeof(ulong)) == sizeof(ulong);
    }

    private static LibC.PollDescriptor Readable(int descriptor) =>
        new() { Descriptor = descriptor, Events = LibC.PollIn };
}
