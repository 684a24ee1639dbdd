using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// One end of a Geneve tunnel (RFC 8926): frames from port 0 leave by port 1 in UDP, with an option that says when they
/// came, and those that come in it, with whatever options, leave by port 0.
/// </summary>
/// <remarks>Congestion is told from the outer header to the inner one and back (RFC 6040 §4).</remarks>
/// <param name="mac">The MAC address of this end.</param>
/// <param name="address">The IPv4 address of this end.</param>
/// <param name="peer">The IPv4 address of the other end.</param>
/// <param name="peerMac">The MAC address of the other end, or of the router to it.</param>
/// <param name="vni">The virtual network, 24 bits.</param>
/// <param name="mtu">The bytes of the longest packet on the way between the ends.</param>
public sealed class GeneveGateway(
    MacAddress mac, IPv4Address address, IPv4Address peer, MacAddress peerMac, uint vni = 1, int mtu = 1500) : Service
{
    private const ushort Port = 6081, EthernetBridging = 0x6558, OptionClass = 0xFF05;
    private const byte OptionType = 1, ControlFlag = 0x80, CriticalFlag = 0x40, CriticalType = 0x80;
    private const byte CongestionExperienced = 3;
    private const int GeneveLength = 8, OptionHeader = 4, OptionLength = OptionHeader + 8;
    private const int PacketHeaders = IPv4.MinHeaderLength + Udp.HeaderLength + GeneveLength + OptionLength;

    private static readonly PortId s_inside = new(0), s_network = new(1);

    /// <summary>Frames sent into the tunnel.</summary>
    public Counter Sent { get; } = new();

    /// <summary>Frames taken out of it.</summary>
    public Counter Received { get; } = new();

    /// <summary>Frames dropped: too long, not of this tunnel, or with a critical option that is not known.</summary>
    public Counter Dropped { get; } = new();

    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_inside && TryWrap(ref frame)) Sent.Increment();
        else if (frame.Ingress == s_network && TryUnwrap(ref frame)) Received.Increment();
        else
        {
            Dropped.Increment();
            frame.Drop();
        }
    }

    private bool TryWrap(ref Frame frame)
    {
        if (frame.Length > mtu - PacketHeaders) return false;
        var inside = new Ethernet(frame);
        var flow = inside.Source.Bits ^ inside.Destination.Bits;
        byte ecn = 0;
        if (inside.EtherType == EtherType.IPv4 && IPv4.TryParse(inside.Payload, out var inner)) ecn = inner.Ecn;
        frame.Insert(0, Ethernet.HeaderLength + PacketHeaders);

        var ethernet = new Ethernet(frame) { Destination = peerMac, Source = mac, EtherType = EtherType.IPv4 };
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return false;
        (ip.Ttl, ip.Protocol, ip.Ecn, ip.DontFragment) = (IPv4.DefaultTtl, IPProtocol.Udp, ecn, true);
        (ip.Source, ip.Destination) = (address, peer);
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return false;
        udp.SourcePort = (ushort)(0xC000 | (flow ^ flow >> 17) & 0x3FFF);
        udp.DestinationPort = Port;
        var geneve = udp.Payload;
        geneve[0] = OptionLength / 4;
        geneve.SetUInt16(2, EthernetBridging);
        geneve.SetUInt32(4, vni << 8);
        var option = geneve[GeneveLength..];
        option.SetUInt16(0, OptionClass);
        option[2] = OptionType;
        option[3] = (OptionLength - OptionHeader) / 4;
        option.SetUInt64(OptionHeader, frame.Time);
        frame.ForwardTo(s_network);
        return true;
    }

    private bool TryUnwrap(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.Destination != mac || ethernet.EtherType != EtherType.IPv4
            || !IPv4.TryParse(ethernet.Payload, out var ip) || !ip.HasValidHeaderChecksum || ip.IsFragment
            || ip.Source != peer || ip.Destination != address || ip.Protocol != IPProtocol.Udp
            || !Udp.TryParse(ip.Payload, out var udp) || udp.DestinationPort != Port || !udp.HasValidChecksum(ip)
            || udp.Payload.Length < GeneveLength)
            return false;

        var geneve = udp.Payload;
        var headers = GeneveLength + (geneve[0] & 0x3F) * 4;
        if (geneve[0] >> 6 != 0 || (geneve[1] & ControlFlag) != 0 || geneve.GetUInt16(2) != EthernetBridging
            || geneve.GetUInt32(4) >> 8 != vni || geneve.Length < headers + Ethernet.HeaderLength)
            return false;
        if (!AreUnderstood(geneve[GeneveLength..headers], (geneve[1] & CriticalFlag) != 0)) return false;

        var (outer, length) = (ip.Ecn, geneve.Length - headers);
        frame.Remove(0, Ethernet.HeaderLength + ip.HeaderLength + Udp.HeaderLength + headers);
        frame.Resize(length);
        if (length < Ethernet.MinFrameLength) frame.Resize(Ethernet.MinFrameLength);
        if (outer == CongestionExperienced && !TryMark(new Ethernet(frame))) return false;
        frame.ForwardTo(s_inside);
        return true;
    }

    /// <summary>True if options end where they should, and none that has to be understood is there.</summary>
    private static bool AreUnderstood(Span<byte> options, bool hasCritical)
    {
        while (!options.IsEmpty)
        {
            var length = OptionHeader + (options[3] & 0x1F) * 4;
            if (length > options.Length) return false;
            if (hasCritical && (options[2] & CriticalType) != 0) return false;
            options = options[length..];
        }
        return true;
    }

    private static bool TryMark(Ethernet inside)
    {
        if (inside.EtherType != EtherType.IPv4 || !IPv4.TryParse(inside.Payload, out var ip)) return true;
        if (ip.Ecn == 0) return false;
        ip.Ecn = CongestionExperienced;
        ip.WriteHeaderChecksum();
        return true;
    }
}
