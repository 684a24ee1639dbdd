using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// The edge of a provider backbone (IEEE 802.1Q-2018 clause 25, once 802.1ah): customer frames cross it inside frames
/// between edges, with the number of their service, and edges learn behind which of them a customer's station is.
/// </summary>
/// <remarks>Port 0 is the customer's, port 1 the backbone's. There is one service.</remarks>
/// <example>--mac 02:00:00:00:00:b1 --service 70000</example>
/// <param name="mac">The backbone address of this edge.</param>
/// <param name="service">The number of the service (I-SID), 24 bits.</param>
/// <param name="backboneVlan">The VLAN in the backbone.</param>
/// <param name="ageingSeconds">How long a station is remembered.</param>
public sealed class BackboneEdge(MacAddress mac, uint service = 70_000, ushort backboneVlan = 100,
    int ageingSeconds = 300)
    : Service
{
    private const EtherType ServiceInstance = (EtherType)0x88E7;
    private const int InstanceTagLength = 6; // EtherType, and the tag's control information
    private const int Headers = 12 + 2 + 2 + InstanceTagLength; // addresses, B-TAG, I-TAG
    private const uint ServiceMask = 0xFF_FFFF;
    private const int BackboneMtu = 1500 + Ethernet.HeaderLength;

    private static readonly PortId s_customer = new(0), s_backbone = new(1);

    private readonly MacAddress _everyEdge = new(0x011E_8300_0000 | (ulong)service);

    /// <summary>Stations of the customer, and the edges that they are behind.</summary>
    [Control]
    public AgeingTable<MacAddress, MacAddress> Stations { get; } = new(1024, ageingSeconds, hashSeed: 4);

    /// <summary>Frames to an edge that is known.</summary>
    public Counter Known { get; } = new();

    /// <summary>Frames to all edges.</summary>
    public Counter Flooded { get; } = new();

    /// <summary>Frames that came out of the backbone.</summary>
    public Counter Received { get; } = new();

    /// <summary>Frames dropped.</summary>
    public Counter Dropped { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_backbone) FromBackbone(ref frame);
        else if (frame.Ingress == s_customer) FromCustomer(ref frame);
    }

    private void FromCustomer(ref Frame frame)
    {
        var customer = new Ethernet(frame);
        if (customer.Destination.IsReservedForBridges || frame.Length + Headers > BackboneMtu)
        {
            Dropped.Increment();
            return;
        }
        var priority = customer.EtherType == EtherType.CTag && Vlan.TryParse(customer.Payload, out var tag) ? tag.Pcp
            : (byte)0;
        if (customer.Destination.IsIndividual && Stations.TryGet(customer.Destination, frame.Seconds, out var edge))
        {
            Known.Increment();
        }
        else
        {
            edge = _everyEdge;
            Flooded.Increment();
        }

        frame.Insert(0, Headers);
        var ethernet = new Ethernet(frame);
        ethernet.Destination = edge;
        ethernet.Source = mac;
        ethernet.EtherType = EtherType.STag;
        if (!Vlan.TryParse(ethernet.Payload, out var backbone)) return;
        backbone.Vid = backboneVlan;
        backbone.Pcp = priority;
        backbone.EtherType = ServiceInstance;
        backbone.Payload.SetUInt32(0, (uint)priority << 29 | service);
        frame.ForwardTo(s_backbone);
    }

    private void FromBackbone(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.STag || !Vlan.TryParse(ethernet.Payload, out var backbone)
            || backbone.Vid != backboneVlan || backbone.EtherType != ServiceInstance
            || backbone.Payload.Length < 4 + Ethernet.HeaderLength
            || (backbone.Payload.GetUInt32(0) & ServiceMask) != service
            || ethernet.Destination != mac && ethernet.Destination != _everyEdge
            || !Ethernet.TryParse(backbone.Payload[4..], out var customer))
        {
            Dropped.Increment();
            return;
        }
        if (customer.Source.IsIndividual) Stations.Set(customer.Source, ethernet.Source, frame.Seconds);
        frame.Remove(0, Headers);
        Received.Increment();
        frame.ForwardTo(s_customer);
    }
}
