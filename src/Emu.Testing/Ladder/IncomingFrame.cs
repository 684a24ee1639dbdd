namespace Emu.Testing;

/// <summary>A frame for a service to receive.</summary>
/// <param name="Port">The port at which it arrives, from 0.</param>
/// <param name="Bytes">The bytes without FCS.</param>
/// <param name="Time">The time of its arrival, in nanoseconds;
/// when earlier than the frame before, the time of that.</param>
public sealed record IncomingFrame(int Port, byte[] Bytes, ulong Time)
{
    /// <summary>The port, the time and the frame by field.</summary>
    public override string ToString() => $"received by port {Port} at {Time} ns:\n{PacketAssert.Describe(Bytes)}";
}
