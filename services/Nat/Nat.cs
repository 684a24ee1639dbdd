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
public sealed class Nat : Service
{
    private const int NeighborSeconds = 1200;
    private const int ShortestFrame = 60;

    /// <summary>
    /// By how much the sum of a header changes when one is taken from the TTL: ~m + m', whatever m is.
    /// </summary>
    private const ulong HopChange = 0xFFFF - (1 << 8);
    private const byte FreshTtl = 64;

    /// <summary>For how long fragments of one datagram are waited for (RFC 791 §3.2).</summary>
    private const int FragmentSeconds = 15;

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
    private readonly ExpiryReporter _expiry;
    private readonly AgeingTable<Session, byte>? _sessions;
    private readonly AgeingTable<NeighborKey, byte> _asked;
    private readonly AgeingTable<FragmentKey, FragmentEnds>? _fragments;

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
        _expiry = new ExpiryReporter(_mac);
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

    /// <summary>
    /// Whose MAC address a frame tells: that of a host whose ARP is for this one (RFC 826), and inside of who sends a
    /// packet, so that answers go back the same way.
    /// </summary>
    private IPv4Address SenderOf(Ethernet ethernet, bool isInside)
    {
        if (ethernet.EtherType == EtherType.Arp && Arp.TryParse(ethernet.Payload, out var arp)
            && arp.SenderHardwareAddress == ethernet.Source && arp.TargetProtocolAddress == OwnAddress(isInside))
            return arp.SenderProtocolAddress;
        if (ethernet.EtherType == EtherType.IPv4 && isInside && IPv4.TryParse(ethernet.Payload, out var ip))
            return ip.Source;
        return default;
    }

    /// <summary>RFC 826, Packet Reception; an answer to a question of its own has been learnt.</summary>
    private void AnswerArp(ref Frame frame, Ethernet ethernet, bool isInside)
    {
        var responder = isInside ? _arpInside : _arpOutside;
        if (!Arp.TryParse(ethernet.Payload, out var arp) || !ArpResponder.IsValid(arp)) Malformed.Increment();
        else if (!responder.IsForUs(arp)) NotForUs.Increment();
        else
        {
            responder.Answer(ref frame, arp);
            ArpReplies.Increment();
        }
    }

    /// <summary>
    /// Checks what a router asks of a packet (RFC 1812 §5.2.2, §5.3.1), then does a translator's work.
    /// </summary>
    private void Admit(ref Frame frame, Ethernet ethernet, bool isFromInside)
    {
        if (!IPv4.TryParse(ethernet.Payload, out var ip)) Malformed.Increment();
        else if (ip.HeaderLength != IPv4.MinHeaderLength) WithOptions.Increment();
        else if (!ip.HasValidHeaderChecksum) BadChecksum.Increment();
        else if (ethernet.Destination.IsGroup || ip.Destination.IsMulticast || ip.Destination.IsBroadcast)
            ToGroup.Increment();
        else if (!_isPassive && IsPing(ip, isFromInside)) AnswerPing(ref frame, ethernet, ip);
        else if (isFromInside ? ip.Destination == _inside : ip.Destination != _outside) NotForUs.Increment();
        else if (!ip.Source.CanBeSource || ip.Source == _outside || ip.Source == _inside) Malformed.Increment();
        else if (_fragments is null && ip.IsFragment) Fragments.Increment();
        else if (ip.Ttl <= 1) Expire(ref frame, ip, isFromInside);
        else if (_fragments is not null && ip.FragmentOffset != 0) FollowFirst(ref frame, ethernet, ip, isFromInside);
        else if (!IsWhole(ip, out var flags)) Malformed.Increment();
        else if (!TryReadFlow(ip, isFromInside, out var isError, out var flow)) NotTranslated.Increment();
        else
            Translate(
                ref frame, ethernet, ip, new Arrival(flow, flags, isError, isFromInside, ip.Destination == _outside));
    }

    private void Expire(ref Frame frame, IPv4 ip, bool isFromInside)
    {
        if (!_isPassive && _expiry.TryReport(ref frame, ip, OwnAddress(isFromInside))) TimesExceeded.Increment();
        else TtlExpired.Increment();
    }

