using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;

namespace Emu;

/// <summary>An IPv6 address (RFC 4291).</summary>
/// <param name="bits">The address as a number, its first octet on the wire in bits 127:120.</param>
public readonly struct IPv6Address(UInt128 bits) : ITableKey<IPv6Address>, IParsable<IPv6Address>
{
    /// <summary>The octets on the wire: 16.</summary>
    public const int Length = 16;

    /// <summary>128.</summary>
    public static int Width => 128;

    /// <summary>The address as a number, its first octet on the wire in bits 127:120.</summary>
    public UInt128 Bits { get; } = bits;

    /// <inheritdoc/>
    public UInt128 KeyBits => Bits;

    /// <summary>True if it is <c>::</c> (RFC 4291 §2.5.2).</summary>
    public bool IsUnspecified => Bits == UInt128.Zero;

    /// <summary>True if it is <c>::1</c>, which must not appear outside a node (RFC 4291 §2.5.3).</summary>
    public bool IsLoopback => Bits == UInt128.One;

    /// <summary>True if it is in ff00::/8 (RFC 4291 §2.7).</summary>
    public bool IsMulticast => Bits >> 120 == 0xFF;

    /// <summary>
    /// The group that neighbour solicitations for this address are sent to, ff02::1:ffXX:XXXX (RFC 4291 §2.7.1).
    /// </summary>
    public IPv6Address SolicitedNode =>
        new(new UInt128(0xFF02_0000_0000_0000, 0x0000_0001_FF00_0000) | (Bits & 0xFF_FFFF));

    /// <summary>
    /// The MAC group address that frames to this multicast address are sent to, 33-33-XX-XX-XX-XX (RFC 2464 §7).
    /// </summary>
    public MacAddress MulticastMac => new(0x3333_0000_0000 | (ulong)(Bits & 0xFFFF_FFFF));

    /// <summary>
    /// The link-local address of an interface: fe80::/64 (RFC 4291 §2.5.6) and the modified EUI-64 of its MAC address
    /// (appendix A; RFC 2464 §5).
    /// </summary>
    public static IPv6Address LinkLocal(MacAddress mac)
    {
        const ulong UniversalLocal = 0x0200_0000_0000_0000;
        const ulong Middle = 0x0000_00FF_FE00_0000;
        var interfaceId = (mac.Bits >> 24 << 40 | Middle | mac.Bits & 0xFF_FFFF) ^ UniversalLocal;
        return new IPv6Address(new UInt128(0xFE80_0000_0000_0000, interfaceId));
    }

    /// <summary>Reads the text forms of RFC 4291 §2.2; no zone.</summary>
    /// <exception cref="FormatException">The text is no such address.</exception>
    public static IPv6Address Parse(string s, IFormatProvider? provider = null) =>
        TryParse(s, provider, out var address)
            ? address
            : throw new FormatException($"'{s}' is not an IPv6 address such as fd00::2");

    /// <inheritdoc cref="Parse"/>
    public static bool TryParse(string? s, IFormatProvider? provider, out IPv6Address result)
    {
        result = default;
        if (s is null || s.AsSpan().ContainsAny('%', '[', '/')) return false;
        if (!IPAddress.TryParse(s, out var parsed) || parsed.AddressFamily != AddressFamily.InterNetworkV6)
            return false;
        result = new IPv6Address(BinaryPrimitives.ReadUInt128BigEndian(parsed.GetAddressBytes()));
        return true;
    }

    /// <inheritdoc/>
    public bool Equals(IPv6Address other) => Bits == other.Bits;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is IPv6Address other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => Bits.GetHashCode();

    /// <summary>The text form of RFC 5952.</summary>
    public override string ToString()
    {
        Span<byte> octets = stackalloc byte[Length];
        BinaryPrimitives.WriteUInt128BigEndian(octets, Bits);
        return new IPAddress(octets).ToString();
    }

    /// <summary>True if both are the same address.</summary>
    public static bool operator ==(IPv6Address left, IPv6Address right) => left.Bits == right.Bits;

    /// <summary>True if they are different addresses.</summary>
    public static bool operator !=(IPv6Address left, IPv6Address right) => left.Bits != right.Bits;
}
