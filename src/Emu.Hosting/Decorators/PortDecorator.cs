namespace Emu.Hosting;

/// <summary>
/// A port around another, which it owns, that passes everything through; what derives from it changes one thing.
/// </summary>
/// <param name="inner">The port inside.</param>
public abstract class PortDecorator(Port inner) : Port
{
    /// <inheritdoc/>
    public override string Name => Inner.Name;

    /// <inheritdoc/>
    public override bool IsLive => Inner.IsLive;

    /// <inheritdoc/>
    public override int PollDescriptor => Inner.PollDescriptor;

    /// <inheritdoc/>
    public override ulong NextDue => Inner.NextDue;

    /// <inheritdoc/>
    public override Counter SendDrops => Inner.SendDrops;

    /// <inheritdoc/>
    public override Counter ReceiveDrops => Inner.ReceiveDrops;

    /// <summary>The port inside.</summary>
    protected Port Inner { get; } = inner;

    /// <inheritdoc/>
    public override int Receive(Span<ReceivedFrame> batch) => Inner.Receive(batch);

    /// <inheritdoc/>
    public override void Send(ReadOnlySpan<byte> frame, ulong time) => Inner.Send(frame, time);

    /// <inheritdoc/>
    public override void Flush() => Inner.Flush();

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        Inner.Dispose();
        base.Dispose(disposing);
    }
}