    /// <summary>
    /// True if it is a ping to this host, from someone who can be answered.
    /// An echo request from outside is never anybody else's.
    /// </summary>
    private bool IsPing(IPv4 ip, bool isFromInside)
    {
        if (ip.Destination != _outside && !(isFromInside && ip.Destination == _inside)) return false;
        if (!ip.Source.CanBeSource || ip.Source == _outside || ip.Source == _inside) return false;
        return ip.Protocol == IPProtocol.Icmp && !ip.IsFragment
            && Icmp.TryParse(ip.Payload, out var icmp) && icmp.Type == IcmpType.EchoRequest;
    }

    /// <summary>Answers a ping (RFC 1812 §4.3.3.6). A wrong checksum stays wrong.</summary>
    private void AnswerPing(ref Frame frame, Ethernet ethernet, IPv4 ip)
    {
        if (!Icmp.TryParse(ip.Payload, out var icmp)) return;
        icmp.Type = IcmpType.EchoReply;
        icmp.Checksum = InternetChecksum.Update(
            icmp.Checksum, (ushort)IcmpType.EchoRequest << 8, (ushort)IcmpType.EchoReply << 8);
        var ttlWord = TtlWord(ip);
        ip.Ttl = FreshTtl;
        ip.HeaderChecksum = InternetChecksum.Update(ip.HeaderChecksum, ttlWord, TtlWord(ip));
        (ip.Source, ip.Destination) = (ip.Destination, ip.Source);
        (ethernet.Destination, ethernet.Source) = (ethernet.Source, _mac);
        EchoReplies.Increment();
        frame.Reply();
    }

    /// <summary>Finds both ends of a packet as they are called on the other side.</summary>
    private void Translate(ref Frame frame, Ethernet ethernet, IPv4 ip, Arrival packet)
    {
        var (source, destination) = (packet.Flow.Source, packet.Flow.Destination);
        var isReached = !packet.IsToInside || Mappings.TryFind(packet.Flow.Destination, frame.Seconds, out destination);
        if (!packet.IsFromInside) Mappings.Follow(packet, frame.Seconds);
        else if (Mappings.TryMap(packet, frame.Seconds, out var port))
        {
            source = new Endpoint(source.Protocol, _outside, port);
            if (!packet.IsError)
                _sessions?.Set(SessionOf(packet.Flow.Source, packet.Flow.Destination), 0, frame.Seconds);
        }
        else
        {
            if (packet.MayBegin) NoPort.Increment();
            else Unmapped.Increment();
            return;
        }
        if (!isReached) Unmapped.Increment();
        else if (packet.IsToInside && !MayAnswer(destination, source, frame.Seconds)) Filtered.Increment();
        else Forward(ref frame, ethernet, ip, packet, new Flow(source, destination));
    }

    /// <summary>Translates a fragment that has no ports as the one that had them (RFC 4787 REQ-14).</summary>
    private void FollowFirst(ref Frame frame, Ethernet ethernet, IPv4 ip, bool isFromInside)
    {
        if (!_fragments!.TryGet(new FragmentKey(isFromInside, ip), frame.Seconds, out var first)) Fragments.Increment();
        else
        {
            var packet = new Arrival(
                Flow.WithoutPorts(ip.Source, ip.Destination),
                TcpFlags.None,
                false,
                isFromInside,
                ip.Destination == _outside);
            Forward(ref frame, ethernet, ip, packet, Flow.WithoutPorts(first.Source, first.Destination));
        }
    }

    /// <summary>Sends a packet with other ends to the next hop.</summary>
    private void Forward(ref Frame frame, Ethernet ethernet, IPv4 ip, Arrival packet, Flow after)
    {
        var nextHop = packet.IsToInside || IsNeighbor(after.Destination.Address) ? after.Destination.Address : _gateway;
        if (!Neighbors.TryGet(new NeighborKey(packet.IsToInside, nextHop), frame.Seconds, out var mac))
            Ask(ref frame, nextHop, packet);
        else
        {
            // A packet without ports is a part behind the first, which would set the same again:
            // each begins the time anew.
            if (ip.MoreFragments)
                _fragments?.Set(
                    new FragmentKey(packet.IsFromInside, ip),
                    new FragmentEnds(after.Source.Address, after.Destination.Address),
                    frame.Seconds);
            Rewrite(ip, packet, after);
            ethernet.Destination = mac;
            ethernet.Source = _mac;
            if (!packet.IsToInside) Outbound.Increment();
            else if (packet.IsFromInside) Hairpinned.Increment();
            else Inbound.Increment();
            Send(ref frame, packet);
        }
    }

