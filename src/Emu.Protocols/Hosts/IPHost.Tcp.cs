namespace Emu.Protocols;

/// <content>TCP, over both families.</content>
public sealed partial class IPHost
{
    /// <summary>RFC 9293 §3.1: a segment has a checksum. Its options are its application's matter.</summary>
    private bool ReceiveSegment(ref Frame frame, IPv4 ip)
    {
        if (!AreOptionsAccepted(ip.Options)) return false;
        if (!Protocols.Tcp.TryParse(ip.Payload, out var tcp)) return Refuse(Counters.Malformed);
        if (!tcp.HasValidChecksum(ip)) return Refuse(Counters.BadChecksum);
        _tcp!.Receive(ref frame, new TcpSegment(tcp, ip.Source.Bits, ip.Destination.Bits, _tcpReply));
        return true;
    }

    /// <summary>The same, behind extension headers: no answer repeats one.</summary>
    private bool ReceiveSegment6(ref Frame frame, Ethernet ethernet, IPv6 ip)
    {
        var extensions = ip.Extensions;
        if (!AreExtensionsAccepted(ref extensions)) return false;
        if (extensions.NextHeader != IPProtocol.Tcp) return Refuse(Counters.NotForUs);
        if (ethernet.Destination.IsGroup || ip.Destination.IsMulticast) return Refuse(Counters.ToGroup);
        if (!_neighbors!.IsOwn(ip.Destination)) return Refuse(Counters.NotForUs);
        if (ip.Source.IsUnspecified) return Refuse(Counters.Malformed);
        if (!Protocols.Tcp.TryParse(extensions.Payload, out var tcp)) return Refuse(Counters.Malformed);
        if (!tcp.HasValidChecksum(ip)) return Refuse(Counters.BadChecksum);
        var reply = ip.Destination == Address6 ? _tcpReply6 : _tcpReplyLinkLocal;
        _tcp!.Receive(ref frame, new TcpSegment(tcp, ip.Source.Bits, ip.Destination.Bits, reply!));
        return true;
    }
}
