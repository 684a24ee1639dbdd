namespace Emu.Fuzz;

/// <summary>An integer type of C#.</summary>
/// <param name="Name">Its keyword.</param>
/// <param name="Width">In bits.</param>
/// <param name="IsSigned">True if it has negative numbers.</param>
internal sealed record NumberType(string Name, int Width, bool IsSigned)
{
    public static readonly NumberType Byte = new("byte", 8, false);
    public static readonly NumberType Int = new("int", 32, true);
    public static readonly NumberType Uint = new("uint", 32, false);
    public static readonly NumberType Ulong = new("ulong", 64, false);

    /// <summary>All, those more often that services use more.</summary>
    public static readonly IReadOnlyList<NumberType> All =
    [
        Byte, Byte, new("sbyte", 8, true), new("short", 16, true), new("ushort", 16, false), new("ushort", 16, false),
        Int, Int, Int, Uint, Uint, new("long", 64, true), Ulong, Ulong, new("UInt128", 128, false),
        new("Int128", 128, true),
    ];

    /// <summary>True if operators give an int.</summary>
    public bool IsPromoted => Width < 32;
}
