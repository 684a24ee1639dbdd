using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Reflects multicast DNS (RFC 6762) between networks on its ports: what asks for or announces printers or speakers
/// goes to the others, from an address of our own there; what we reflected ourselves does not come round again.
/// </summary>
public sealed class MdnsReflector(MacAddress mac, IPv4Address[] addresses) : Service
{
    private const ushort Port = 5353;
    private const int Ports = 4;

    private static readonly IPv4Address s_group = IPv4Address.Parse("224.0.0.251");

    public Counter Reflected { get; } = new();

    public Counter Own { get; } = new();

    public Counter Unwanted { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Destination != s_group || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)
            || udp.DestinationPort != Port || !Dns.TryParse(udp.Payload, out var dns))
            return;
        for (var i = 0; i < Ports; i++)
        {
            if (ip.Source == addresses[i])
            {
                Own.Increment();
                return;
            }
        }
        if (dns.Payload.IndexOf("\x04_ipp"u8) < 0 && dns.Payload.IndexOf("\x0b_googlecast"u8) < 0
            && dns.Payload.IndexOf("\x05_raop"u8) < 0)
        {
            Unwanted.Increment();
            return;
        }
        ethernet.Source = mac;
        ip.Ttl = 255;
        for (var port = 0; port < Ports; port++)
        {
            if (port == frame.Ingress.Index) continue;
            ip.Source = addresses[port];
            ip.WriteHeaderChecksum();
            udp.WriteChecksum(ip);
            frame.Send(PortSet.Of(new PortId(port)));
        }
        Reflected.Increment();
    }
}
