namespace Emu.Protocols;

/// <summary>Answers ARP requests for one address (RFC 826, Packet Reception).</summary>
/// <param name="address">The address that it answers for.</param>
/// <param name="mac">The MAC address that it tells.</param>
/// <example><code>
/// if (!Arp.TryParse(ethernet.Payload, out var arp) || !ArpResponder.IsValid(arp)) Malformed.Increment();
/// else if (!_arp.IsForUs(arp)) NotForUs.Increment();
/// else _arp.Answer(ref frame, arp);
/// </code></example>
public sealed class ArpResponder(IPv4Address address, MacAddress mac)
{
    /// <summary>True if an answer could be sent to the packet's sender.</summary>
    public static bool IsValid(Arp arp) => !arp.SenderHardwareAddress.IsGroup;

    /// <summary>True if a valid packet asks for this address.</summary>
    public bool IsForUs(Arp arp) => arp.Operation == ArpOperation.Request && arp.TargetProtocolAddress == address;

    /// <summary>Turns a valid request for this address into its reply, and replies with it.</summary>
    /// <param name="frame">The request.</param>
    /// <param name="arp">The packet in it.</param>
    public void Answer(ref Frame frame, Arp arp)
    {
        arp.Operation = ArpOperation.Reply;
        arp.TargetHardwareAddress = arp.SenderHardwareAddress;
        arp.TargetProtocolAddress = arp.SenderProtocolAddress;
        arp.SenderHardwareAddress = mac;
        arp.SenderProtocolAddress = address;
        var ethernet = new Ethernet(frame);
        ethernet.Destination = arp.TargetHardwareAddress;
        ethernet.Source = mac;
        frame.Reply();
    }
}
