using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// An end of a tunnel by GRE (RFC 2784) with checksums: packets from inside get outer headers, those of the other end
/// lose theirs if their checksum is right.
/// </summary>
public sealed class GreTunnel(IPv4Address own, IPv4Address peer, MacAddress mac, MacAddress gateway, MacAddress host)
    : Service
{
    private const int Headers = 20 + 8;

    public Counter Sent { get; } = new();

    public Counter Received { get; } = new();

    public Counter Damaged { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        if (frame.Ingress.Index == 0) Send(ref frame, ip.TotalLength);
        else if (ip.Source == peer && ip.Destination == own && ip.Protocol == IPProtocol.Gre)
            Receive(ref frame, ip);
    }

    private void Send(ref Frame frame, int length)
    {
        frame.Resize(Ethernet.HeaderLength + length);
        frame.Insert(Ethernet.HeaderLength, Headers);
        var ethernet = new Ethernet(frame) { Source = mac, Destination = gateway };
        if (!IPv4.TryInitialize(ethernet.Payload, out var outer)) return;
        outer.Ttl = 64;
        outer.Protocol = IPProtocol.Gre;
        outer.Source = own;
        outer.Destination = peer;
        outer.WriteHeaderChecksum();
        if (!Gre.TryInitialize(outer.Payload, hasChecksum: true, hasKey: false, hasSequenceNumber: false, out var gre))
            return;
        gre.EtherType = EtherType.IPv4;
        gre.WriteChecksum();
        Sent.Increment();
        frame.ForwardTo(new PortId(1));
    }

    private void Receive(ref Frame frame, IPv4 ip)
    {
        if (!Gre.TryParse(ip.Payload, out var gre) || gre.EtherType != EtherType.IPv4) return;
        if (!gre.HasValidChecksum)
        {
            Damaged.Increment();
            return;
        }
        var header = ip.HeaderLength + gre.HeaderLength;
        frame.Resize(Ethernet.HeaderLength + ip.TotalLength);
        frame.Remove(Ethernet.HeaderLength, header);
        _ = new Ethernet(frame) { Source = mac, Destination = host };
        Received.Increment();
        frame.ForwardTo(new PortId(0));
    }
}
