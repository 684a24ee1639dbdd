namespace Emu.Protocols;

/// <summary>Answers neighbour solicitations for one address (RFC 4861 §7.1.1 and §7.2.4).</summary>
/// <param name="address">The address that it answers for.</param>
/// <param name="mac">The MAC address that it tells.</param>
/// <example><code>
/// if (!NeighborResponder.IsValid(ip, icmp)) Malformed.Increment();
/// else if (!_neighbors.IsForUs(ip, icmp)) NotForUs.Increment();
/// else _neighbors.Advertise(ref frame);
/// </code></example>
public sealed class NeighborResponder(IPv6Address address, MacAddress mac)
{
    /// <summary>Shows that a packet has passed no router (RFC 4861 §7.1.1).</summary>
    private const byte OnLinkHopLimit = 255;

    private const int AdvertisementLength =
        Ethernet.HeaderLength + IPv6.HeaderLength + NeighborAdvertisement.HeaderLength + NeighborDiscoveryOptions.LinkLayerAddressLength;

    private static readonly IPv6Address s_allNodes = new(new UInt128(0xFF02_0000_0000_0000, 1));

    private readonly IPv6Address _solicitedNode = address.SolicitedNode;

    /// <summary>Whether it is a solicitation at all (RFC 4861 §7.1.1), its checksum having been verified.</summary>
    public static bool IsValid(IPv6 ip, Icmpv6 icmp)
    {
        if (ip.HopLimit != OnLinkHopLimit || !NeighborSolicitation.TryParse(icmp, out var solicitation) || solicitation.Target.IsMulticast) return false;

        var hasSource = false;
        var options = solicitation.Options;
        while (options.MoveNext()) hasSource |= options.Type == NeighborDiscoveryOptionType.SourceLinkLayerAddress;
        return !options.IsMalformed && !(ip.Source.IsUnspecified && (hasSource || ip.Destination != solicitation.Target.SolicitedNode));
    }

    /// <summary>Whether a valid solicitation asks for this address.</summary>
    public bool IsForUs(IPv6 ip, Icmpv6 icmp) =>
        NeighborSolicitation.TryParse(icmp, out var solicitation) && solicitation.Target == address
        && (ip.Destination == address || ip.Destination == _solicitedNode);

    /// <summary>Turns a valid solicitation for this address into the advertisement that answers it, and replies with it.</summary>
    public void Advertise(ref Frame frame)
    {
        var asked = new Ethernet(frame);
        var asker = asked.Source;
        var source = IPv6.TryParse(asked.Payload, out var request) ? request.Source : default;
        // Who detects duplicate addresses has none yet: all nodes are told (RFC 4861 §7.2.4).
        var isForAll = source.IsUnspecified;
        var destination = isForAll ? s_allNodes : source;

        frame.Resize(AdvertisementLength);
        var ethernet = new Ethernet(frame) { Destination = isForAll ? s_allNodes.MulticastMac : asker, Source = mac };
        if (!IPv6.TryInitialize(ethernet.Payload, out var ip)) return;
        ip.NextHeader = IPProtocol.Icmpv6;
        ip.HopLimit = OnLinkHopLimit;
        ip.Source = address;
        ip.Destination = destination;

        if (!Icmpv6.TryParse(ip.Payload, out var icmp)) return;
        icmp.Type = Icmpv6Type.NeighborAdvertisement;
        icmp.Code = 0;
        icmp.RestOfHeader = 0;
        if (!NeighborAdvertisement.TryParse(icmp, out var advertisement)) return;
        advertisement.Solicited = !isForAll;
        advertisement.Override = true;
        advertisement.Target = address;
        NeighborDiscoveryOptions.TryWriteLinkLayerAddress(advertisement.OptionBytes, NeighborDiscoveryOptionType.TargetLinkLayerAddress, mac);
        icmp.WriteChecksum(ip);
        frame.Reply();
    }
}
