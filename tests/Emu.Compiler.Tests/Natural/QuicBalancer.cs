using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Balances QUIC (RFC 9000) by its connection ID: the first packet of a connection goes by a hash of its addresses,
/// later ones to the server whose number is in the ID that it gave.
/// </summary>
public sealed class QuicBalancer(
    IPv4Address vip, IPv4Address first, MacAddress mac, MacAddress gateway, int servers = 3) : Service
{
    private const ushort Port = 443;
    private const byte Long = 0x80, Fixed = 0x40;
    private const uint Version1 = 1;

    public Counter Initials { get; } = new();

    public Counter Routed { get; } = new();

    public Counter Refused { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || ip.Protocol != IPProtocol.Udp || ip.IsFragment || !Udp.TryParse(ip.Payload, out var udp))
            return;
        if (ip.Destination != vip || udp.DestinationPort != Port)
        {
            // An answer of a server: it comes from the virtual address.
            udp.UpdateChecksum(ip.SetSource(vip));
            ethernet.Source = mac;
            ethernet.Destination = gateway;
            frame.ForwardTo(new PortId(0));
            return;
        }
        if (!TryChoose(ip, udp, out var server))
        {
            Refused.Increment();
            return;
        }
        udp.UpdateChecksum(ip.SetDestination(new IPv4Address(first.Bits + (uint)server)));
        ethernet.Source = mac;
        ethernet.Destination = new MacAddress(0x0200_0A00_0000ul + (uint)server);
        frame.ForwardTo(new PortId(1 + server));
    }

    private bool TryChoose(IPv4 ip, Udp udp, out int server)
    {
        server = 0;
        var packet = udp.Payload;
        if (packet.Length < 9 || (packet[0] & Fixed) == 0) return false;
        if ((packet[0] & Long) == 0)
        {
            server = packet[1] % servers;
            Routed.Increment();
            return true;
        }
        if (BinaryPrimitives.ReadUInt32BigEndian(packet[1..]) != Version1) return false;
        var idLength = packet[5];
        if (idLength > 20 || packet.Length < 6 + idLength) return false;
        if ((packet[0] & 0x30) == 0)
        {
            // An Initial has an ID that the client has drawn.
            if (packet.Length < 1200 || idLength < 8) return false;
            server = (int)((ip.Source.Bits ^ ip.Source.Bits >> 16 ^ udp.SourcePort) % (uint)servers);
            Initials.Increment();
            return true;
        }
        server = packet[6] % servers;
        Routed.Increment();
        return true;
    }
}
