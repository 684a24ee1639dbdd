namespace Emu.Protocols;

/// <summary>
/// The type of a neighbour discovery option (RFC 4861 §4.6; IANA "IPv6 Neighbor Discovery Option Formats").
/// </summary>
public enum NeighborDiscoveryOptionType : byte
{
    /// <summary>No option is at the cursor; on the wire reserved.</summary>
    None = 0,

    /// <summary>The link-layer address of the sender.</summary>
    SourceLinkLayerAddress = 1,

    /// <summary>The link-layer address of the target.</summary>
    TargetLinkLayerAddress = 2,

    /// <summary>A prefix of the link.</summary>
    PrefixInformation = 3,

    /// <summary>The start of the packet that is redirected.</summary>
    RedirectedHeader = 4,

    /// <summary>The MTU of the link.</summary>
    Mtu = 5,

    /// <summary>A number that tells one's own solicitations from others' (RFC 3971 §5.3.2).</summary>
    Nonce = 14,
}
