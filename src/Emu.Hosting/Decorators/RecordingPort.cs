namespace Emu.Hosting;

/// <summary>Records what a port receives and sends; made by <see cref="Recording.Add"/>.</summary>
/// <remarks>
/// Whenever no frame has arrived, that is before the run waits, what was recorded goes to the file. Under load it does so at least every
/// second. A frame is recorded as sent even if the port inside then has no room for it.
/// </remarks>
public sealed class RecordingPort : PortDecorator
{
    private readonly Recording _recording;
    private readonly int _number;
    private ulong _received;

    internal RecordingPort(Port inner, Recording recording, int number)
        : base(inner) => (_recording, _number) = (recording, number);

    /// <inheritdoc/>
    public override int Receive(Span<ReceivedFrame> batch)
    {
        var count = Inner.Receive(batch);
        foreach (ref var frame in batch[..count]) frame = frame.At(_recording.Arrived(_number, frame.Bytes, frame.Time));
        if (count == 0) _recording.Flush();
        _received += (ulong)count;
        return count;
    }

    /// <inheritdoc/>
    public override void Send(ReadOnlySpan<byte> frame, ulong time)
    {
        _recording.Sent(_number, frame, time);
        Inner.Send(frame, time);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        _recording.SetStatistics(_number, _received, ReceiveDrops.Value);
        base.Dispose(disposing);
    }
}
