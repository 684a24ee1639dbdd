using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>Echoes datagrams in upper case.</summary>
public sealed class UpperEcho(IPv4Address address, MacAddress mac) : Service
{
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.Destination != mac || ethernet.EtherType != EtherType.IPv4
            || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.Destination != address
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp) || udp.DestinationPort != 7)
            return;
        var text = udp.Payload;
        for (var i = 0; i < text.Length; i++)
            if (text[i] >= 'a' && text[i] <= 'z') text[i] -= 32;
        (ethernet.Source, ethernet.Destination) = (ethernet.Destination, ethernet.Source);
        (ip.Source, ip.Destination) = (ip.Destination, ip.Source);
        (udp.SourcePort, udp.DestinationPort) = (udp.DestinationPort, udp.SourcePort);
        udp.WriteChecksum(ip);
        frame.Reply();
    }
}
