namespace Emu.Services;

/// <summary>The answer to the sender of a rejected packet, by the names of <c>--reject-with</c>.</summary>
/// <param name="Name">The name as it is saved.</param>
/// <param name="Family">The protocol that has it.</param>
/// <param name="Type">The type of the ICMP error; 0 for a reset.</param>
/// <param name="Code">Its code.</param>
internal readonly record struct RejectKind(string Name, IPFamily Family, byte Type, byte Code)
{
    /// <summary>
    /// All, the default of each protocol first (RFC 792, RFC 1812 §5.2.7.1, RFC 4443 §3.1, RFC 9293 §3.10.7.1).
    /// </summary>
    private static readonly RejectKind[] s_all =
    [
        new("icmp-port-unreachable", IPFamily.IPv4, 3, 3), new("icmp-net-unreachable", IPFamily.IPv4, 3, 0),
        new("icmp-host-unreachable", IPFamily.IPv4, 3, 1), new("icmp-proto-unreachable", IPFamily.IPv4, 3, 2),
        new("icmp-net-prohibited", IPFamily.IPv4, 3, 9), new("icmp-host-prohibited", IPFamily.IPv4, 3, 10),
        new("icmp-admin-prohibited", IPFamily.IPv4, 3, 13), new("tcp-reset", IPFamily.IPv4, 0, 0),
        new("icmp6-port-unreachable", IPFamily.IPv6, 1, 4), new("icmp6-no-route", IPFamily.IPv6, 1, 0),
        new("icmp6-adm-prohibited", IPFamily.IPv6, 1, 1), new("icmp6-addr-unreachable", IPFamily.IPv6, 1, 3),
        new("icmp6-policy-fail", IPFamily.IPv6, 1, 5), new("icmp6-reject-route", IPFamily.IPv6, 1, 6),
        new("tcp-reset", IPFamily.IPv6, 0, 0),
    ];

    /// <summary>The option of the target REJECT.</summary>
    public static readonly RuleOption Option = new("--reject-with");

    public bool IsReset => Type == 0;

    public static RejectKind Default(IPFamily family) => s_all.First(kind => kind.Family == family);

    /// <summary>By its name, with or without the protocol before it, or the beginning of it.</summary>
    public static RejectKind Parse(IPFamily family, string text)
    {
        if (text == "tcp-rst") text = "tcp-reset";
        var kinds = s_all.Where(kind => kind.Family == family).ToList();
        foreach (var kind in kinds)
        {
            if (text.Length > 0 && (kind.Name.StartsWith(text, StringComparison.OrdinalIgnoreCase)
                || kind.Name[(kind.Name.IndexOf('-') + 1)..].StartsWith(text, StringComparison.OrdinalIgnoreCase)))
                return kind;
        }
        throw new RuleException(
            $"unknown reject type \"{text}\": there are {string.Join(", ", kinds.Select(kind => kind.Name))}");
    }
}
