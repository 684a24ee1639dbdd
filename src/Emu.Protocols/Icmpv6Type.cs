namespace Emu.Protocols;

/// <summary>
/// The type of an ICMPv6 message; from 128 on it informs, below it reports an error (RFC 4443 §2.1;
/// IANA "ICMPv6 Parameters").
/// </summary>
public enum Icmpv6Type : byte
{
    /// <summary>A packet could not be delivered; the code says why.</summary>
    DestinationUnreachable = 1,

    /// <summary>A packet exceeds the MTU of a link.</summary>
    PacketTooBig = 2,

    /// <summary>Hop limit or the time for reassembly ran out.</summary>
    TimeExceeded = 3,

    /// <summary>A header could not be understood.</summary>
    ParameterProblem = 4,

    /// <summary>Asks for the same data back.</summary>
    EchoRequest = 128,

    /// <summary>Answers an echo request.</summary>
    EchoReply = 129,

    /// <summary>Asks routers to show themselves (RFC 4861 §4.1).</summary>
    RouterSolicitation = 133,

    /// <summary>A router shows itself (RFC 4861 §4.2).</summary>
    RouterAdvertisement = 134,

    /// <summary>
    /// Asks for a neighbour's link-layer address (RFC 4861 §4.3), <see cref="Protocols.NeighborSolicitation"/>.
    /// </summary>
    NeighborSolicitation = 135,

    /// <summary>States a link-layer address (RFC 4861 §4.4), <see cref="Protocols.NeighborAdvertisement"/>.</summary>
    NeighborAdvertisement = 136,

    /// <summary>A router names a better first hop (RFC 4861 §4.5).</summary>
    Redirect = 137,
}
