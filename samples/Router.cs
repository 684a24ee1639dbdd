using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Forwards IPv4 packets by the longest prefix of their destination, a hop less to live (RFC 1812 §5.2), tagged or not.
/// A packet whose time to live ends here is answered with Time Exceeded (RFC 792).
/// </summary>
/// <remarks>The neighbours are given with the routes; other frames than IPv4 are dropped.</remarks>
/// <example>--mac 02:00:00:00:00:01 --address 10.0.0.1 --route 0.0.0.0/0=1=02:00:00:00:00:0b</example>
/// <param name="route">The routes.</param>
/// <param name="mac">The router's MAC address, the same at each port.</param>
/// <param name="address">The router's IPv4 address, from which it answers.</param>
[LineRate(gigabits: 40)]
public sealed class Router(Route[] route, MacAddress mac, IPv4Address address) : Service
{
    private readonly PrefixTable<IPv4Address, Hop> _routes = new(
        route.Select(r => (r.Prefix, r.Length, new Hop { Port = new PortId(r.Port), Mac = r.NextHop })));

    private struct Hop
    {
        public PortId Port;
        public MacAddress Mac;
    }

    /// <summary>Packets forwarded.</summary>
    public Counter Forwarded { get; } = new();

    /// <summary>Packets dropped: there is no route to their destination.</summary>
    public Counter Unreachable { get; } = new();

    /// <summary>Packets whose time to live ended here.</summary>
    public Counter Expired { get; } = new();

    /// <summary>Frames dropped: not to this router, not IPv4, or damaged.</summary>
    public Counter Ignored { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var type = ethernet.EtherType;
        var packet = ethernet.Payload;
        if (type == EtherType.CTag && Vlan.TryParse(packet, out var tag))
        {
            type = tag.EtherType;
            packet = tag.Payload;
        }
        if (ethernet.Destination != mac || type != EtherType.IPv4 || !IPv4.TryParse(packet, out var ip)
            || !ip.HasValidHeaderChecksum)
        {
            Ignored.Increment();
            return;
        }
        if (ip.Ttl <= 1)
        {
            Expired.Increment();
            if (type == ethernet.EtherType && IcmpError.IsAllowed(ethernet, ip)) ReportExpiry(ref frame, ip);
            return;
        }
        if (!_routes.TryGet(ip.Destination, out var hop))
        {
            Unreachable.Increment();
            return;
        }
        ip.DecrementTtl();
        ethernet.Source = mac;
        ethernet.Destination = hop.Mac;
        frame.ForwardTo(hop.Port);
        Forwarded.Increment();
    }

    /// <summary>Tells its source that a packet has expired, as few do.</summary>
    [Cold]
    private void ReportExpiry(ref Frame frame, IPv4 ip) =>
        IcmpError.Reply(ref frame, ip, IcmpType.TimeExceeded, 0, address, mac);
}
