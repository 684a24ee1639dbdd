using System.ComponentModel.DataAnnotations;

namespace Emu.Services;

/// <summary>The options of a NAT, each with its default.</summary>
public sealed record NatOptions
{
    private const int MostRows = 1 << 20;

    /// <summary>Bits of the outside network's prefix: hosts there are neighbours, others behind the gateway.</summary>
    [Range(1, 32)]
    public int Prefix { get; init; } = 24;

    /// <summary>The router outside; when absent everyone outside is a neighbour.</summary>
    public IPv4Address Gateway { get; init; }

    /// <summary>Its MAC address, on both sides; when absent 02:00 and the address outside.</summary>
    public MacAddress Mac { get; init; }

    /// <summary>A host on either side whose MAC address is given, ADDRESS=MAC.</summary>
    public StaticNeighbor[] Neighbor { get; init; } = [];

    /// <summary>A port outside that always leads to an endpoint inside, such as tcp:80=10.0.0.5:8080.</summary>
    public StaticForward[] Forward { get; init; } = [];

    /// <summary>
    /// Those who may answer a mapping's port: endpoint-independent, address-dependent, address-and-port-dependent.
    /// </summary>
    public Filtering Filtering { get; init; } = Filtering.EndpointIndependent;

    /// <summary>Mappings that there is room for, as many as ways at least.</summary>
    [PowerOfTwo(2, 1 << 16)]
    public int Mappings { get; init; } = 4096;

    /// <summary>Ports that an endpoint may have: a new flow is refused if all of them are taken.</summary>
    [PowerOfTwo(2, 16)]
    public int Ways { get; init; } = 8;

    /// <summary>Neighbours that there is room for.</summary>
    [PowerOfTwo(4, MostRows)]
    public int Neighbors { get; init; } = 64;

    /// <summary>Datagrams in parts that there is room for; 0 drops every part.</summary>
    [PowerOfTwo(4, MostRows, OrZero = true)]
    public int Fragments { get; init; } = 64;

    /// <summary>
    /// Seconds without a packet from inside after which a UDP mapping ends (RFC 4787 REQ-5).
    /// </summary>
    [Range(120, int.MaxValue)]
    public int UdpSeconds { get; init; } = 300;

    /// <summary>The same for an established TCP connection (RFC 5382 REQ-5).</summary>
    [Range(7440, int.MaxValue)]
    public int TcpSeconds { get; init; } = 7440;

    /// <summary>The same for one that opens or has been closed (RFC 5382 REQ-5).</summary>
    [Range(240, int.MaxValue)]
    public int TcpTransitorySeconds { get; init; } = 240;

    /// <summary>The same for an ICMP query (RFC 5508 REQ-2).</summary>
    [Range(60, int.MaxValue)]
    public int IcmpSeconds { get; init; } = 60;

    /// <summary>
    /// Seconds for which the port of a mapping that has ended is given to no one else (RFC 6888 REQ-8).
    /// </summary>
    [Range(0, int.MaxValue)]
    public int QuarantineSeconds { get; init; } = 120;

    /// <summary>
    /// Say nothing of its own but answers to ARP: packets to a neighbour that is not known are dropped, no ping is
    /// answered, and nobody is told that a TTL has run out.
    /// </summary>
    public bool Passive { get; init; }

    /// <summary>Seed of the tables' hashes; choose your own where hosts are not trusted.</summary>
    public ulong HashSeed { get; init; } = 1;
}
