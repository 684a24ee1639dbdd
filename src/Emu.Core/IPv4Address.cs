using System.Net;
using System.Net.Sockets;

namespace Emu;

/// <summary>An IPv4 address (RFC 791 §3.2).</summary>
/// <param name="bits">The address as a number, its first octet on the wire in bits 31:24.</param>
public readonly struct IPv4Address(uint bits) : ITableKey<IPv4Address>, IParsable<IPv4Address>
{
    /// <summary>The octets on the wire: 4.</summary>
    public const int Length = 4;

    /// <summary>32.</summary>
    public static int Width => 32;

    /// <summary>The address as a number, its first octet on the wire in bits 31:24.</summary>
    public uint Bits { get; } = bits;

    /// <inheritdoc/>
    public UInt128 KeyBits => Bits;

    /// <summary>0.0.0.0, "this host on this network" (RFC 1122 §3.2.1.3 (a)).</summary>
    public bool IsUnspecified => Bits == 0;

    /// <summary>True if it is in 224.0.0.0/4 (RFC 5771).</summary>
    public bool IsMulticast => Bits >> 28 == 0xE;

    /// <summary>255.255.255.255, limited broadcast (RFC 919 §7).</summary>
    public bool IsBroadcast => Bits == uint.MaxValue;

    /// <summary>True if it is in 127.0.0.0/8, which must not appear outside a host (RFC 1122 §3.2.1.3 (g)).</summary>
    public bool IsLoopback => Bits >> 24 == 127;

    /// <summary>
    /// True if a packet can be from it: it is not unspecified, a group or loopback,
    /// none of which may be a source (RFC 1122 §3.2.1.3).
    /// </summary>
    public bool CanBeSource => !IsUnspecified && !IsMulticast && !IsBroadcast && !IsLoopback;

    /// <summary>Reads four numbers in decimal, separated by dots.</summary>
    /// <exception cref="FormatException">The text is no such address.</exception>
    public static IPv4Address Parse(string s, IFormatProvider? provider = null) =>
        TryParse(s, provider, out var address)
            ? address
            : throw new FormatException($"'{s}' is not an IPv4 address such as 10.0.0.2");

    /// <inheritdoc cref="Parse"/>
    public static bool TryParse(string? s, IFormatProvider? provider, out IPv4Address result)
    {
        result = default;
        // IPAddress takes short forms such as "10.2" and hexadecimal, which are surprises here.
        if (s is null || s.Split('.').Length != 4 || !s.All(c => c == '.' || char.IsAsciiDigit(c))) return false;
        if (!IPAddress.TryParse(s, out var parsed) || parsed.AddressFamily != AddressFamily.InterNetwork) return false;
        result = new IPv4Address(System.Buffers.Binary.BinaryPrimitives.ReadUInt32BigEndian(parsed.GetAddressBytes()));
        return true;
    }

    /// <inheritdoc/>
    public bool Equals(IPv4Address other) => Bits == other.Bits;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is IPv4Address other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => Bits.GetHashCode();

    /// <summary>Dotted decimal.</summary>
    public override string ToString() => $"{Bits >> 24}.{Bits >> 16 & 255}.{Bits >> 8 & 255}.{Bits & 255}";

    /// <summary>True if both are the same address.</summary>
    public static bool operator ==(IPv4Address left, IPv4Address right) => left.Bits == right.Bits;

    /// <summary>True if they are different addresses.</summary>
    public static bool operator !=(IPv4Address left, IPv4Address right) => left.Bits != right.Bits;
}
