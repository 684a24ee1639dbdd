namespace Emu.Testing;

/// <summary>A frame that a service has sent.</summary>
/// <param name="Ports">The ports by which it leaves; at least one.</param>
/// <param name="Bytes">Without FCS.</param>
/// <param name="Time">The time of the event that caused it, in nanoseconds.</param>
public sealed record SentFrame(PortSet Ports, byte[] Bytes, ulong Time)
{
    /// <summary>The ports, the time and the frame by field.</summary>
    public override string ToString() => $"by port {Ports} at {Time} ns:\n{PacketAssert.Describe(Bytes)}";
}