    /// <summary>
    /// Gives a packet its new ends, and its checksums what follows from that (RFC 1624): a wrong one stays wrong. An
    /// error is from this host if it leaves the inside (RFC 5508 REQ-5), and for whom its quoted packet was from.
    /// </summary>
    private void Rewrite(IPv4 ip, Arrival packet, Flow after)
    {
        // The known part of the change, for a packet to the inside, comes first.
        var taken = packet.IsToInside ? InternetChecksum.Sum(~_outside.Bits) : 0;
        var given = packet.IsToInside ? InternetChecksum.Sum(after.Destination.Address.Bits) : 0;
        var addresses = SourceChange(packet, packet.Flow.Source.Address) + taken + given;
        var ports = Flow.PortChange(packet.Flow, after);
        var checksum = (packet.IsError
                ? ChecksumOfQuoted(ip, after.Source.Protocol)
                : TransportChecksum.Of(ip, after.Source.Protocol))
            .After(addresses, ports);

        ip.HeaderChecksum = InternetChecksum.Update(
            ip.HeaderChecksum, SourceChange(packet, ip.Source) + taken + HopChange + given);
        ip.Ttl--;
        if (packet.IsError)
        {
            RewriteQuoted(ip, after.Reversed, checksum, addresses, ports);
            if (packet.IsFromInside) ip.Source = _outside;
            ip.Destination = after.Destination.Address;
        }
        else
        {
            after.WriteTo(ip);
            checksum.WriteTo(ip);
        }
    }

    private ulong SourceChange(Arrival packet, IPv4Address before) =>
        packet.IsFromInside ? InternetChecksum.Change(before.Bits, _outside.Bits) : 0;

    private static TransportChecksum ChecksumOfQuoted(IPv4 ip, FlowProtocol protocol) =>
        TryParseQuoted(ip, out var quoted) ? TransportChecksum.Of(quoted, protocol) : default;

    /// <summary>Gives the packet that an error quotes its ends, and the error its checksum.</summary>
    private static void RewriteQuoted(IPv4 ip, Flow ends, TransportChecksum checksum, ulong addresses, ulong ports)
    {
        if (!TryParseQuoted(ip, out var quoted)) return;
        ends.WriteTo(quoted);
        checksum.WriteTo(quoted);
        quoted.HeaderChecksum = InternetChecksum.Update(quoted.HeaderChecksum, addresses);
        // Data and the checksum over them change by amounts that cancel out. So in the bytes of the error the change of
        // the quoted IP header cancels, and that of the transport header but for the addresses, which are not in it.
        var change = checksum.CoversAddresses ? InternetChecksum.Back(addresses) : checksum.IsThere ? 0 : ports;
        if (Icmp.TryParse(ip.Payload, out var icmp)) icmp.Checksum = InternetChecksum.Update(icmp.Checksum, change);
    }

    /// <summary>
    /// Turns a frame into the ARP request for the host that it cannot be sent to yet,
    /// once a second (RFC 1122 §2.3.2.1).
    /// </summary>
    private void Ask(ref Frame frame, IPv4Address address, Arrival packet)
    {
        var key = new NeighborKey(packet.IsToInside, address);
        if (_isPassive || _asked.TryGet(key, frame.Seconds, out _))
        {
            Unresolved.Increment();
            return;
        }
        _asked.Set(key, 0, frame.Seconds);
        frame.Resize(ShortestFrame);
        var ethernet =
            new Ethernet(frame) { Destination = MacAddress.Broadcast, Source = _mac, EtherType = EtherType.Arp };
        ethernet.Payload[Arp.Length..].Clear();
        if (!Arp.TryInitialize(ethernet.Payload, out var arp)) return;
        arp.Operation = ArpOperation.Request;
        arp.SenderHardwareAddress = _mac;
        arp.SenderProtocolAddress = OwnAddress(packet.IsToInside);
        arp.TargetProtocolAddress = address;
        ArpRequests.Increment();
        Send(ref frame, packet);
    }

