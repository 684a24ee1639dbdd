using System.ComponentModel.DataAnnotations;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Stands in front of a router's control plane and lets BGP in from its peers alone, and only if the packet's time to
/// live shows that it comes from as near as the peer is: the generalized TTL security mechanism (RFC 5082).
/// </summary>
/// <remarks>
/// Port 0 is the network, port 1 the router; what the router sends passes. The TTL of an ICMP error about a session is
/// held to the same distance (RFC 5082 §3), since a forged one can end it. Fragments of TCP are not told apart from
/// attacks (§5.5), so they are dropped when they are to the router. All that is not about BGP passes unseen.
/// </remarks>
/// <example>--router 192.0.2.1 --router6 2001:db8::1 --peer 192.0.2.2=1 --peer 198.51.100.7=3 --peer6
/// 2001:db8::2=1</example>
/// <param name="router">The router's IPv4 address.</param>
/// <param name="router6">The router's IPv6 address.</param>
/// <param name="peer">A peer and the hops to it, ADDRESS=HOPS: 1 for a neighbour.</param>
/// <param name="peer6">The same with an IPv6 address.</param>
/// <param name="opensPerSecond">The connections that all peers together may open in a second.</param>
public sealed class TtlSecurity(
    IPv4Address router, IPv6Address router6, string[]? peer = null, string[]? peer6 = null,
    [Range(1, 1_000_000)] int opensPerSecond = 100) : Service
{
    private const ushort Bgp = 179;

    private static readonly PortId s_network = new(0), s_router = new(1);

    private readonly ConstantTable<IPv4Address, byte> _leastTtl =
        new(Pairs(peer).ToDictionary(p => IPv4Address.Parse(p.Address), p => p.LeastTtl));
    private readonly ConstantTable<IPv6Address, byte> _leastHopLimit =
        new(Pairs(peer6).ToDictionary(p => IPv6Address.Parse(p.Address), p => p.LeastTtl));
    private readonly TokenBuckets _opens = new(1, opensPerSecond, opensPerSecond);

    /// <summary>Segments of BGP, and errors about them, that came from near enough.</summary>
    public Counter Trusted { get; } = new();

    /// <summary>Dropped: the packet has passed more routers than the peer is away.</summary>
    public Counter TooFar { get; } = new();

    /// <summary>Dropped: BGP from an address that is no peer.</summary>
    public Counter Strangers { get; } = new();

    /// <summary>Dropped: fragments, and segments whose header is damaged.</summary>
    public Counter Unclear { get; } = new();

    /// <summary>Dropped: connections opened too fast.</summary>
    public Counter Limited { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_router)
        {
            frame.ForwardTo(s_network);
            return;
        }
        if (frame.Ingress != s_network) return;

        frame.ForwardTo(s_router);
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Destination == router)
        {
            if (ip.Protocol == IPProtocol.Tcp)
            {
                var isPeer = _leastTtl.TryGet(ip.Source, out var least);
                CheckSegment(ref frame, ip.Payload, ip.IsFragment, isPeer, ip.Ttl >= least);
            }
            else if (ip.Protocol == IPProtocol.Icmp && !ip.IsFragment && IsErrorOfSession(ip, out var least)
                && ip.Ttl < least)
                Refuse(ref frame, TooFar);
        }
        else if (ethernet.EtherType == EtherType.IPv6 && IPv6.TryParse(ethernet.Payload, out var ip6)
            && ip6.Destination == router6 && ip6.NextHeader is IPProtocol.Tcp or IPProtocol.Fragment)
        {
            var isPeer = _leastHopLimit.TryGet(ip6.Source, out var least);
            CheckSegment(
                ref frame, ip6.Payload, ip6.NextHeader == IPProtocol.Fragment, isPeer, ip6.HopLimit >= least);
        }
    }

    private void CheckSegment(ref Frame frame, Span<byte> segment, bool isFragment, bool isPeer, bool isNear)
    {
        if (isFragment || !Tcp.TryParse(segment, out var tcp)) Refuse(ref frame, Unclear);
        else if (tcp.SourcePort != Bgp && tcp.DestinationPort != Bgp) return; // another application of the router
        else if (!isPeer) Refuse(ref frame, Strangers);
        else if (!isNear) Refuse(ref frame, TooFar);
        else if (tcp.IsSyn && !tcp.IsAck && !_opens.TryTake(0, 1, frame.Time)) Refuse(ref frame, Limited);
        else Trusted.Increment();
    }

    /// <summary>True if the packet is an error about a segment that the router has sent to a peer.</summary>
    private bool IsErrorOfSession(IPv4 ip, out byte least)
    {
        least = 0;
        if (!Icmp.TryParse(ip.Payload, out var icmp)
            || icmp.Type is not (IcmpType.DestinationUnreachable or IcmpType.TimeExceeded or IcmpType.ParameterProblem)
            || !IPv4.TryParseQuoted(icmp.Data, out var quoted) || quoted.Protocol != IPProtocol.Tcp
            || quoted.Source != router || quoted.Payload.Length < 4)
            return false;
        // No more than 8 bytes need be quoted (RFC 792): the ports are in the first 4.
        var ports = quoted.Payload;
        return (ports.GetUInt16(0) == Bgp || ports.GetUInt16(2) == Bgp)
            && _leastTtl.TryGet(quoted.Destination, out least);
    }

    private static void Refuse(ref Frame frame, Counter reason)
    {
        frame.Drop();
        reason.Increment();
    }

    /// <summary>
    /// Peers, each with the least TTL that a packet which left with 255 has after so many hops (§3).
    /// </summary>
    private static IEnumerable<(string Address, byte LeastTtl)> Pairs(string[]? peers) =>
        (peers ?? []).Select(text => text.Split('=')).Select(words => words.Length == 2
            && byte.TryParse(words[1], out var hops) && hops >= 1
                ? (words[0], (byte)(256 - hops))
                : throw new ArgumentException("a peer is ADDRESS=HOPS, of 1 to 255 hops", nameof(peers)));
}
