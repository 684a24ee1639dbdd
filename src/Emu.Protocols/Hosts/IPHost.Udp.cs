namespace Emu.Protocols;

/// <content>UDP, over both families.</content>
public sealed partial class IPHost
{
    /// <summary>RFC 1122 §4.1.3.</summary>
    private bool ReceiveDatagram(ref Frame frame, IPv4 ip)
    {
        if (!Protocols.Udp.TryParse(ip.Payload, out var udp)) return Refuse(Counters.Malformed);
        if (!udp.HasValidChecksum(ip)) return Refuse(Counters.BadChecksum);
        if (!IsOpen(udp.DestinationPort)) return Refuse(Counters.NotForUs);
        if (!AreOptionsAccepted(ip.Options)) return false;

        var datagram = new UdpDatagram(udp, isIPv6: false);
        if (ip.HeaderLength != IPv4.MinHeaderLength)
            frame.Remove(Ethernet.HeaderLength + IPv4.MinHeaderLength, ip.HeaderLength - IPv4.MinHeaderLength);
        return Deliver(ref frame, datagram);
    }

    /// <summary>RFC 8200 §8.1: a datagram has a checksum.</summary>
    private bool ReceiveDatagram6(ref Frame frame, Ethernet ethernet, IPv6 ip)
    {
        if (ethernet.Destination.IsGroup || ip.Destination.IsMulticast) return Refuse(Counters.ToGroup);
        if (!_neighbors!.IsOwn(ip.Destination)) return Refuse(Counters.NotForUs);
        if (ip.Source.IsUnspecified) return Refuse(Counters.Malformed);
        if (!Protocols.Udp.TryParse(ip.Payload, out var udp)) return Refuse(Counters.Malformed);
        if (!udp.HasValidChecksum(ip)) return Refuse(Counters.BadChecksum);
        if (!IsOpen(udp.DestinationPort)) return Refuse(Counters.NotForUs);
        return Deliver(ref frame, new UdpDatagram(udp, isIPv6: true));
    }

    private bool Deliver(ref Frame frame, UdpDatagram datagram)
    {
        foreach (var socket in _sockets)
        {
            if (socket.Port != datagram.DestinationPort) continue;
            socket.Application.Receive(ref frame, datagram);
            break;
        }
        return true;
    }

    private bool IsOpen(ushort port)
    {
        var isOpen = false;
        foreach (var socket in _sockets) isOpen |= socket.Port == port;
        return isOpen;
    }
}
