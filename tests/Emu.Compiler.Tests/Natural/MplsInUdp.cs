using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Carries MPLS through a network of IP that knows none: labelled packets from the inside go out in UDP, plain ones of
/// some prefixes get a label before, and what comes back is unpacked (RFC 7510 §3; RFC 3032 for the stack;
/// RFC 6790 §4.2 for the entropy in the source port; RFC 6040 for congestion marks).
/// </summary>
/// <remarks>Port 0 is the inside, port 1 the network between.</remarks>
/// <param name="mac">The address of this end.</param>
/// <param name="address">Its IP address.</param>
/// <param name="peer">The other end.</param>
/// <param name="gateway">The MAC address of the way there.</param>
/// <param name="router">The MAC address of the router inside.</param>
/// <param name="routes">The labels of plain packets, as in <c>10.1.0.0/16=100</c>.</param>
public sealed class MplsInUdp(
    MacAddress mac, IPv4Address address, IPv4Address peer, MacAddress gateway, MacAddress router, string[] routes)
    : Service
{
    private const EtherType Mpls = (EtherType)0x8847;
    private const ushort Port = 6635, FirstEntropy = 49152;
    private const int Outer = IPv4.MinHeaderLength + Udp.HeaderLength, LabelLength = 4, MostLabels = 6;
    private const uint Bottom = 0x100, ExplicitNull = 0;

    private static readonly PortId s_inside = new(0), s_outside = new(1);

    private readonly PrefixTable<IPv4Address, uint> _labels = new(routes.Select(ParseRoute));

    /// <summary>Packets that went out.</summary>
    public Counter Encapsulated { get; } = new();

    /// <summary>Packets that came in.</summary>
    public Counter Decapsulated { get; } = new();

    /// <summary>Packets dropped: no route, or not for us.</summary>
    public Counter Unroutable { get; } = new();

    /// <summary>Packets dropped: a header or the stack of labels was malformed.</summary>
    public Counter Malformed { get; } = new();

    /// <summary>Packets dropped: they would be longer than the network lets through.</summary>
    public Counter TooLong { get; } = new();

    /// <summary>Packets dropped: their hops were used up, or congestion was met that they cannot tell.</summary>
    public Counter Expired { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_outside) Decapsulate(ref frame);
        else if (frame.Ingress == s_inside) Encapsulate(ref frame);
    }

    private void Encapsulate(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var (entropy, ecn) = (0u, (byte)0);
        if (ethernet.EtherType == EtherType.IPv4)
        {
            if (!IPv4.TryParse(ethernet.Payload, out var inner))
            {
                Malformed.Increment();
                return;
            }
            if (!_labels.TryGet(inner.Destination, out var label))
            {
                Unroutable.Increment();
                return;
            }
            if (inner.Ttl <= 1)
            {
                Expired.Increment();
                return;
            }
            if (frame.Length + Outer + LabelLength > Ethernet.HeaderLength + 1500)
            {
                TooLong.Increment();
                return;
            }
            inner.DecrementTtl();
            (entropy, ecn) = (inner.Source.Bits ^ inner.Destination.Bits, inner.Ecn);
            var ttl = inner.Ttl;
            frame.Resize(Ethernet.HeaderLength + inner.TotalLength); // without padding
            frame.Insert(Ethernet.HeaderLength, Outer + LabelLength);
            frame.Bytes.SetUInt32(Ethernet.HeaderLength + Outer, label << 12 | Bottom | ttl);
        }
        else if (ethernet.EtherType == Mpls)
        {
            if (!TryReadStack(ethernet.Payload, out _, out entropy))
            {
                Malformed.Increment();
                return;
            }
            if (frame.Length + Outer > Ethernet.HeaderLength + 1500)
            {
                TooLong.Increment();
                return;
            }
            frame.Insert(Ethernet.HeaderLength, Outer);
        }
        else return;

        var outside = new Ethernet(frame) { Destination = gateway, Source = mac, EtherType = EtherType.IPv4 };
        if (!IPv4.TryInitialize(outside.Payload, out var ip)) return;
        (ip.Ecn, ip.DontFragment, ip.Ttl, ip.Protocol) = (ecn, true, IPv4.DefaultTtl, IPProtocol.Udp);
        (ip.Source, ip.Destination) = (address, peer);
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        udp.SourcePort = (ushort)(FirstEntropy | (entropy ^ entropy >> 16) & 0x3FFF);
        udp.DestinationPort = Port;
        Encapsulated.Increment();
        frame.ForwardTo(s_outside);
    }

    private void Decapsulate(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || ip.Destination != address || ip.Source != peer || ip.Protocol != IPProtocol.Udp || ip.IsFragment
            || !ip.HasValidHeaderChecksum || !Udp.TryParse(ip.Payload, out var udp) || udp.DestinationPort != Port)
        {
            Unroutable.Increment();
            return;
        }
        if (!udp.HasValidChecksum(ip) || !TryReadStack(udp.Payload, out var labels, out _))
        {
            Malformed.Increment();
            return;
        }
        var isPlain = labels == 1 && udp.Payload.GetUInt32(0) >> 12 == ExplicitNull;
        var isMarked = ip.Ecn == 3;
        var length = udp.Payload.Length;
        frame.Remove(Ethernet.HeaderLength, ip.HeaderLength + Udp.HeaderLength + (isPlain ? LabelLength : 0));
        frame.Resize(Ethernet.HeaderLength + length - (isPlain ? LabelLength : 0));

        var inside = new Ethernet(frame) { Destination = router, Source = mac, EtherType = Mpls };
        if (isPlain)
        {
            inside.EtherType = EtherType.IPv4;
            if (!IPv4.TryParse(inside.Payload, out var packet) || isMarked && packet.Ecn == 0)
            {
                Expired.Increment();
                return;
            }
            if (isMarked) packet.Ecn = 3;
            packet.WriteHeaderChecksum();
        }
        if (frame.Length < Ethernet.MinFrameLength) frame.Resize(Ethernet.MinFrameLength);
        Decapsulated.Increment();
        frame.ForwardTo(s_inside);
    }

    /// <summary>Goes down to the last label.</summary>
    private static bool TryReadStack(Span<byte> bytes, out int labels, out uint entropy)
    {
        (labels, entropy) = (0, 0);
        while (bytes.Length >= LabelLength && labels < MostLabels)
        {
            var entry = bytes.GetUInt32(0);
            entropy = entropy * 31 + (entry >> 12);
            labels++;
            if ((entry & Bottom) != 0) return (byte)entry > 0;
            bytes = bytes[LabelLength..];
        }
        return false;
    }

    private static (IPv4Address Key, int Length, uint Value) ParseRoute(string route)
    {
        var parts = route.Split('/', '=');
        return (IPv4Address.Parse(parts[0]), int.Parse(parts[1]), uint.Parse(parts[2]));
    }
}
