namespace Emu.Testing;

/// <summary>A frame for a service to receive.</summary>
/// <param name="Port">Where, from 0.</param>
/// <param name="Bytes">Without FCS.</param>
/// <param name="Time">When, in nanoseconds; at the time of the frame before when earlier.</param>
public sealed record IncomingFrame(int Port, byte[] Bytes, ulong Time)
{
    /// <summary>The port, the time and the frame by field.</summary>
    public override string ToString() => $"received by port {Port} at {Time} ns:\n{PacketAssert.Describe(Bytes)}";
}
