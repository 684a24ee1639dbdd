namespace Emu.Hosting;

/// <summary>
/// A source and destination of frames: an interface of the machine, a capture file, memory. Frames move in batches and
/// stay in the port's own memory, so that none is allocated or copied on the way in.
/// </summary>
/// <remarks>A port is used by one thread.</remarks>
public abstract class Port : IDisposable
{
    /// <summary>The text that the user wrote to open it, such as <c>tap:emu0</c>.</summary>
    public abstract string Name { get; }

    /// <summary>
    /// True if frames arrive as the world sends them, stamped with the host's clock.
    /// Otherwise the port has an end and its frames bring their own times.
    /// </summary>
    public abstract bool IsLive { get; }

    /// <summary>
    /// Takes the next frames that have arrived, in order, and gives back the memory of those of the call
    /// before. Does not wait.
    /// </summary>
    /// <param name="batch">Filled from its start.</param>
    /// <returns>The number of frames; 0 when there are none now,
    /// which for a port that is not live is the end.</returns>
    public abstract int Receive(Span<ReceivedFrame> batch);

    /// <summary>
    /// Sends a copy of a frame, or queues it until <see cref="Flush"/>. Does not wait:
    /// without room the frame is lost and counted.
    /// </summary>
    /// <param name="frame">The bytes without FCS.</param>
    /// <param name="time">The time of the event that caused it, in nanoseconds.</param>
    public abstract void Send(ReadOnlySpan<byte> frame, ulong time);

    /// <summary>Sends what is queued.</summary>
    public virtual void Flush()
    {
    }

    /// <summary>
    /// A file descriptor that polls readable when frames have arrived; -1 for a port that is not live or has none.
    /// </summary>
    public virtual int PollDescriptor => -1;

    /// <summary>
    /// Nanoseconds since 1970 at which <see cref="Receive"/> is to be called even if nothing polls readable;
    /// the maximum for never.
    /// </summary>
    public virtual ulong NextDue => ulong.MaxValue;

    /// <summary>Frames that could not be sent: no room, or longer than the medium takes.</summary>
    public virtual Counter SendDrops { get; } = new();

    /// <summary>
    /// Frames that the port had to leave out: they arrived broken, cut off or joined, or found no room in its memory.
    /// </summary>
    public virtual Counter ReceiveDrops { get; } = new();

    /// <summary>Checks that ports can be those of one run: all live or none.</summary>
    /// <exception cref="CommandException">They cannot.</exception>
    public static void CheckCombination(IReadOnlyList<Port> ports)
    {
        if (ports.Any(p => p.IsLive) && !ports.All(p => p.IsLive))
            throw CommandException.Usage(
                "live ports and captures cannot be combined in one run: their times have nothing in common");
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Flushes and closes.</summary>
    protected virtual void Dispose(bool disposing)
    {
    }
}
