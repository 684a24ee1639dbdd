using Emu.Protocols;

namespace Emu.Services;

/// <summary>The matches that there are.</summary>
internal static class MatchTable
{
    private static readonly Dictionary<string, Func<Match>> s_both = new()
    {
        ["comment"] = () => new CommentMatch(),
        ["conntrack"] = () => new StateMatch("conntrack"),
        ["length"] = () => new LengthMatch(),
        ["limit"] = () => new LimitMatch(),
        ["mac"] = () => new MacMatch(),
        ["multiport"] = () => new MultiportMatch(),
        ["state"] = () => new StateMatch("state"),
        ["tcp"] = () => new TcpMatch(),
        ["udp"] = () => new UdpMatch(),
    };

    /// <summary>A match by the name that <c>-m</c> gives.</summary>
    public static Match Named(string name, IPFamily family)
    {
        if (s_both.TryGetValue(name, out var make)) return make();
        return (name, family) switch
        {
            ("iprange", _) => new IPRangeMatch(family),
            ("icmp", IPFamily.IPv4) or ("icmp6" or "icmpv6", IPFamily.IPv6) => new IcmpMatch(family),
            ("ttl", IPFamily.IPv4) or ("hl", IPFamily.IPv6) => new TtlMatch(family),
            _ => throw new RuleException(
                $"couldn't load match \"{name}\": there are {string.Join(", ", Names(family))}"),
        };
    }

    /// <summary>The match that a protocol brings along, for its options without <c>-m</c>; null for none.</summary>
    public static Match? Of(byte protocol, IPFamily family) => ((IPProtocol)protocol, family) switch
    {
        (IPProtocol.Tcp, _) => new TcpMatch(),
        (IPProtocol.Udp, _) => new UdpMatch(),
        (IPProtocol.Icmp, IPFamily.IPv4) or (IPProtocol.Icmpv6, IPFamily.IPv6) => new IcmpMatch(family),
        _ => null,
    };

    private static IEnumerable<string> Names(IPFamily family) =>
        s_both.Keys.Concat(family == IPFamily.IPv4 ? ["icmp", "iprange", "ttl"] : ["hl", "icmp6", "iprange"]).Order();
}
