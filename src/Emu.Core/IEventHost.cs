namespace Emu;

/// <summary>The host of an event, as the event's frame knows it.</summary>
public interface IEventHost : IFrameOutput
{
    /// <summary>
    /// Waits for the next frame that arrives, and has <see cref="Service.Interrupt"/> handle it inside the event that
    /// is under way. Does nothing inside an interrupt.
    /// </summary>
    void WaitForFrame();

    /// <summary>Keeps the frame of an interrupt for later: <see cref="Frame.TryHold"/>.</summary>
    /// <param name="bytes">The frame without FCS.</param>
    /// <param name="ingress">The port at which it was received.</param>
    /// <param name="time">The time of its arrival, in nanoseconds.</param>
    /// <param name="capacity">The most frames that may be kept, 1 or more.</param>
    /// <returns>False if so many are kept already, the frame is empty, or outside an interrupt.</returns>
    bool TryHold(ReadOnlySpan<byte> bytes, PortId ingress, ulong time, int capacity);
}
