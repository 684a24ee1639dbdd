namespace Emu.Protocols;

/// <summary>Answers neighbour solicitations for the addresses of an interface (RFC 4861 §7.1.1 and §7.2.4).</summary>
/// <param name="address">The address that it answers for.</param>
/// <param name="mac">The MAC address that it tells.</param>
/// <param name="others">Further addresses, such as the link-local one.</param>
/// <example><code>
/// if (!NeighborResponder.IsValid(ip, icmp)) Malformed.Increment();
/// else if (!_neighbors.IsForUs(ip, icmp)) NotForUs.Increment();
/// else _neighbors.Advertise(ref frame);
/// </code></example>
public sealed class NeighborResponder(IPv6Address address, MacAddress mac, params IPv6Address[] others)
{
    /// <summary>Shows that a packet has passed no router (RFC 4861 §7.1.1).</summary>
    private const byte OnLinkHopLimit = 255;

    private const int AdvertisementLength =
        Ethernet.HeaderLength + IPv6.HeaderLength + NeighborAdvertisement.HeaderLength
        + NeighborDiscoveryOptions.LinkLayerAddressLength;

    private static readonly IPv6Address s_allNodes = new(new UInt128(0xFF02_0000_0000_0000, 1));

    private readonly IPv6Address[] _addresses = [address, .. others];

    /// <summary>
    /// True if the message is a valid solicitation (RFC 4861 §7.1.1), its checksum having been verified.
    /// </summary>
    public static bool IsValid(IPv6 ip, Icmpv6 icmp)
    {
        if (ip.HopLimit != OnLinkHopLimit || !NeighborSolicitation.TryParse(icmp, out var solicitation)
            || solicitation.Target.IsMulticast)
            return false;

        var hasSource = false;
        var options = solicitation.Options;
        while (options.MoveNext()) hasSource |= options.Type == NeighborDiscoveryOptionType.SourceLinkLayerAddress;
        return !options.IsMalformed
            && !(ip.Source.IsUnspecified && (hasSource || ip.Destination != solicitation.Target.SolicitedNode));
    }

    /// <summary>True if an address is one of those that it answers for.</summary>
    public bool IsOwn(IPv6Address candidate)
    {
        var isOwn = false;
        foreach (var own in _addresses) isOwn |= candidate == own;
        return isOwn;
    }

    /// <summary>
    /// True if a valid solicitation asks for one of the addresses,
    /// by whatever destination reaches this node (RFC 4291 §2.8).
    /// </summary>
    public bool IsForUs(IPv6 ip, Icmpv6 icmp) =>
        NeighborSolicitation.TryParse(icmp, out var solicitation) && IsOwn(solicitation.Target)
        && (IsOwn(ip.Destination) || ip.Destination == s_allNodes || IsSolicitedNode(ip.Destination));

    /// <summary>Turns a solicitation that is valid and for us into its advertisement, and replies with it.</summary>
    [Cold]
    public void Advertise(ref Frame frame)
    {
        var asked = new Ethernet(frame);
        var asker = asked.Source;
        if (!IPv6.TryParse(asked.Payload, out var request)) return;
        if (!Icmpv6.TryParse(request.Payload, out var question)) return;
        if (!NeighborSolicitation.TryParse(question, out var solicitation)) return;
        var (source, target) = (request.Source, solicitation.Target);
        // Who detects duplicate addresses has none yet: all nodes are told (RFC 4861 §7.2.4).
        var isForAll = source.IsUnspecified;
        var destination = isForAll ? s_allNodes : source;

        frame.Resize(AdvertisementLength);
        var ethernet = new Ethernet(frame) { Destination = isForAll ? s_allNodes.MulticastMac : asker, Source = mac };
        if (!IPv6.TryInitialize(ethernet.Payload, out var ip)) return;
        ip.NextHeader = IPProtocol.Icmpv6;
        ip.HopLimit = OnLinkHopLimit;
        ip.Source = target;
        ip.Destination = destination;

        if (!Icmpv6.TryParse(ip.Payload, out var icmp)) return;
        icmp.Type = Icmpv6Type.NeighborAdvertisement;
        icmp.Code = 0;
        icmp.RestOfHeader = 0;
        if (!NeighborAdvertisement.TryParse(icmp, out var advertisement)) return;
        advertisement.Solicited = !isForAll;
        advertisement.Override = true;
        advertisement.Target = target;
        NeighborDiscoveryOptions.TryWriteLinkLayerAddress(
            advertisement.OptionBytes, NeighborDiscoveryOptionType.TargetLinkLayerAddress, mac);
        icmp.WriteChecksum(ip);
        frame.Reply();
    }

    private bool IsSolicitedNode(IPv6Address group)
    {
        var isSolicitedNode = false;
        foreach (var own in _addresses) isSolicitedNode |= group == own.SolicitedNode;
        return isSolicitedNode;
    }
}
