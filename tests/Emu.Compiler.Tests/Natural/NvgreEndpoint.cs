using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// An endpoint of NVGRE (RFC 7637): frames of the virtual networks, told apart by VLAN tags inside, travel untagged in
/// GRE outside, with the number of the virtual subnet and of the flow in the key. Where the stations of the other
/// endpoints are is learned from what comes from there.
/// </summary>
/// <param name="address">This endpoint.</param>
/// <param name="mac">Its MAC address.</param>
/// <param name="nextHopMac">The router on the way to the others.</param>
/// <param name="defaultPeer">Whom frames to unknown stations and to groups are sent to.</param>
/// <param name="firstSubnet">The virtual subnet of VLAN 0; the others follow.</param>
/// <param name="seconds">The time that a station is remembered.</param>
/// <param name="hashSeed">Of the table of stations.</param>
public sealed class NvgreEndpoint(
    IPv4Address address, MacAddress mac, MacAddress nextHopMac, IPv4Address defaultPeer, uint firstSubnet = 0x10000,
    int seconds = 300, ulong hashSeed = 1) : Service
{
    private const int GreHeader = 8;
    private const int Headers = Ethernet.HeaderLength + IPv4.MinHeaderLength + GreHeader;
    private const int TypeOffset = 12;
    private const int Longest = FrameLength.DefaultMtu + Ethernet.HeaderLength;
    private const EtherType TransparentBridging = (EtherType)0x6558;

    private static readonly PortId s_inside = new(0);
    private static readonly PortId s_outside = new(1);

    private readonly AgeingTable<MacAddress, IPv4Address> _stations = new(256, seconds, hashSeed);

    /// <summary>Frames that went out in GRE.</summary>
    public Counter Encapsulated { get; } = new();

    /// <summary>Of these, the ones to the default peer, their station being unknown.</summary>
    public Counter Unknown { get; } = new();

    /// <summary>Frames that came in.</summary>
    public Counter Decapsulated { get; } = new();

    /// <summary>Frames from the inside without a tag, or too long for the tunnel.</summary>
    public Counter Unfit { get; } = new();

    /// <summary>Packets from the outside that are not of this tunnel.</summary>
    public Counter Foreign { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_inside) Encapsulate(ref frame);
        else if (frame.Ingress == s_outside) Decapsulate(ref frame);
    }

    private void Encapsulate(ref Frame frame)
    {
        var inner = new Ethernet(frame);
        if (inner.EtherType != EtherType.CTag || !Vlan.TryParse(inner.Payload, out var tag) || tag.Vid == 0
            || frame.Length - Vlan.HeaderLength + Headers > Longest)
        {
            Unfit.Increment();
            return;
        }

        var subnet = firstSubnet + tag.Vid;
        var flow = FlowOf(tag);
        var dscp = (byte)(tag.Pcp << 3);
        if (inner.Destination.IsGroup || !_stations.TryGet(inner.Destination, frame.Seconds, out var peer))
        {
            Unknown.Increment();
            peer = defaultPeer;
        }
        frame.Remove(TypeOffset, Vlan.HeaderLength);
        frame.Insert(0, Headers);

        var ethernet = new Ethernet(frame);
        ethernet.Destination = nextHopMac;
        ethernet.Source = mac;
        ethernet.EtherType = EtherType.IPv4;
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        ip.Dscp = dscp;
        ip.DontFragment = true;
        ip.Ttl = IPv4.DefaultTtl;
        ip.Protocol = IPProtocol.Gre;
        ip.Source = address;
        ip.Destination = peer;
        ip.WriteHeaderChecksum();
        if (!Gre.TryInitialize(ip.Payload, false, true, false, out var gre)) return;
        gre.EtherType = TransparentBridging;
        gre.Key = subnet << 8 | flow;
        Encapsulated.Increment();
        frame.ForwardTo(s_outside);
    }

    private void Decapsulate(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.Destination != mac || ethernet.EtherType != EtherType.IPv4
            || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment || ip.Destination != address
            || ip.Protocol != IPProtocol.Gre || !Gre.TryParse(ip.Payload, out var gre) || !gre.HasKey
            || gre.HasChecksum || gre.HasSequenceNumber || gre.EtherType != TransparentBridging
            || !Ethernet.TryParse(gre.Payload, out var inner) || inner.EtherType == EtherType.CTag)
        {
            Foreign.Increment();
            return;
        }
        var vlan = (gre.Key >> 8) - firstSubnet;
        if (vlan is 0 or > 4094)
        {
            Foreign.Increment();
            return;
        }

        if (inner.Source.IsIndividual) _stations.Set(inner.Source, ip.Source, frame.Seconds);
        var priority = (byte)(ip.Dscp >> 3);
        var (start, length) = (Ethernet.HeaderLength + ip.HeaderLength + GreHeader, gre.Payload.Length);
        frame.Remove(0, start);
        frame.Resize(length);
        frame.Insert(TypeOffset, Vlan.HeaderLength);
        var tagged = new Ethernet(frame);
        tagged.EtherType = EtherType.CTag;
        if (!Vlan.TryParse(tagged.Payload, out var tag)) return;
        tag.Pcp = priority;
        tag.Vid = (ushort)vlan;
        Decapsulated.Increment();
        frame.ForwardTo(s_inside);
    }

    /// <summary>A number of the flow, from its addresses and ports, for routers on the way that spread load.</summary>
    private static uint FlowOf(Vlan tag)
    {
        if (tag.EtherType != EtherType.IPv4 || !IPv4.TryParse(tag.Payload, out var ip)) return 0;
        var mixed = ip.Source.Bits ^ ip.Destination.Bits ^ (uint)ip.Protocol;
        if (!ip.IsFragment && ip.Protocol is IPProtocol.Tcp or IPProtocol.Udp && ip.Payload.Length >= 4)
            mixed ^= ip.Payload.GetUInt32(0);
        mixed ^= mixed >> 16;
        return (mixed ^ mixed >> 8) & 0xFF;
    }
}
