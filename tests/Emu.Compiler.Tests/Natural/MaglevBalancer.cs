using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Spreads connections to a virtual address over servers by a table of hashes, in IP in IP (RFC 2003).
/// </summary>
public sealed class MaglevBalancer(
    IPv4Address vip, IPv4Address address, MacAddress mac, MacAddress gateway, int servers = 8) : Service
{
    private readonly H3Hash _hash = new(104, 10, 99);
    private readonly IPv4Address[] _table = MakeTable(servers);

    public Counter Balanced { get; } = new();

    public Counter TooLong { get; } = new();

    private static IPv4Address[] MakeTable(int servers)
    {
        var table = new IPv4Address[1024];
        for (var i = 0; i < table.Length; i++) table[i] = new IPv4Address(0x0A010000u + (uint)(i * 7 % servers));
        return table;
    }

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        if (ip.Destination != vip || ip.FragmentOffset != 0) return;
        ushort sourcePort = 0, destinationPort = 0;
        if (ip.Protocol == IPProtocol.Tcp && Tcp.TryParse(ip.Payload, out var tcp))
            (sourcePort, destinationPort) = (tcp.SourcePort, tcp.DestinationPort);
        else if (ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp))
            (sourcePort, destinationPort) = (udp.SourcePort, udp.DestinationPort);
        if (ip.TotalLength > 1480)
        {
            TooLong.Increment();
            return;
        }
        var key = (UInt128)ip.Source.Bits << 72 | (UInt128)ip.Destination.Bits << 40
            | (UInt128)(byte)ip.Protocol << 32 | (UInt128)sourcePort << 16 | destinationPort;
        var server = _table[_hash.Index(key)];
        var length = ip.TotalLength;
        var dscp = ip.Dscp;
        frame.Resize(14 + length);
        frame.Insert(14, 20);
        ethernet = new Ethernet(frame);
        ethernet.Source = mac;
        ethernet.Destination = gateway;
        if (!IPv4.TryInitialize(ethernet.Payload, out var outer)) return;
        outer.Dscp = dscp;
        outer.Ttl = 64;
        outer.Protocol = (IPProtocol)4;
        outer.Source = address;
        outer.Destination = server;
        outer.WriteHeaderChecksum();
        frame.ForwardTo(new PortId(1));
        Balanced.Increment();
    }
}
