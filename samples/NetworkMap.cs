using System.ComponentModel.DataAnnotations;
using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Gives each host of a network inside the address outside that ends alike, and back: basic NAT between two networks of
/// one size (RFC 3022 §2.1), as the target NETMAP of iptables does.
/// </summary>
/// <remarks>
/// Port 0 is inside, port 1 outside; it is a bridge, so ARP is translated, too. Fragments are dropped, and protocols
/// that carry addresses in their data are not helped.
/// </remarks>
/// <example>--inside 10.0.0.0 --outside 192.0.2.0 --prefix 24</example>
/// <param name="inside">The network inside.</param>
/// <param name="outside">The network outside.</param>
/// <param name="prefix">The bits of their prefixes.</param>
[LineRate(gigabits: 40)]
public sealed class NetworkMap(IPv4Address inside, IPv4Address outside, [Range(1, 31)] int prefix = 24) : Service
{
    private static readonly PortId s_inside = new(0);
    private static readonly PortId s_outside = new(1);

    private readonly uint _hostMask = uint.MaxValue >> prefix;

    /// <summary>Packets and ARP sent outside.</summary>
    public Counter Outbound { get; } = new();

    /// <summary>Packets and ARP sent inside.</summary>
    public Counter Inbound { get; } = new();

    /// <summary>Frames dropped: from or to nobody in the networks, fragments, or neither IPv4 nor ARP.</summary>
    public Counter Ignored { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_inside && TryMap(frame, isOutbound: true))
        {
            Outbound.Increment();
            frame.ForwardTo(s_outside);
        }
        else if (frame.Ingress == s_outside && TryMap(frame, isOutbound: false))
        {
            Inbound.Increment();
            frame.ForwardTo(s_inside);
        }
        else Ignored.Increment();
    }

    private bool TryMap(Frame frame, bool isOutbound)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.Arp && Arp.TryParse(ethernet.Payload, out var arp))
            return TryMap(arp, isOutbound);
        return ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && !ip.IsFragment && TryMap(ip, isOutbound);
    }

    private bool TryMap(Arp arp, bool isOutbound)
    {
        var address = isOutbound ? arp.SenderProtocolAddress : arp.TargetProtocolAddress;
        if (!IsMapped(address, isOutbound)) return false;
        if (isOutbound) arp.SenderProtocolAddress = Mapped(address, outside);
        else arp.TargetProtocolAddress = Mapped(address, inside);
        return true;
    }

    private bool TryMap(IPv4 ip, bool isOutbound)
    {
        if (!IsMapped(isOutbound ? ip.Source : ip.Destination, isOutbound)) return false;
        var change = isOutbound
            ? ip.SetSource(Mapped(ip.Source, outside))
            : ip.SetDestination(Mapped(ip.Destination, inside));
        if (ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp)) udp.UpdateChecksum(change);
        if (ip.Protocol == IPProtocol.Tcp && Tcp.TryParse(ip.Payload, out var tcp)) tcp.UpdateChecksum(change);
        return true;
    }

    private bool IsMapped(IPv4Address address, bool isOutbound) =>
        ((address.Bits ^ (isOutbound ? inside : outside).Bits) & ~_hostMask) == 0;

    private IPv4Address Mapped(IPv4Address address, IPv4Address network) =>
        new(network.Bits & ~_hostMask | address.Bits & _hostMask);
}
