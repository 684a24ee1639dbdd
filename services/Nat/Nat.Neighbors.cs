using Emu.Protocols;

namespace Emu.Services;

/// <content>Hosts on either side, and what is asked and told of their MAC addresses.</content>
public sealed partial class Nat
{
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

    private bool IsNeighbor(IPv4Address outside) => ((outside.Bits ^ _outside.Bits) & _outsideMask) == 0;

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
        frame.Resize(Ethernet.MinFrameLength);
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
}
