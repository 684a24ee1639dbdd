namespace Emu.Samples;

/// <summary>
/// Keeps ports apart: by which ports the frames of a port may leave is a word in a serial memory of the board, which is
/// read for each frame. All may leave by the uplink, and its own frames by every port.
/// </summary>
/// <example>--uplink 3</example>
/// <param name="uplink">The port towards the network.</param>
public sealed class PortIsolation(byte uplink) : Service
{
    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress.Index == uplink) frame.Flood();
        else frame.ForwardTo(new PortSet(SerialWords.Read(frame.Ingress.Index)) | PortSet.Of(new PortId(uplink)));
    }
}
