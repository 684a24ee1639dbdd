using System.Numerics;

namespace Emu;

/// <summary>A set of ports: none, one, several or all, one bit for each.</summary>
/// <param name="bits">Bit <i>i</i> stands for the port with index <i>i</i>.</param>
public readonly struct PortSet(ulong bits) : IEquatable<PortSet>, IParsable<PortSet>
{
    /// <summary>The most ports that a device can have on Linux.</summary>
    public const int MaxPorts = 64;

    /// <summary>No port.</summary>
    public static PortSet None => default;

    /// <summary>Bit <i>i</i> is set when the port with index <i>i</i> is a member.</summary>
    public ulong Bits { get; } = bits;

    /// <summary>True if there is no member.</summary>
    public bool IsEmpty => Bits == 0;

    /// <summary>The number of members.</summary>
    public int Count => BitOperations.PopCount(Bits);

    /// <summary>The set with one member; empty for <see cref="PortId.None"/>.</summary>
    public static PortSet Of(PortId port) => new(port.Index < MaxPorts ? 1UL << port.Index : 0);

    /// <summary>The ports 0 to <paramref name="count"/> - 1.</summary>
    /// <param name="count">0 to 64.</param>
    public static PortSet First(int count) => new(count < MaxPorts ? (1UL << count) - 1 : ulong.MaxValue);

    /// <summary>True if <paramref name="port"/> is a member.</summary>
    public bool Contains(PortId port) => !(this & Of(port)).IsEmpty;

    /// <summary>
    /// Reads a list of port numbers that are separated by commas, such as <c>0,2</c>; <c>none</c> is the empty set.
    /// </summary>
    /// <exception cref="FormatException">The text is no such list, or a number is above 63.</exception>
    public static PortSet Parse(string s, IFormatProvider? provider = null) =>
        TryParse(s, provider, out var ports)
            ? ports
            : throw new FormatException($"'{s}' is not a list of port numbers such as 0,2, or 'none'");

    /// <inheritdoc cref="Parse"/>
    public static bool TryParse(string? s, IFormatProvider? provider, out PortSet result)
    {
        result = None;
        if (s is null) return false;
        if (s == "none") return true;
        foreach (var part in s.Split(','))
        {
            if (!byte.TryParse(part, System.Globalization.NumberStyles.None, null, out var index) || index >= MaxPorts)
                return false;
            result |= Of(new PortId(index));
        }
        return true;
    }

    /// <inheritdoc/>
    public bool Equals(PortSet other) => Bits == other.Bits;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is PortSet other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => Bits.GetHashCode();

    /// <summary>
    /// The numbers of the members, separated by commas, or <c>none</c>: what <see cref="Parse"/> reads.
    /// </summary>
    public override string ToString()
    {
        var bits = Bits;
        return IsEmpty ? "none" : string.Join(',', Enumerable.Range(0, MaxPorts).Where(i => (bits >> i & 1) != 0));
    }

    /// <summary>The members of either.</summary>
    public static PortSet operator |(PortSet left, PortSet right) => new(left.Bits | right.Bits);

    /// <summary>The members of both.</summary>
    public static PortSet operator &(PortSet left, PortSet right) => new(left.Bits & right.Bits);

    /// <summary>The members of <paramref name="left"/> that are not in <paramref name="right"/>.</summary>
    public static PortSet operator -(PortSet left, PortSet right) => new(left.Bits & ~right.Bits);

    /// <summary>True if both have the same members.</summary>
    public static bool operator ==(PortSet left, PortSet right) => left.Bits == right.Bits;

    /// <summary>True if their members differ.</summary>
    public static bool operator !=(PortSet left, PortSet right) => left.Bits != right.Bits;
}
