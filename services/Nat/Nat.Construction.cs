using Emu.Protocols;

namespace Emu.Services;

/// <content>What it is made of.</content>
public sealed partial class Nat
{
    private const int NeighborSeconds = 1200;

    /// <summary>For how long fragments of one datagram are waited for (RFC 791 §3.2).</summary>
    private const int FragmentSeconds = 15;

    /// <summary>Begins with the static forwards and neighbours alone.</summary>
    /// <param name="inside">Its address inside.</param>
    /// <param name="outside">Its address outside, which all hosts inside share.</param>
    /// <param name="prefix">
    /// Bits of the outside network's prefix, 1 to 32: hosts there are neighbours, others behind the gateway.
    /// </param>
    /// <param name="gateway">The router outside; when absent everyone outside is a neighbour.</param>
    /// <param name="mac">Its MAC address, on both sides; when absent 02:00 and the address outside.</param>
    /// <param name="neighbor">A host on either side whose MAC address is given, ADDRESS=MAC.</param>
    /// <param name="forward">
    /// A port outside that always leads to an endpoint inside, such as tcp:80=10.0.0.5:8080.
    /// </param>
    /// <param name="filtering">
    /// Who may answer a mapping's port: endpoint-independent, address-dependent, address-and-port-dependent.
    /// </param>
    /// <param name="mappings">Mappings that there is room for: a power of two, as many as ways to 65536.</param>
    /// <param name="ways">
    /// Ports that an endpoint may have, 2, 4, 8 or 16: a new flow is refused if all of them are taken.
    /// </param>
    /// <param name="neighbors">Neighbours that there is room for: a power of two, 4 to 1048576.</param>
    /// <param name="fragments">
    /// Datagrams in parts that there is room for: a power of two, 4 to 1048576; 0 drops every part.
    /// </param>
    /// <param name="udpSeconds">
    /// Seconds without a packet from inside after which a UDP mapping ends, 120 or more (RFC 4787 REQ-5).
    /// </param>
    /// <param name="tcpSeconds">The same for an established TCP connection, 7440 or more (RFC 5382 REQ-5).</param>
    /// <param name="tcpTransitorySeconds">
    /// The same for one that opens or has been closed, 240 or more (RFC 5382 REQ-5).
    /// </param>
    /// <param name="icmpSeconds">The same for an ICMP query, 60 or more (RFC 5508 REQ-2).</param>
    /// <param name="quarantineSeconds">
    /// Seconds for which the port of a mapping that has ended is given to no one else (RFC 6888 REQ-8).
    /// </param>
    /// <param name="passive">
    /// Say nothing of its own but answers to ARP: packets to a neighbour that is not known are dropped, no ping is
    /// answered, and nobody is told that a TTL has run out.
    /// </param>
    /// <param name="hashSeed">Seed of the tables' hashes; choose your own where hosts are not trusted.</param>
    public Nat(
        IPv4Address inside, IPv4Address outside, int prefix = 24, IPv4Address gateway = default,
        MacAddress mac = default, StaticNeighbor[]? neighbor = null, StaticForward[]? forward = null,
        Filtering filtering = Filtering.EndpointIndependent, int mappings = 4096, int ways = 8, int neighbors = 64,
        int fragments = 64, int udpSeconds = 300, int tcpSeconds = 7440, int tcpTransitorySeconds = 240,
        int icmpSeconds = 60, int quarantineSeconds = 120, bool passive = false, ulong hashSeed = 1)
    {
        AtLeast(udpSeconds, 120, nameof(udpSeconds), "RFC 4787 REQ-5");
        AtLeast(tcpSeconds, 7440, nameof(tcpSeconds), "RFC 5382 REQ-5");
        AtLeast(tcpTransitorySeconds, 240, nameof(tcpTransitorySeconds), "RFC 5382 REQ-5");
        AtLeast(icmpSeconds, 60, nameof(icmpSeconds), "RFC 5508 REQ-2");
        AtLeast(quarantineSeconds, 0, nameof(quarantineSeconds), "a time");
        if (prefix is < 1 or > 32)
            throw new ArgumentOutOfRangeException(nameof(prefix), prefix, "a prefix has 1 to 32 bits");
        (_inside, _outside, _gateway, _filtering, _isPassive) = (inside, outside, gateway, filtering, passive);
        _mac = mac == default ? MacAddress.Of(outside) : mac;
        _outsideMask = gateway.IsUnspecified ? 0 : uint.MaxValue << 32 - prefix;
        (_arpInside, _arpOutside) = (new ArpResponder(inside, _mac), new ArpResponder(outside, _mac));
        (_echo, _expiry) = (new EchoResponder(_mac), new ExpiryReporter(_mac));
        var timeouts = new Timeouts(udpSeconds, tcpSeconds, tcpTransitorySeconds, icmpSeconds, quarantineSeconds);
        Mappings = new MappingTable(mappings, ways, timeouts, forward ?? [], hashSeed);
        // A session lives no longer than the longest mapping; there is room for each mapping to have one,
        // and more where they are few.
        if (filtering != Filtering.EndpointIndependent)
            _sessions = new AgeingTable<Session, byte>(
                Math.Max(mappings, 64), Math.Max(tcpSeconds, udpSeconds), hashSeed);
        _asked = new AgeingTable<NeighborKey, byte>(16, 1, hashSeed);
        if (fragments != 0)
            _fragments = new AgeingTable<FragmentKey, FragmentEnds>(fragments, FragmentSeconds, hashSeed);
        Neighbors = new AgeingTable<NeighborKey, MacAddress>(neighbors, NeighborSeconds, hashSeed);
        foreach (var known in neighbor ?? [])
        {
            // The side that it is on is not said, and need not be: packets to it go one way only.
            var isKept = Neighbors.SetPermanent(new NeighborKey(true, known.Address), known.Mac)
                && Neighbors.SetPermanent(new NeighborKey(false, known.Address), known.Mac);
            if (!isKept)
                throw new ArgumentException(
                    $"there is no room for {known}: raise the number of neighbours", nameof(neighbor));
        }
    }

    private static void AtLeast(int value, int least, string name, string source)
    {
        if (value < least) throw new ArgumentOutOfRangeException(name, value, $"at least {least} seconds ({source})");
    }
}
