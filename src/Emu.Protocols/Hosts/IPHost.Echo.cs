namespace Emu.Protocols;

/// <content>Echo over IPv6.</content>
public sealed partial class IPHost
{
    /// <summary>RFC 4443 §4.2.</summary>
    private bool ReceiveEcho6(ref Frame frame, Ethernet ethernet, IPv6 ip, Icmpv6 icmp)
    {
        if (ethernet.Destination.IsGroup || ip.Destination.IsMulticast) return Refuse(Counters.ToGroup);
        if (!_neighbors!.IsOwn(ip.Destination)) return Refuse(Counters.NotForUs);
        if (ip.Source.IsUnspecified) return Refuse(Counters.Malformed);

        _responder.MakeReply(ethernet, ip, icmp);
        _echo!.Send(ref frame, isIPv6: true);
        return true;
    }
}
