namespace Emu.Protocols;

/// <summary>
/// The two highest bits of an IPv6 option's type: what a node does that does not know the option (RFC 8200 §4.2).
/// </summary>
public enum IPv6OptionAction : byte
{
    /// <summary>Skips the option.</summary>
    Skip = 0,

    /// <summary>Discards the packet.</summary>
    Discard = 1,

    /// <summary>Discards the packet and sends an ICMPv6 Parameter Problem.</summary>
    DiscardAndReport = 2,

    /// <summary>Discards the packet; sends an ICMPv6 Parameter Problem if the destination is not multicast.</summary>
    DiscardAndReportUnicast = 3,
}
