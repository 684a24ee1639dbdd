namespace Emu;

/// <summary>A 48-bit MAC address (IEEE 802-2014 §8.2).</summary>
/// <param name="bits">
/// The address in the low 48 bits, its first octet on the wire in bits 47:40; higher bits are ignored.
/// </param>
public readonly struct MacAddress(ulong bits) : ITableKey<MacAddress>, IParsable<MacAddress>
{
    /// <summary>The octets on the wire: 6.</summary>
    public const int Length = 6;

    /// <summary>FF-FF-FF-FF-FF-FF, all stations.</summary>
    public static MacAddress Broadcast => new(0xFFFF_FFFF_FFFF);

    /// <summary>48.</summary>
    public static int Width => 48;

    /// <summary>The address as a number below 2⁴⁸, its first octet on the wire in bits 47:40.</summary>
    public ulong Bits { get; } = bits & 0xFFFF_FFFF_FFFF;

    /// <inheritdoc/>
    public UInt128 KeyBits => Bits;

    /// <summary>
    /// True if it names a group of stations: the I/G bit, the lowest of the first octet, is 1 (IEEE 802-2014 §8.2.2).
    /// </summary>
    public bool IsGroup => (Bits >> 40 & 1) != 0;

    /// <summary>True if it names one station: the I/G bit is 0.</summary>
    public bool IsIndividual => !IsGroup;

    /// <summary>True if it is all ones.</summary>
    public bool IsBroadcast => Bits == 0xFFFF_FFFF_FFFF;

    /// <summary>
    /// True if no bridge may relay frames to it: 01-80-C2-00-00-00 to 01-80-C2-00-00-0F (IEEE 802.1D-2004 §7.12.6).
    /// </summary>
    public bool IsReservedForBridges => Bits >> 4 == 0x0180_C200_000;

    /// <summary>
    /// An address for a host that was given none: 02:00, so locally administered, and its IPv4 address.
    /// </summary>
    public static MacAddress Of(IPv4Address host) => new(0x0200_0000_0000 | (ulong)host.Bits);

    /// <summary>Reads six octets in hexadecimal, separated by colons or hyphens.</summary>
    /// <exception cref="FormatException">The text is no such address.</exception>
    public static MacAddress Parse(string s, IFormatProvider? provider = null) =>
        TryParse(s, provider, out var address)
            ? address
            : throw new FormatException($"'{s}' is not a MAC address such as 02:00:00:00:00:02");

    /// <inheritdoc cref="Parse"/>
    public static bool TryParse(string? s, IFormatProvider? provider, out MacAddress result)
    {
        result = default;
        var octets = s?.Split(s.Contains('-') ? '-' : ':') ?? [];
        if (octets.Length != Length) return false;

        var bits = 0UL;
        foreach (var text in octets)
        {
            if (text.Length != 2
                || !byte.TryParse(text, System.Globalization.NumberStyles.AllowHexSpecifier, null, out var octet))
                return false;
            bits = bits << 8 | octet;
        }
        result = new MacAddress(bits);
        return true;
    }

    /// <inheritdoc/>
    public bool Equals(MacAddress other) => Bits == other.Bits;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is MacAddress other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => Bits.GetHashCode();

    /// <summary>Six octets in lower-case hexadecimal, separated by colons, as Linux prints them.</summary>
    public override string ToString()
    {
        var bits = Bits;
        return string.Join(':', Enumerable.Range(0, Length).Select(i => ((byte)(bits >> (40 - 8 * i))).ToString("x2")));
    }

    /// <summary>True if both are the same address.</summary>
    public static bool operator ==(MacAddress left, MacAddress right) => left.Bits == right.Bits;

    /// <summary>True if they are different addresses.</summary>
    public static bool operator !=(MacAddress left, MacAddress right) => left.Bits != right.Bits;
}
