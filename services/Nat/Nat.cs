using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// Source NAT: hosts inside share one address outside, for UDP, TCP and ICMP queries (RFC 4787, RFC 5382, RFC 5508).
/// </summary>
/// <remarks>
/// <para>Port 0 is inside, port 1 outside. An endpoint inside has one port outside whoever it talks to, its own number
/// where that is free, else one of the same parity and range; who may answer there is <c>--filtering</c>. Packets from
/// inside to the address outside turn round. ICMP errors are translated with what they quote.</para>
/// <para>It is a router: it takes one from the TTL, and answers ARP for its address on either side. The MAC address
/// of a host is learnt from its packets (inside) and its ARP; a packet to one that is not known becomes the ARP
/// request for it.</para>
/// <para>Checksums of transport and ICMP are adapted, not checked: a wrong one is wrong behind it, too.</para>
/// <para>Fragments go the way of their first. It answers pings to its addresses,
/// and tells who sent a packet that its TTL has run out.</para>
/// <para>Not done: fragments that come before their first are dropped (RFC 4787 REQ-14 wants them kept), and their
/// identification is not changed; packets with IP options are dropped; a SYN from outside that nobody waits for is
/// never answered (RFC 5382 REQ-4 would have an error after 6 seconds), and of other errors only that of the TTL is
/// sent; sequence numbers of TCP; protocols that carry addresses in their data; IPv6.</para>
/// </remarks>
/// <example>
/// --inside 10.0.0.254 --outside 192.0.2.1 --gateway 192.0.2.254 --mac 02:00:00:00:00:02
/// --neighbor 192.0.2.254=02:00:00:00:00:fe --passive --fragments 0 --ways 4</example>
public sealed partial class Nat : Service
{
    private static readonly PortId s_insidePort = new(0);
    private static readonly PortId s_outsidePort = new(1);

    private readonly IPv4Address _inside;
    private readonly IPv4Address _outside;
    private readonly IPv4Address _gateway;
    private readonly MacAddress _mac;
    private readonly uint _outsideMask;
    private readonly Filtering _filtering;
    private readonly bool _isPassive;
    private readonly ArpResponder _arpInside;
    private readonly ArpResponder _arpOutside;
    private readonly EchoResponder _echo;
    private readonly ExpiryReporter _expiry;
    private readonly AgeingTable<Session, byte>? _sessions;
    private readonly AgeingTable<NeighborKey, byte> _asked;
    private readonly AgeingTable<FragmentKey, FragmentEnds>? _fragments;

    /// <summary>The mappings of endpoints inside to ports outside.</summary>
    [Control]
    public MappingTable Mappings { get; }

    /// <summary>MAC addresses on either side, forgotten after 20 minutes without a packet.</summary>
    [Control]
    public AgeingTable<NeighborKey, MacAddress> Neighbors { get; }

    /// <summary>Packets translated and sent outside.</summary>
    public Counter Outbound { get; } = new();

    /// <summary>Packets translated and sent inside.</summary>
    public Counter Inbound { get; } = new();

    /// <summary>Packets from inside to inside by the address outside (RFC 4787 REQ-9).</summary>
    public Counter Hairpinned { get; } = new();

    /// <summary>ARP requests answered.</summary>
    public Counter ArpReplies { get; } = new();

    /// <summary>Packets that became an ARP request, since the next hop's MAC address was not known.</summary>
    public Counter ArpRequests { get; } = new();

    /// <summary>Packets that became the error that their TTL has run out (RFC 1812 §5.3.1).</summary>
    public Counter TimesExceeded { get; } = new();

    /// <summary>Pings to one of its addresses answered.</summary>
    public Counter EchoReplies { get; } = new();

    /// <summary>
    /// Dropped: the next hop's MAC address is not known, and was asked for in this second, or it is not asked for.
    /// </summary>
    public Counter Unresolved { get; } = new();

    /// <summary>Dropped: to a port outside that no endpoint has, or an error or a reset about no mapping.</summary>
    public Counter Unmapped { get; } = new();

    /// <summary>Dropped: from someone who may not answer.</summary>
    public Counter Filtered { get; } = new();

    /// <summary>Dropped: a new flow for which no port is free.</summary>
    public Counter NoPort { get; } = new();

    /// <summary>Dropped: for another host, or from a port that is neither inside nor outside.</summary>
    public Counter NotForUs { get; } = new();

    /// <summary>Dropped: a protocol or an ICMP message that is not translated.</summary>
    public Counter NotTranslated { get; } = new();

    /// <summary>Dropped: packets to a broadcast or multicast address.</summary>
    public Counter ToGroup { get; } = new();

    /// <summary>
    /// Dropped: parts of a datagram whose first part has not passed here lately,
    /// or all of them where there is no room for any.
    /// </summary>
    public Counter Fragments { get; } = new();

    /// <summary>Dropped: packets with IP options.</summary>
    public Counter WithOptions { get; } = new();

    /// <summary>
    /// Dropped: TTL has run out, and the sender is not told: the 65th of this second, an ICMP error,
    /// a part behind the first, or passive.
    /// </summary>
    public Counter TtlExpired { get; } = new();

    /// <summary>Dropped: the checksum of an IP header is wrong.</summary>
    public Counter BadChecksum { get; } = new();

    /// <summary>
    /// Dropped: cut off, a field that contradicts another, or a source that cannot be one (RFC 1122 §3.2.1.3).
    /// </summary>
    public Counter Malformed { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var isFromInside = frame.Ingress == s_insidePort;
        if (!isFromInside && frame.Ingress != s_outsidePort) NotForUs.Increment();
        else if (ethernet.Source.IsGroup) Malformed.Increment();
        else if (ethernet.Destination != _mac && ethernet.Destination.IsIndividual) NotForUs.Increment();
        else
        {
            var (sender, mac) = (SenderOf(ethernet, isFromInside), ethernet.Source);
            if (ethernet.EtherType == EtherType.Arp) AnswerArp(ref frame, ethernet, isFromInside);
            else if (ethernet.EtherType == EtherType.IPv4) Admit(ref frame, ethernet, isFromInside);
            else NotForUs.Increment();
            if (sender.CanBeSource && sender != OwnAddress(isFromInside))
                Neighbors.Set(new NeighborKey(isFromInside, sender), mac, frame.Seconds);
        }
    }

    private IPv4Address OwnAddress(bool isInside) => isInside ? _inside : _outside;
}
