namespace Emu.Network.Tests;

/// <summary>The connection between the service and the kernel's hosts.</summary>
public enum PortKind
{
    /// <summary>tap:NAME, whose interface is the host's.</summary>
    Tap,

    /// <summary>raw:IFACE, packet rings on one end of a veth pair.</summary>
    Raw,
}
