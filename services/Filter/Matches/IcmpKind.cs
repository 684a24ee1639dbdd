namespace Emu.Services;

/// <summary>A type of ICMP, with a code or with any.</summary>
/// <param name="Type">The type; for IPv4 <see cref="Any"/> is every type.</param>
/// <param name="Code">The code; null for every code.</param>
internal readonly record struct IcmpKind(byte Type, byte? Code)
{
    public const byte Any = 255;

    /// <summary>Names of IPv4 (RFC 792 and successors), those of a code behind those of their type.</summary>
    private static readonly (string Name, byte Type, byte? Code)[] s_names =
    [
        ("any", Any, null), ("echo-reply", 0, null), ("pong", 0, null), ("destination-unreachable", 3, null),
        ("network-unreachable", 3, 0), ("host-unreachable", 3, 1), ("protocol-unreachable", 3, 2),
        ("port-unreachable", 3, 3), ("fragmentation-needed", 3, 4), ("source-route-failed", 3, 5),
        ("network-unknown", 3, 6), ("host-unknown", 3, 7), ("network-prohibited", 3, 9), ("host-prohibited", 3, 10),
        ("TOS-network-unreachable", 3, 11), ("TOS-host-unreachable", 3, 12), ("communication-prohibited", 3, 13),
        ("host-precedence-violation", 3, 14), ("precedence-cutoff", 3, 15), ("source-quench", 4, null),
        ("redirect", 5, null), ("network-redirect", 5, 0), ("host-redirect", 5, 1), ("TOS-network-redirect", 5, 2),
        ("TOS-host-redirect", 5, 3), ("echo-request", 8, null), ("ping", 8, null), ("router-advertisement", 9, null),
        ("router-solicitation", 10, null), ("time-exceeded", 11, null), ("ttl-exceeded", 11, null),
        ("ttl-zero-during-transit", 11, 0), ("ttl-zero-during-reassembly", 11, 1), ("parameter-problem", 12, null),
        ("ip-header-bad", 12, 0), ("required-option-missing", 12, 1), ("timestamp-request", 13, null),
        ("timestamp-reply", 14, null), ("address-mask-request", 17, null), ("address-mask-reply", 18, null),
    ];

    /// <summary>Names of IPv6 (RFC 4443, RFC 4861).</summary>
    private static readonly (string Name, byte Type, byte? Code)[] s_names6 =
    [
        ("destination-unreachable", 1, null), ("no-route", 1, 0), ("communication-prohibited", 1, 1),
        ("beyond-scope", 1, 2), ("address-unreachable", 1, 3), ("port-unreachable", 1, 4), ("failed-policy", 1, 5),
        ("reject-route", 1, 6), ("packet-too-big", 2, null), ("time-exceeded", 3, null), ("ttl-exceeded", 3, null),
        ("ttl-zero-during-transit", 3, 0), ("ttl-zero-during-reassembly", 3, 1), ("parameter-problem", 4, null),
        ("bad-header", 4, 0), ("unknown-header-type", 4, 1), ("unknown-option", 4, 2), ("echo-request", 128, null),
        ("ping", 128, null), ("echo-reply", 129, null), ("pong", 129, null), ("router-solicitation", 133, null),
        ("router-advertisement", 134, null), ("neighbour-solicitation", 135, null),
        ("neighbor-solicitation", 135, null), ("neighbour-advertisement", 136, null),
        ("neighbor-advertisement", 136, null), ("redirect", 137, null),
    ];

    /// <summary>Type and code in 16 bits.</summary>
    public ulong Bits => (ulong)Type << 8 | Code.GetValueOrDefault();

    /// <summary>The bits that count.</summary>
    public ulong Mask => Code is null ? 0xFF00UL : 0xFFFF;

    /// <summary>A name, of which the beginning suffices if it is that of one only; or TYPE or TYPE/CODE.</summary>
    public static IcmpKind Parse(string text, IPFamily family)
    {
        var names = family == IPFamily.IPv4 ? s_names : s_names6;
        if (text.Length > 0 && !char.IsAsciiDigit(text[0]))
        {
            var exact = names.Where(n => n.Name.Equals(text, StringComparison.OrdinalIgnoreCase)).ToList();
            var found = exact.Count > 0
                ? exact
                : [.. names.Where(n => n.Name.StartsWith(text, StringComparison.OrdinalIgnoreCase))];
            if (found.Count == 0)
                throw new RuleException(
                    $"unknown ICMP type `{text}': there are {string.Join(", ", names.Select(n => n.Name))}");
            if (found.Count > 1)
                throw new RuleException($"ambiguous ICMP type `{text}': {found[0].Name} or {found[1].Name}?");
            return new IcmpKind(found[0].Type, found[0].Code);
        }
        var parts = text.Split('/');
        if (parts.Length > 2) throw new RuleException($"invalid ICMP type `{text}'; write TYPE or TYPE/CODE");
        return new IcmpKind(Byte(parts[0], "type"), parts.Length == 1 ? null : Byte(parts[1], "code"));
    }

    /// <summary>True if it is every type: type 255 of ICMP for IPv4, which nobody sends, stands for that.</summary>
    public bool IsAny(IPFamily family) => family == IPFamily.IPv4 && Type == Any;

    /// <summary>As it is saved.</summary>
    public override string ToString() => Code is { } code ? $"{Type}/{code}" : $"{Type}";

    private static byte Byte(string text, string what) => RuleNumber.TryParse(text, byte.MaxValue, out var value)
        ? (byte)value
        : throw new RuleException($"invalid ICMP {what} `{text}', out of range: 0 to 255{RuleNumber.Remark(text)}");
}
