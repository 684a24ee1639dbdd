using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// A host that answers ping: ARP (RFC 826) and ICMP echo (RFC 792), and with an IPv6 address neighbour discovery
/// (RFC 4861) and ICMPv6 echo (RFC 4443).
/// </summary>
/// <remarks>
/// <para>A reply leaves by the port that its request came from, with all its data and its options; its TTL is fresh.
/// Whatever is not answered is dropped and counted.</para>
/// <para>A reply's Record Route and Timestamp options have an entry for this host, of the time at which the request
/// arrived (RFC 1122 §3.2.2.6). A request with a source route is dropped (RFC 7126 §4.3, §4.4), as Linux drops it
/// unless <c>accept_source_route</c> is set.</para>
/// <para>With an IPv6 address it has a second one, link-local, made of its MAC address (RFC 4291 §2.8), and answers for
/// both.</para>
/// <para>Not done: reassembly, so fragments are dropped; requests to broadcast or multicast addresses; duplicate
/// address detection; IPv6 extension headers; ICMP errors.</para>
/// </remarks>
/// <example>--address 10.0.0.2 --mac 02:00:00:00:00:02 --address6 fd00::2</example>
/// <param name="address">The host's IPv4 address.</param>
/// <param name="mac">The host's MAC address; when absent 02:00 and the IPv4 address, so that hosts differ.</param>
/// <param name="address6">The host's IPv6 address, beside a link-local one; when absent it has neither.</param>
public sealed class IcmpEcho(IPv4Address address, MacAddress mac = default, IPv6Address address6 = default) : Service
{
    /// <summary>
    /// The TTL of a reply: the default that RFC 1122 §3.2.1.7 asks for, as recommended since RFC 1700.
    /// </summary>
    private const byte FreshTtl = 64;

    private readonly MacAddress _mac = OwnMac(mac, address);
    private readonly ArpResponder _arp = new(address, OwnMac(mac, address));
    private readonly EchoOptions _options = new(address);
    private readonly NeighborResponder? _neighbors = address6.IsUnspecified
        ? null
        : new NeighborResponder(address6, OwnMac(mac, address), IPv6Address.LinkLocal(OwnMac(mac, address)));

    /// <summary>ARP requests answered.</summary>
    public Counter ArpReplies { get; } = new();

    /// <summary>ICMP echo requests answered.</summary>
    public Counter EchoReplies { get; } = new();

    /// <summary>ICMPv6 echo requests answered.</summary>
    public Counter EchoReplies6 { get; } = new();

    /// <summary>Neighbour solicitations answered.</summary>
    public Counter NeighborAdvertisements { get; } = new();

    /// <summary>Dropped: for another host, or nothing that this one answers.</summary>
    public Counter NotForUs { get; } = new();

    /// <summary>Dropped: IP packets to a broadcast or multicast address (RFC 1122 §3.2.2.6 allows it).</summary>
    public Counter ToGroup { get; } = new();

    /// <summary>Dropped: parts of a datagram, which is never put together here.</summary>
    public Counter Fragments { get; } = new();

    /// <summary>Dropped: a checksum is wrong.</summary>
    public Counter BadChecksum { get; } = new();

