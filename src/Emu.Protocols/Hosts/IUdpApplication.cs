namespace Emu.Protocols;

/// <summary>Handles the datagrams of a UDP port of an <see cref="IPHost"/>.</summary>
public interface IUdpApplication
{
    /// <summary>
    /// Handles a datagram; unless it answers by <see cref="UdpDatagram.Reply(ref Frame, int)"/> or gives another
    /// verdict, the frame is dropped.
    /// </summary>
    /// <param name="frame">
    /// The datagram's frame. The application may write its answer in the place of the payload, and resize the frame.
    /// </param>
    /// <param name="datagram">The place of the payload, and who sent it; everything in front of it is valid.</param>
    void Receive(ref Frame frame, UdpDatagram datagram);
}
