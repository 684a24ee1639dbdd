namespace Emu.Protocols;

/// <summary>Counts the answers of an <see cref="IPHost"/>, and by their reason the packets that it refuses.</summary>
[CounterFamily]
public sealed class HostCounters
{
    /// <summary>ARP requests answered.</summary>
    public Counter ArpReplies { get; } = new();

    /// <summary>Neighbour solicitations answered.</summary>
    public Counter NeighborAdvertisements { get; } = new();

    /// <summary>Dropped: for another host, or nothing that this one answers.</summary>
    public Counter NotForUs { get; } = new();

    /// <summary>
    /// Dropped: IP packets to a broadcast or multicast address (for echo RFC 1122 §3.2.2.6 allows it).
    /// </summary>
    public Counter ToGroup { get; } = new();

    /// <summary>Dropped: parts of a datagram, which is never put together here.</summary>
    public Counter Fragments { get; } = new();

    /// <summary>
    /// Dropped: packets with a source route (RFC 7126 §4.3, §4.4), or a routing header with segments left (RFC 8200
    /// §4.4).
    /// </summary>
    public Counter SourceRoutes { get; } = new();

    /// <summary>Dropped: packets with an unknown IPv6 option whose type says so (RFC 8200 §4.2).</summary>
    public Counter UnknownOptions { get; } = new();

    /// <summary>Dropped: a checksum is wrong.</summary>
    public Counter BadChecksum { get; } = new();

    /// <summary>
    /// Dropped: cut off, a field that contradicts another, or a source that cannot be answered (RFC 1122 §3.2.1.3;
    /// RFC 4291 §2.5.3; RFC 9293 §3.9.2.3, MUST-63).
    /// </summary>
    public Counter Malformed { get; } = new();
}
