namespace Emu.Protocols;

/// <summary>Handles the TCP segments that come to an <see cref="IPHost"/>, for all of its ports.</summary>
public interface ITcpApplication
{
    /// <summary>
    /// Handles a segment; unless it answers by <see cref="TcpSegment.Reply"/> or gives another verdict, the frame is
    /// dropped.
    /// </summary>
    /// <param name="frame">The segment's frame.</param>
    /// <param name="segment">The segment, its checksum valid, and who sent it.</param>
    void Receive(ref Frame frame, TcpSegment segment);
}
