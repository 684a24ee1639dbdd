namespace Emu.Services;

/// <summary>The field of a packet that a term compares.</summary>
internal enum Field : byte
{
    /// <summary>Upper layer, behind extension headers.</summary>
    Protocol,

    /// <summary>IPv4: the source address; IPv6: its lower half.</summary>
    Source,

    /// <summary>IPv6: the upper half of the source address.</summary>
    SourceHigh,

    /// <summary>As <see cref="Source"/>.</summary>
    Destination,

    /// <summary>As <see cref="SourceHigh"/>.</summary>
    DestinationHigh,

    /// <summary>The first 16 bits of the upper layer.</summary>
    SourcePort,

    /// <summary>The next 16 bits.</summary>
    DestinationPort,

    /// <summary>The control bits of TCP.</summary>
    TcpFlags,

    /// <summary>ICMP: type and code, in 16 bits.</summary>
    IcmpTypeAndCode,

    /// <summary>1 for a fragment that is not the first: its payload begins with no header.</summary>
    LaterFragment,

    /// <summary>Bytes of the packet, IP header included.</summary>
    Length,

    /// <summary>TTL or hop limit.</summary>
    Ttl,

    /// <summary>The source MAC address.</summary>
    SourceMac,

    /// <summary>The port it came from, as a set.</summary>
    Ingress,

    /// <summary>The port it would leave by, as a set.</summary>
    Egress,

    /// <summary>One bit of <see cref="Services.ConnectionState"/>.</summary>
    ConnectionState,

    /// <summary>Nothing of the packet: whether a rate is not exceeded.</summary>
    Limit,
}
