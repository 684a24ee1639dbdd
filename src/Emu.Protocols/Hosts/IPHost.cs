namespace Emu.Protocols;

/// <summary>
/// A host on one interface: answers ARP (RFC 826), and with an IPv6 address neighbour discovery (RFC 4861);
/// applications have its echo (RFC 792; RFC 4443), its UDP ports and its TCP. Whatever it does not admit it drops, and
/// counts why.
/// </summary>
/// <remarks>
/// <para>A host is a part of a service, which may stand in front of it (a filter), behind it, or beside others on
/// the same frame: it is given each frame by <see cref="Receive"/>.</para>
/// <para>A reply leaves by the port that its request came from, with all its data and its options; its TTL is fresh.
/// A reply's Record Route and Timestamp options have an entry for this host, of the time at which the request arrived
/// (RFC 1122 §3.2.2.6). A packet with a source route is refused (RFC 7126 §4.3, §4.4), as Linux drops it unless
/// <c>accept_source_route</c> is set. Other options of a datagram are taken out before its application has it; those of
/// a packet with a segment stay, since its answer has none.</para>
/// <para>With an IPv6 address it has a second one, link-local, made of its MAC address (RFC 4291 §2.8), and answers for
/// both.</para>
/// <para>Not done: reassembly, so fragments are refused; requests to broadcast or multicast addresses; duplicate
/// address detection; IPv6 extension headers but in front of TCP; ICMP errors.</para>
/// </remarks>
/// <example><code>
/// private readonly IPHost _host = new IPHost(address).Udp(53, dns).Echo(echo);
///
/// public override void Process(ref Frame frame) => _host.Receive(ref frame);
/// </code></example>
public sealed partial class IPHost
{
    private readonly MacAddress _mac;
    private readonly ArpResponder _arp;
    private readonly NeighborResponder? _neighbors;
    private readonly EchoResponder _responder;
    private readonly EchoOptions _options;
    private readonly TcpReplyFrame4 _tcpReply;
    private readonly TcpReplyFrame6? _tcpReply6;
    private readonly TcpReplyFrame6? _tcpReplyLinkLocal;
    private UdpSocket[] _sockets = [];
    private IEchoApplication? _echo;
    private ITcpApplication? _tcp;

    /// <summary>A host that answers for its addresses, and has no sockets yet.</summary>
    /// <param name="address">Its IPv4 address.</param>
    /// <param name="mac">Its MAC address; when absent 02:00 and the IPv4 address, so that hosts differ.</param>
    /// <param name="address6">Its IPv6 address, beside a link-local one; when absent it has neither.</param>
    public IPHost(IPv4Address address, MacAddress mac = default, IPv6Address address6 = default)
    {
        (Address, Address6) = (address, address6);
        _mac = mac == default ? MacAddress.Of(address) : mac;
        _arp = new ArpResponder(address, _mac);
        _responder = new EchoResponder(_mac);
        _options = new EchoOptions(address, Counters);
        _tcpReply = new TcpReplyFrame4(_mac, address);
        if (address6.IsUnspecified) return;
        LinkLocal = IPv6Address.LinkLocal(_mac);
        _neighbors = new NeighborResponder(address6, _mac, LinkLocal);
        _tcpReply6 = new TcpReplyFrame6(_mac, address6);
        _tcpReplyLinkLocal = new TcpReplyFrame6(_mac, LinkLocal);
    }

    /// <summary>Its IPv4 address.</summary>
    public IPv4Address Address { get; }

    /// <summary>Its IPv6 address; unspecified if it has none.</summary>
    public IPv6Address Address6 { get; }

    /// <summary>Its link-local IPv6 address (RFC 4291 §2.8); unspecified if it has no other either.</summary>
    public IPv6Address LinkLocal { get; }

    /// <summary>The requests that it has answered, and the packets refused.</summary>
    public HostCounters Counters { get; } = new();

    /// <summary>
    /// Has echo requests answered, for which an application sends the replies; called while the service is constructed.
    /// </summary>
    /// <param name="application">The application; without one, echo is refused.</param>
    /// <returns>The host.</returns>
    public IPHost Echo(IEchoApplication application)
    {
        _echo = application;
        return this;
    }

    /// <summary>Gives a UDP port to an application; called while the service is constructed.</summary>
    /// <param name="port">The port.</param>
    /// <param name="application">Its application.</param>
    /// <returns>The host.</returns>
    /// <exception cref="ArgumentException">The port has one already.</exception>
    public IPHost Udp(ushort port, IUdpApplication application)
    {
        if (_sockets.Any(socket => socket.Port == port))
            throw new ArgumentException($"UDP port {port} of {Address} has an application already", nameof(port));
        _sockets = [.. _sockets, new UdpSocket(port, application)];
        return this;
    }

    /// <summary>Gives all segments of TCP to an application; called while the service is constructed.</summary>
    /// <param name="application">The application; without one, TCP is refused.</param>
    /// <returns>The host.</returns>
    public IPHost Tcp(ITcpApplication application)
    {
        _tcp = application;
        return this;
    }

