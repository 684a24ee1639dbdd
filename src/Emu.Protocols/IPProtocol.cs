namespace Emu.Protocols;

/// <summary>The protocol field of IPv4 and the next header field of IPv6 (IANA "Protocol Numbers").</summary>
public enum IPProtocol : byte
{
    /// <summary>IPv6 hop-by-hop options (RFC 8200 §4.3).</summary>
    HopByHopOptions = 0,

    /// <summary>ICMP for IPv4 (RFC 792), <see cref="Protocols.Icmp"/>.</summary>
    Icmp = 1,

    /// <summary>Group management for IPv4 (RFC 3376).</summary>
    Igmp = 2,

    /// <summary>TCP (RFC 9293), <see cref="Protocols.Tcp"/>.</summary>
    Tcp = 6,

    /// <summary>UDP (RFC 768), <see cref="Protocols.Udp"/>.</summary>
    Udp = 17,

    /// <summary>IPv6 routing header (RFC 8200 §4.4).</summary>
    Routing = 43,

    /// <summary>IPv6 fragment header (RFC 8200 §4.5).</summary>
    Fragment = 44,

    /// <summary>Generic routing encapsulation (RFC 2784).</summary>
    Gre = 47,

    /// <summary>Encapsulating security payload (RFC 4303).</summary>
    Esp = 50,

    /// <summary>Authentication header (RFC 4302).</summary>
    AuthenticationHeader = 51,

    /// <summary>ICMP for IPv6 (RFC 4443), <see cref="Protocols.Icmpv6"/>.</summary>
    Icmpv6 = 58,

    /// <summary>Nothing follows the IPv6 header (RFC 8200 §4.7).</summary>
    NoNextHeader = 59,

    /// <summary>IPv6 destination options (RFC 8200 §4.6).</summary>
    DestinationOptions = 60,

    /// <summary>IPv6 mobility header (RFC 6275 §6.1).</summary>
    Mobility = 135,

    /// <summary>Host identity protocol (RFC 7401 §5.1).</summary>
    HostIdentity = 139,

    /// <summary>Shim6 (RFC 5533 §5).</summary>
    Shim6 = 140,
}
