namespace Emu.Hosting;

/// <summary>
/// The direction of a captured packet, seen from its interface;
/// the numbers are those of <c>epb_flags</c> (pcapng §4.3.1).
/// </summary>
public enum PacketDirection
{
    /// <summary>The capture does not say.</summary>
    Unknown = 0,

    /// <summary>Received by the interface.</summary>
    Inbound = 1,

    /// <summary>Sent by the interface.</summary>
    Outbound = 2,
}
