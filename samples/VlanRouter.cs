using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Forwards IPv4 packets between VLANs by the longest prefix of their destination: a hop less to live (RFC 1812 §5.2),
/// and tagged for the VLAN of the next hop (IEEE 802.1Q-2022 §9). What comes tagged is retagged.
/// </summary>
/// <remarks>
/// The neighbours are given with the routes. Other frames than IPv4 are dropped, as are expired packets.
/// </remarks>
/// <example>--mac 02:00:00:00:00:01 --route 0.0.0.0/0=1=02:00:00:00:00:0b --vlan 10 --vlan 20</example>
/// <param name="route">The routes.</param>
/// <param name="mac">The router's MAC address, the same at each port.</param>
/// <param name="vlan">The VLAN identifier of the frames that leave by each port, from port 0 on; 1 to 4094.</param>
[LineRate(gigabits: 40)]
public sealed class VlanRouter(Route[] route, MacAddress mac, ushort[] vlan) : Service
{
    private const int TagOffset = 12;

    private readonly PrefixTable<IPv4Address, Hop> _routes = new(
        route.Select(r => (r.Prefix, r.Length, new Hop
        {
            Port = new PortId(r.Port),
            Mac = r.NextHop,
            Vlan = r.Port < vlan.Length ? vlan[r.Port] : throw new ArgumentException($"no VLAN for port {r.Port}"),
        })));

    private struct Hop
    {
        public PortId Port;
        public MacAddress Mac;
        public ushort Vlan;
    }

    /// <summary>Packets forwarded.</summary>
    public Counter Forwarded { get; } = new();

    /// <summary>Frames dropped.</summary>
    public Counter Dropped { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var type = ethernet.EtherType;
        var packet = ethernet.Payload;
        var isTagged = type == EtherType.CTag && Vlan.TryParse(packet, out _);
        if (isTagged && Vlan.TryParse(packet, out var old))
        {
            type = old.EtherType;
            packet = old.Payload;
        }
        if (ethernet.Destination != mac || type != EtherType.IPv4 || !IPv4.TryParse(packet, out var ip)
            || !ip.HasValidHeaderChecksum || ip.Ttl <= 1 || !_routes.TryGet(ip.Destination, out var hop))
        {
            Dropped.Increment();
            return;
        }
        ip.DecrementTtl();
        ethernet.Source = mac;
        ethernet.Destination = hop.Mac;

        if (!isTagged) frame.Insert(TagOffset, Vlan.HeaderLength);
        var leaving = new Ethernet(frame);
        leaving.EtherType = EtherType.CTag;
        if (!Vlan.TryParse(leaving.Payload, out var tag)) return;
        tag.Vid = hop.Vlan;
        frame.ForwardTo(hop.Port);
        Forwarded.Increment();
    }
}
