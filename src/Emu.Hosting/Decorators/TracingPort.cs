namespace Emu.Hosting;

/// <summary>
/// Writes one line for each frame that passes: the time in seconds, <c>&lt;</c> for a frame received or <c>&gt;</c> for
/// one sent, the port, the length in bytes and a description.
/// </summary>
/// <remarks>For people to read: unlike other ports it allocates for every frame.</remarks>
/// <param name="inner">The port inside.</param>
/// <param name="output">The writer of the lines; flushed whenever no frames have arrived.</param>
/// <param name="describe">Makes the description.</param>
public sealed class TracingPort(Port inner, TextWriter output, FrameDescriber describe) : PortDecorator(inner)
{
    /// <inheritdoc/>
    public override int Receive(Span<ReceivedFrame> batch)
    {
        var count = Inner.Receive(batch);
        foreach (var frame in batch[..count]) Trace('<', frame.Bytes, frame.Time);
        if (count == 0) output.Flush();
        return count;
    }

    /// <inheritdoc/>
    public override void Send(ReadOnlySpan<byte> frame, ulong time)
    {
        Trace('>', frame, time);
        Inner.Send(frame, time);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        output.Flush();
        base.Dispose(disposing);
    }

    private void Trace(char direction, ReadOnlySpan<byte> frame, ulong time)
    {
        var (seconds, nanoseconds) = Math.DivRem(time, HostClock.NanosecondsPerSecond);
        output.WriteLine($"{seconds}.{nanoseconds:D9} {direction} {Name} {frame.Length} {describe(frame)}");
    }
}
