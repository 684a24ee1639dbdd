namespace Emu.Services.Zones;

/// <summary>Types of records and of questions that are treated by name (IANA "Resource Record (RR) TYPEs").</summary>
internal static class RecordType
{
    public const ushort A = 1;
    public const ushort NS = 2;
    public const ushort Cname = 5;
    public const ushort Soa = 6;
    public const ushort Ptr = 12;
    public const ushort Hinfo = 13;
    public const ushort MX = 15;
    public const ushort Txt = 16;
    public const ushort Aaaa = 28;
    public const ushort Srv = 33;
    public const ushort Opt = 41;
    public const ushort DS = 43;
    public const ushort Ixfr = 251;
    public const ushort Axfr = 252;
    public const ushort Any = 255;

    private static readonly Dictionary<string, ushort> s_numbers = new(StringComparer.OrdinalIgnoreCase)
    {
        ["A"] = A,
        ["NS"] = NS,
        ["CNAME"] = Cname,
        ["SOA"] = Soa,
        ["PTR"] = Ptr,
        ["HINFO"] = Hinfo,
        ["MX"] = MX,
        ["TXT"] = Txt,
        ["AAAA"] = Aaaa,
        ["SRV"] = Srv,
    };

    /// <summary>The number of a name, or of <c>TYPE</c> and a number (RFC 3597 §5).</summary>
    public static bool TryParse(string text, out ushort type) =>
        s_numbers.TryGetValue(text, out type)
        || text.StartsWith("TYPE", StringComparison.OrdinalIgnoreCase)
        && ushort.TryParse(text.AsSpan(4), System.Globalization.NumberStyles.None, null, out type);
}
