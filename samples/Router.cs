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
    private const byte InitialTtl = 64;

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
            if (type == ethernet.EtherType) AnswerTimeExceeded(ref frame);
            return;
        }
        if (!_routes.TryGet(ip.Destination, out var hop))
        {
            Unreachable.Increment();
            return;
        }
        var (before, after) = (TtlWord(ip), (ushort)(TtlWord(ip) - 0x100));
        ip.HeaderChecksum = InternetChecksum.Update(ip.HeaderChecksum, before, after);
        ip.Ttl--;
        ethernet.Source = mac;
        ethernet.Destination = hop.Mac;
        frame.ForwardTo(hop.Port);
        Forwarded.Increment();
    }

    /// <summary>The word of the header that begins with the time to live.</summary>
    private static ushort TtlWord(in IPv4 ip) => (ushort)(ip.Ttl << 8 | (byte)ip.Protocol);

    /// <summary>The header of the packet, and the eight bytes behind it, in an answer to its source.</summary>
    private void AnswerTimeExceeded(ref Frame frame)
    {
        if (!IPv4.TryParse(new Ethernet(frame).Payload, out var expired) || !expired.Source.CanBeSource
            || expired.FragmentOffset != 0)
            return;
        var quoted = Math.Min(expired.HeaderLength + 8, expired.TotalLength);
        const int Headers = IPv4.MinHeaderLength + Icmp.HeaderLength;
        var (sender, source) = (new Ethernet(frame).Source, expired.Source);
        frame.Resize(Math.Max(60, Ethernet.HeaderLength + Headers + quoted));
        var bytes = frame.Bytes[Ethernet.HeaderLength..];
        bytes[..quoted].CopyTo(bytes[Headers..]);
        bytes[..Headers].Clear();

        var ethernet = new Ethernet(frame);
        ethernet.Destination = sender;
        ethernet.Source = mac;
        IPv4.TryInitialize(bytes, out var ip);
        ip.TotalLength = (ushort)(Headers + quoted);
        ip.Ttl = InitialTtl;
        ip.Protocol = IPProtocol.Icmp;
        ip.Source = address;
        ip.Destination = source;
        ip.WriteHeaderChecksum();
        if (!Icmp.TryParse(bytes[IPv4.MinHeaderLength..(Headers + quoted)], out var icmp)) return;
        icmp.Type = IcmpType.TimeExceeded;
        icmp.WriteChecksum();
        frame.Reply();
    }
}
