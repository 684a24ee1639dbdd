using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// One end of a tunnel through an IPv4 network (RFC 7348): frames from port 0 leave by port 1 in UDP, and those that
/// come in it leave by port 0.
/// </summary>
/// <remarks>
/// The way to the other end is given; nobody is asked for it. Frames that do not fit into a packet are dropped, and so
/// is what comes by port 1 and is not of this tunnel.
/// </remarks>
/// <example>--mac 02:00:00:00:00:01 --address 10.0.0.1 --peer 10.0.0.2 --peer-mac 02:00:00:00:00:02</example>
/// <param name="mac">The MAC address of this end.</param>
/// <param name="address">The IPv4 address of this end.</param>
/// <param name="peer">The IPv4 address of the other end.</param>
/// <param name="peerMac">The MAC address of the other end, or of the router to it.</param>
/// <param name="vni">The VXLAN network identifier, 24 bits.</param>
/// <param name="mtu">The bytes of the longest packet on the way between the ends.</param>
public sealed class VxlanTunnel(
    MacAddress mac, IPv4Address address, IPv4Address peer, MacAddress peerMac, uint vni = 1, int mtu = 1500) : Service
{
    private const int PacketHeaders = IPv4.MinHeaderLength + Udp.HeaderLength + Vxlan.HeaderLength;
    private const int Headers = Ethernet.HeaderLength + PacketHeaders;

    private static readonly PortId s_inside = new(0), s_network = new(1);

    /// <summary>Frames sent into the tunnel.</summary>
    public Counter Sent { get; } = new();

    /// <summary>Frames taken out of it.</summary>
    public Counter Received { get; } = new();

    /// <summary>Frames dropped: too long, or not of this tunnel.</summary>
    public Counter Dropped { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_network) Unwrap(ref frame);
        else if (frame.Length <= mtu - PacketHeaders) Wrap(ref frame);
        else Dropped.Increment();
    }

    private void Wrap(ref Frame frame)
    {
        var inside = new Ethernet(frame);
        // Frames of two stations take one way through the network (RFC 7348 §5).
        var flow = inside.Source.Bits ^ inside.Destination.Bits;
        frame.Insert(0, Headers);

        var ethernet = new Ethernet(frame);
        ethernet.Destination = peerMac;
        ethernet.Source = mac;
        ethernet.EtherType = EtherType.IPv4;
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        ip.Ttl = IPv4.DefaultTtl;
        ip.Protocol = IPProtocol.Udp;
        ip.Source = address;
        ip.Destination = peer;
        ip.WriteHeaderChecksum();
        // Without a checksum, as is usual for tunnels over IPv4 (RFC 7348 §5).
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        udp.SourcePort = (ushort)(0xC000 | (flow ^ flow >> 14) & 0x3FFF);
        udp.DestinationPort = Vxlan.Port;
        if (!Vxlan.TryInitialize(udp.Payload, out var vxlan)) return;
        vxlan.Vni = vni;
        frame.ForwardTo(s_network);
        Sent.Increment();
    }

    private void Unwrap(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.Destination != mac || ethernet.EtherType != EtherType.IPv4
            || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.HeaderLength != IPv4.MinHeaderLength
            || !ip.HasValidHeaderChecksum || ip.Source != peer || ip.Destination != address || ip.IsFragment
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)
            || udp.DestinationPort != Vxlan.Port || !Vxlan.TryParse(udp.Payload, out var vxlan)
            || !vxlan.HasVni || vxlan.Vni != vni)
        {
            Dropped.Increment();
            return;
        }
        var length = vxlan.Payload.Length;
        frame.Remove(0, Headers);
        frame.Resize(length);
        frame.ForwardTo(s_inside);
        Received.Increment();
    }
}
