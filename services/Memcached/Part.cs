namespace Emu.Services;

/// <summary>A part of an answer.</summary>
/// <param name="Kind">The kind of part.</param>
/// <param name="Number">The number that it says.</param>
internal readonly record struct Part(PartKind Kind, ulong Number);

/// <summary>The kinds of parts of an answer.</summary>
internal enum PartKind : byte
{
    /// <summary>A text, one of <see cref="Phrases"/> by its number.</summary>
    Text,

    /// <summary>A number in decimal.</summary>
    Decimal,

    /// <summary>A number in four bytes.</summary>
    UInt32,

    /// <summary>A number in eight bytes.</summary>
    UInt64,

    /// <summary>The key of the command.</summary>
    Key,

    /// <summary>The value of the item.</summary>
    Value,

    /// <summary>A header of the binary protocol: bytes of the key, and in the upper half of the extras.</summary>
    Header,
}
