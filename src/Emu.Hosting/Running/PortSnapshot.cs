namespace Emu.Hosting;

/// <summary>The traffic of one port so far.</summary>
/// <param name="Name">The port as the user wrote it.</param>
/// <param name="FramesIn">Frames that arrived.</param>
/// <param name="BytesIn">The bytes of the frames in, without FCS.</param>
/// <param name="FramesOut">Frames given to the port to be sent.</param>
/// <param name="BytesOut">The bytes of the frames out, without FCS.</param>
/// <param name="ReceiveDrops">Frames that arrived broken or cut off.</param>
/// <param name="SendDrops">Frames that could not be sent.</param>
public sealed record PortSnapshot(
    string Name, ulong FramesIn, ulong BytesIn, ulong FramesOut, ulong BytesOut, ulong ReceiveDrops, ulong SendDrops)
{
    internal static PortSnapshot Of(Port port, PortTraffic traffic) => new(
        port.Name, traffic.FramesIn.Value, traffic.BytesIn.Value, traffic.FramesOut.Value, traffic.BytesOut.Value,
        port.ReceiveDrops.Value, port.SendDrops.Value);
}
