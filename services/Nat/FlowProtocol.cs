namespace Emu.Services;

/// <summary>The protocols that are translated: each has ports of its own.</summary>
public enum FlowProtocol : byte
{
    /// <summary>Nothing that is translated.</summary>
    None,

    /// <summary>UDP.</summary>
    Udp,

    /// <summary>TCP.</summary>
    Tcp,

    /// <summary>ICMP queries; their identifier is the port (RFC 5508 §3).</summary>
    Icmp,
}
