namespace Emu.Services;

/// <summary>A comparison of one field with constants: whether its bits in a mask are, or are not, in a range.</summary>
internal readonly struct Term
{
    /// <summary>No packet.</summary>
    public static readonly Term Never = Within(Field.Protocol, 1, 0);

    private Term(Field field, ulong mask, ulong first, ulong last, bool isNegated)
    {
        (Field, Mask, First, Last, IsNegated) = (field, mask, first, last, isNegated);
        EndsClause = true;
    }

    public Field Field { get; }

    public ulong Mask { get; }

    public ulong First { get; }

    public ulong Last { get; }

    public bool IsNegated { get; }

    /// <summary>The last of those of which one must hold.</summary>
    public bool EndsClause { get; init; }

    public static Term Equal(Field field, ulong value, ulong mask = ulong.MaxValue, bool isNegated = false) =>
        new(field, mask, value & mask, value & mask, isNegated);

    public static Term Within(Field field, ulong first, ulong last, bool isNegated = false) =>
        new(field, ulong.MaxValue, first, last, isNegated);

    /// <summary>Holds if the field is one bit of a set.</summary>
    public static Term In(Field field, PortSet ports, bool isNegated = false) =>
        new(field, ports.Bits, 0, 0, !isNegated);

    /// <summary>Holds if a rate is not exceeded; its number is <see cref="First"/>.</summary>
    public static Term Limited(int limit) => Equal(Field.Limit, (ulong)limit);

    /// <summary>Holds if the packet's connection is in one of several states.</summary>
    public static Term In(ConnectionState states, bool isNegated = false) =>
        new(Field.ConnectionState, (ulong)states, 0, 0, !isNegated);

    public bool Holds(ulong value)
    {
        var masked = value & Mask;
        return (masked >= First && masked <= Last) != IsNegated;
    }
}
