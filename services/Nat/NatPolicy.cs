namespace Emu.Services;

/// <summary>Hosts and ports that a <see cref="Nat"/> knows beforehand, and whom it answers.</summary>
public sealed class NatPolicy
{
    /// <summary>A host on either side whose MAC address is given, ADDRESS=MAC.</summary>
    public StaticNeighbor[] Neighbor { get; init; } = [];

    /// <summary>A port outside that always leads to an endpoint inside, such as tcp:80=10.0.0.5:8080.</summary>
    public StaticForward[] Forward { get; init; } = [];

    /// <summary>
    /// The peers that may answer at a mapping's port: endpoint-independent, address-dependent,
    /// address-and-port-dependent.
    /// </summary>
    public Filtering Filtering { get; init; } = Filtering.EndpointIndependent;

    /// <summary>
    /// Say nothing of its own but answers to ARP: packets to a neighbour that is not known are dropped, no ping is
    /// answered, and nobody is told that a TTL has run out.
    /// </summary>
    public bool Passive { get; init; }
}