    /// <summary>Handles a frame, and gives the verdict on it.</summary>
    /// <returns>False if the host has refused it: there is no verdict then, and another may have it.</returns>
    public bool Receive(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.Source.IsGroup) return Refuse(Counters.Malformed);
        if (ethernet.Destination != _mac && ethernet.Destination.IsIndividual) return Refuse(Counters.NotForUs);
        if (ethernet.EtherType == EtherType.Arp) return ReceiveArp(ref frame, ethernet);
        if (ethernet.EtherType == EtherType.IPv4) return ReceiveIPv4(ref frame, ethernet);
        if (ethernet.EtherType == EtherType.IPv6 && _neighbors is not null) return ReceiveIPv6(ref frame, ethernet);
        return Refuse(Counters.NotForUs);
    }

    /// <summary>RFC 826, Packet Reception.</summary>
    private bool ReceiveArp(ref Frame frame, Ethernet ethernet)
    {
        if (!Arp.TryParse(ethernet.Payload, out var arp) || !ArpResponder.IsValid(arp))
            return Refuse(Counters.Malformed);
        if (!_arp.IsForUs(arp)) return Refuse(Counters.NotForUs);
        _arp.Answer(ref frame, arp);
        Counters.ArpReplies.Increment();
        return true;
    }

    /// <summary>RFC 1122 §3.2.1 on the packet, then §3.2.2.6 on the message.</summary>
    private bool ReceiveIPv4(ref Frame frame, Ethernet ethernet)
    {
        if (!IPv4.TryParse(ethernet.Payload, out var ip)) return Refuse(Counters.Malformed);
        if (!ip.HasValidHeaderChecksum) return Refuse(Counters.BadChecksum);
        if (ethernet.Destination.IsGroup || ip.Destination.IsMulticast || ip.Destination.IsBroadcast)
            return Refuse(Counters.ToGroup);
        if (ip.Destination != Address) return Refuse(Counters.NotForUs);
        if (!ip.Source.CanBeSource || ip.Source == Address) return Refuse(Counters.Malformed);
        if (ip.IsFragment) return Refuse(Counters.Fragments);
        if (ip.Protocol == IPProtocol.Udp && _sockets.Length > 0) return ReceiveDatagram(ref frame, ip);
        if (ip.Protocol == IPProtocol.Tcp && _tcp is not null) return ReceiveSegment(ref frame, ip);
        if (ip.Protocol != IPProtocol.Icmp || _echo is null) return Refuse(Counters.NotForUs);
        if (!Icmp.TryParse(ip.Payload, out var icmp)) return Refuse(Counters.Malformed);
        if (!icmp.HasValidChecksum) return Refuse(Counters.BadChecksum);
        if (icmp.Type != IcmpType.EchoRequest || icmp.Code != 0) return Refuse(Counters.NotForUs);
        if (ip.HeaderLength != IPv4.MinHeaderLength && !_options.TryUpdate(ip, frame.Time)) return false;
        _responder.MakeReply(ethernet, ip, icmp, Address);
        _echo.Send(ref frame, isIPv6: false);
        return true;
    }

    /// <summary>RFC 8200 on the packet; a solicitation is the responder's.</summary>
    private bool ReceiveIPv6(ref Frame frame, Ethernet ethernet)
    {
        if (!IPv6.TryParse(ethernet.Payload, out var ip) || !MayBeFrom(ip.Source)) return Refuse(Counters.Malformed);
        if (ip.NextHeader == IPProtocol.Udp && _sockets.Length > 0) return ReceiveDatagram6(ref frame, ethernet, ip);
        if (ip.NextHeader == IPProtocol.Icmpv6) return ReceiveIcmp6(ref frame, ethernet, ip);
        if (_tcp is not null) return ReceiveSegment6(ref frame, ethernet, ip);
        return Refuse(ip.NextHeader == IPProtocol.Fragment ? Counters.Fragments : Counters.NotForUs);
    }

    /// <summary>RFC 4443 §2.1 on the message.</summary>
    private bool ReceiveIcmp6(ref Frame frame, Ethernet ethernet, IPv6 ip)
    {
        if (!Icmpv6.TryParse(ip.Payload, out var icmp)) return Refuse(Counters.Malformed);
        if (!icmp.HasValidChecksum(ip)) return Refuse(Counters.BadChecksum);
        if (icmp.Type == Icmpv6Type.NeighborSolicitation) return ReceiveSolicitation(ref frame, ip, icmp);
        if (icmp.Type != Icmpv6Type.EchoRequest || icmp.Code != 0 || _echo is null) return Refuse(Counters.NotForUs);
        return ReceiveEcho6(ref frame, ethernet, ip, icmp);
    }

    /// <summary>RFC 4861 §7.1.1.</summary>
    private bool ReceiveSolicitation(ref Frame frame, IPv6 ip, Icmpv6 icmp)
    {
        if (!NeighborResponder.IsValid(ip, icmp)) return Refuse(Counters.Malformed);
        if (!_neighbors!.IsForUs(ip, icmp)) return Refuse(Counters.NotForUs);
        _neighbors.Advertise(ref frame);
        Counters.NeighborAdvertisements.Increment();
        return true;
    }

    /// <summary>
    /// True if a packet may come in with this source:
    /// not from a group (RFC 4291 §2.7), from loopback (§2.5.3), or from this host itself.
    /// </summary>
    private bool MayBeFrom(IPv6Address source) =>
        !source.IsMulticast && !source.IsLoopback && !_neighbors!.IsOwn(source);

    private static bool Refuse(Counter why)
    {
        why.Increment();
        return false;
    }
}
