using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// Names of protocols (IANA "Protocol Numbers"), those that filters name; others are written as numbers.
/// </summary>
internal static class Protocols
{
    public const byte UdpLite = 136, Sctp = 132, Dccp = 33;

    private static readonly (string Name, byte Number)[] s_names =
    [
        ("icmp", (byte)IPProtocol.Icmp), ("igmp", (byte)IPProtocol.Igmp), ("ipencap", 4), ("tcp", (byte)IPProtocol.Tcp),
        ("udp", (byte)IPProtocol.Udp), ("dccp", Dccp), ("ipv6", 41), ("gre", (byte)IPProtocol.Gre),
        ("esp", (byte)IPProtocol.Esp), ("ah", (byte)IPProtocol.AuthenticationHeader),
        ("ipv6-icmp", (byte)IPProtocol.Icmpv6), ("ospf", 89), ("pim", 103), ("vrrp", 112), ("l2tp", 115),
        ("sctp", Sctp), ("udplite", UdpLite), ("icmpv6", (byte)IPProtocol.Icmpv6), ("icmp6", (byte)IPProtocol.Icmpv6),
        ("ipip", 4),
    ];

    /// <summary>A name or a number, in any case of letters; 0 and <c>all</c> are every protocol.</summary>
    public static byte Parse(string text)
    {
        if (text.Equals("all", StringComparison.OrdinalIgnoreCase)) return 0;
        if (RuleNumber.TryParse(text, byte.MaxValue, out var number)) return (byte)number;
        foreach (var (name, value) in s_names) if (name.Equals(text, StringComparison.OrdinalIgnoreCase)) return value;
        throw new RuleException($"unknown protocol \"{text}\" specified; write its number{RuleNumber.Remark(text)}");
    }

    /// <summary>The name by which it is saved, or the number.</summary>
    public static string Name(byte protocol)
    {
        foreach (var (name, number) in s_names) if (number == protocol) return name;
        return protocol == 0 ? "all" : $"{protocol}";
    }

    /// <summary>True if its header begins with two port numbers.</summary>
    public static bool HasPorts(byte protocol) =>
        protocol is (byte)IPProtocol.Tcp or (byte)IPProtocol.Udp or UdpLite or Sctp or Dccp;
}