    private static void Send(ref Frame frame, Arrival packet)
    {
        if (packet.IsToInside == packet.IsFromInside) frame.Reply();
        else frame.ForwardTo(packet.IsToInside ? s_insidePort : s_outsidePort);
    }

    private IPv4Address OwnAddress(bool isInside) => isInside ? _inside : _outside;

    private bool IsNeighbor(IPv4Address outside) => ((outside.Bits ^ _outside.Bits) & _outsideMask) == 0;

    private Session SessionOf(Endpoint inside, Endpoint remote) =>
        new(
            inside,
            _filtering == Filtering.AddressDependent ? new Endpoint(remote.Protocol, remote.Address, 0) : remote);

    private bool MayAnswer(Endpoint inside, Endpoint remote, ulong seconds) =>
        _sessions is null || _sessions.TryGet(SessionOf(inside, remote), seconds, out _);

    /// <summary>The 16-bit word of the header that TTL and protocol share.</summary>
    private static ushort TtlWord(IPv4 ip) => (ushort)(ip.Ttl << 8 | (byte)ip.Protocol);

    private static bool IsError(IPv4 ip)
    {
        if (ip.Protocol != IPProtocol.Icmp) return false;
        if (!Icmp.TryParse(ip.Payload, out var icmp)) return false;
        return icmp.Type is IcmpType.DestinationUnreachable or IcmpType.TimeExceeded or IcmpType.ParameterProblem;
    }

    /// <summary>The packet that an error is about. It had no options when it passed here.</summary>
    private static bool TryParseQuoted(IPv4 ip, out IPv4 quoted)
    {
        quoted = default;
        if (!Icmp.TryParse(ip.Payload, out var icmp)) return false;
        if (!IPv4.TryParseQuoted(icmp.Data, out quoted)) return false;
        if (quoted.HeaderLength != IPv4.MinHeaderLength) return false;
        return true;
    }

    /// <summary>
    /// The ends of a packet; of an ICMP error those of the packet that it quotes, seen the way that the error goes.
    /// </summary>
    private static bool TryReadFlow(IPv4 ip, bool isFromInside, out bool isError, out Flow flow)
    {
        isError = IsError(ip);
        if (!isError) return Flow.TryParse(ip, isFromInside, out flow);
        flow = default;
        // It goes to whom it quotes (RFC 1122 §3.2.2); of a damaged header nothing can be said (RFC 5508 REQ-3 a).
        if (!TryParseQuoted(ip, out var quoted)) return false;
        if (quoted.Source != ip.Destination || quoted.FragmentOffset != 0 || !quoted.HasValidHeaderChecksum)
            return false;
        if (!Flow.TryParse(quoted, !isFromInside, out var back)) return false;
        flow = back.Reversed;
        return true;
    }

    /// <summary>True if the header behind that of IP is whole, if it is one of those that are translated.</summary>
    private bool IsWhole(IPv4 ip, out TcpFlags flags)
    {
        flags = TcpFlags.None;
        // A datagram's length is that of all its fragments.
        if (_fragments is not null && ip.MoreFragments && ip.Protocol == IPProtocol.Udp)
            return ip.Payload.Length >= Udp.HeaderLength;
        if (ip.Protocol == IPProtocol.Udp) return Udp.TryParse(ip.Payload, out _);
        if (ip.Protocol == IPProtocol.Icmp) return Icmp.TryParse(ip.Payload, out _);
        if (ip.Protocol != IPProtocol.Tcp) return true;
        if (!Tcp.TryParse(ip.Payload, out var tcp)) return false;
        flags = tcp.Flags;
        return true;
    }

    private static void AtLeast(int value, int least, string name, string source)
    {
        if (value < least) throw new ArgumentOutOfRangeException(name, value, $"at least {least} seconds ({source})");
    }
}
