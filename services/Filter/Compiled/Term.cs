namespace Emu.Services;

/// <summary>A comparison of one field with constants: whether its bits in a mask are, or are not, in a range.</summary>
internal readonly struct Term
{
    private Term(Field field, ulong mask, ulong first, ulong last, bool isNegated, bool endsClause)
    {
        (Field, Mask, First, Last, IsNegated, EndsClause) = (field, mask, first, last, isNegated, endsClause);
        IsExact = first == last;
    }

    public Field Field { get; }

    public ulong Mask { get; }

    public ulong First { get; }

    public ulong Last { get; }

    /// <summary>One value: a circuit compares for equality then, which is less than twice for order.</summary>
    public bool IsExact { get; }

    public bool IsNegated { get; }

    /// <summary>The last of those of which one must hold.</summary>
    public bool EndsClause { get; }

    public static Term Equal(Field field, ulong value, ulong mask = ulong.MaxValue, bool isNegated = false) =>
        new(field, mask, value & mask, value & mask, isNegated, true);

    public static Term Within(Field field, ulong first, ulong last, bool isNegated = false) => new(field, ulong.MaxValue, first, last, isNegated, true);

    /// <summary>Whether the field is one bit of a set.</summary>
    public static Term In(Field field, PortSet ports, bool isNegated = false) => new(field, ports.Bits, 0, 0, !isNegated, true);

    /// <summary>The same, as one of several of which the last only ends the clause.</summary>
    public Term As(bool endsClause) => new(Field, Mask, First, Last, IsNegated, endsClause);

    public bool Holds(ulong value)
    {
        var masked = value & Mask;
        return (IsExact ? masked == First : masked >= First & masked <= Last) != IsNegated;
    }
}