    /// <summary>
    /// Dropped: cut off, a field that contradicts another, a source route, or a source that cannot be answered
    /// (RFC 1122 §3.2.1.3; RFC 4291 §2.5.3).
    /// </summary>
    public Counter Malformed { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.Source.IsGroup) Malformed.Increment();
        else if (ethernet.Destination != _mac && ethernet.Destination.IsIndividual) NotForUs.Increment();
        else if (ethernet.EtherType == EtherType.Arp) AnswerArp(ref frame, ethernet);
        else if (ethernet.EtherType == EtherType.IPv4) AnswerIPv4(ref frame, ethernet);
        else if (ethernet.EtherType == EtherType.IPv6 && _neighbors is not null) AnswerIPv6(ref frame, ethernet);
        else NotForUs.Increment();
    }

    /// <summary>RFC 826, Packet Reception.</summary>
    private void AnswerArp(ref Frame frame, Ethernet ethernet)
    {
        if (!Arp.TryParse(ethernet.Payload, out var arp) || !ArpResponder.IsValid(arp)) Malformed.Increment();
        else if (!_arp.IsForUs(arp)) NotForUs.Increment();
        else
        {
            _arp.Answer(ref frame, arp);
            ArpReplies.Increment();
        }
    }

    /// <summary>RFC 1122 §3.2.1 on the packet, then §3.2.2.6 on the message.</summary>
    private void AnswerIPv4(ref Frame frame, Ethernet ethernet)
    {
        if (!IPv4.TryParse(ethernet.Payload, out var ip)) Malformed.Increment();
        else if (!ip.HasValidHeaderChecksum) BadChecksum.Increment();
        else if (ethernet.Destination.IsGroup || ip.Destination.IsMulticast || ip.Destination.IsBroadcast)
            ToGroup.Increment();
        else if (ip.Destination != address) NotForUs.Increment();
        else if (!ip.Source.CanBeSource || ip.Source == address) Malformed.Increment();
        else if (ip.IsFragment) Fragments.Increment();
        else if (ip.Protocol != IPProtocol.Icmp) NotForUs.Increment();
        else if (!Icmp.TryParse(ip.Payload, out var icmp)) Malformed.Increment();
        else if (!icmp.HasValidChecksum) BadChecksum.Increment();
        else if (icmp.Type != IcmpType.EchoRequest || icmp.Code != 0) NotForUs.Increment();
        else if (ip.HeaderLength != IPv4.MinHeaderLength && !_options.TryUpdate(ip, frame.Time)) Malformed.Increment();
        else
        {
            var hasOptions = ip.HeaderLength != IPv4.MinHeaderLength;
            icmp.Type = IcmpType.EchoReply;
            icmp.Checksum = InternetChecksum.Update(
                icmp.Checksum, (ushort)IcmpType.EchoRequest << 8, (ushort)IcmpType.EchoReply << 8);
            // The sum does not change when the addresses change places.
            if (!hasOptions)
                ip.HeaderChecksum = InternetChecksum.Update(ip.HeaderChecksum, TtlWord(ip.Ttl), TtlWord(FreshTtl));
            ip.Ttl = FreshTtl;
            ip.Destination = ip.Source;
            ip.Source = address;
            if (hasOptions) ip.WriteHeaderChecksum();
            ethernet.Destination = ethernet.Source;
            ethernet.Source = _mac;
            EchoReplies.Increment();
            frame.Reply();
        }
    }

    /// <summary>RFC 4443 §4.2 on echo; a solicitation is the responder's.</summary>
    private void AnswerIPv6(ref Frame frame, Ethernet ethernet)
    {
        if (!IPv6.TryParse(ethernet.Payload, out var ip) || !MayBeFrom(ip.Source)) Malformed.Increment();
        else if (ip.NextHeader == IPProtocol.Fragment) Fragments.Increment();
        else if (ip.NextHeader != IPProtocol.Icmpv6) NotForUs.Increment();
        else if (!Icmpv6.TryParse(ip.Payload, out var icmp)) Malformed.Increment();
        else if (!icmp.HasValidChecksum(ip)) BadChecksum.Increment();
        else if (icmp.Type == Icmpv6Type.NeighborSolicitation)
        {
            if (!NeighborResponder.IsValid(ip, icmp)) Malformed.Increment();
            else if (!_neighbors!.IsForUs(ip, icmp)) NotForUs.Increment();
            else
            {
                _neighbors.Advertise(ref frame);
                NeighborAdvertisements.Increment();
            }
        }
        else if (icmp.Type != Icmpv6Type.EchoRequest || icmp.Code != 0) NotForUs.Increment();
        else if (ethernet.Destination.IsGroup || ip.Destination.IsMulticast) ToGroup.Increment();
        else if (!_neighbors!.IsOwn(ip.Destination)) NotForUs.Increment();
        else if (ip.Source.IsUnspecified) Malformed.Increment();
        else
        {
            icmp.Type = Icmpv6Type.EchoReply;
            icmp.Checksum = InternetChecksum.Update(
                icmp.Checksum, (ushort)Icmpv6Type.EchoRequest << 8, (ushort)Icmpv6Type.EchoReply << 8);
            ip.HopLimit = FreshTtl;
            (ip.Source, ip.Destination) = (ip.Destination, ip.Source);
            ethernet.Destination = ethernet.Source;
            ethernet.Source = _mac;
            EchoReplies6.Increment();
            frame.Reply();
        }
    }

    /// <summary>
    /// True if a packet may come in with this source:
    /// not from a group (RFC 4291 §2.7), from loopback (§2.5.3), or from this host itself.
    /// </summary>
    private bool MayBeFrom(IPv6Address source) =>
        !source.IsMulticast && !source.IsLoopback && !_neighbors!.IsOwn(source);

    private static MacAddress OwnMac(MacAddress mac, IPv4Address address) =>
        mac == default ? MacAddress.Of(address) : mac;

    /// <summary>The 16-bit word of the header that TTL and protocol share.</summary>
    private static ushort TtlWord(byte ttl) => (ushort)(ttl << 8 | (byte)IPProtocol.Icmp);
}
