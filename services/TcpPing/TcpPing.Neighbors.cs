using Emu.Protocols;

namespace Emu.Services;

/// <content>ARP and neighbour discovery.</content>
public sealed partial class TcpPing
{
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

    /// <summary>RFC 4861 §7.1.1.</summary>
    private void AnswerSolicitation(ref Frame frame, IPv6 ip)
    {
        if (!Icmpv6.TryParse(ip.Payload, out var icmp)) Malformed.Increment();
        else if (!icmp.HasValidChecksum(ip)) BadChecksum.Increment();
        else if (icmp.Type != Icmpv6Type.NeighborSolicitation) NotForUs.Increment();
        else if (!NeighborResponder.IsValid(ip, icmp)) Malformed.Increment();
        else if (!_neighbors!.IsForUs(ip, icmp)) NotForUs.Increment();
        else
        {
            _neighbors.Advertise(ref frame);
            NeighborAdvertisements.Increment();
        }
    }
}
