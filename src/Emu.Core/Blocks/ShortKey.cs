namespace Emu;

/// <summary>
/// Byte strings of up to 15 bytes as numbers, so that two are compared at once, however long they are: most keys of
/// caches are so short.
/// </summary>
public static class ShortKey
{
    /// <summary>The bytes of the longest: 15.</summary>
    public const int MaxLength = 15;

    private const int OctetBits = 8;

    /// <summary>
    /// The number of a string: its length in the highest byte, its bytes behind that, and zeros. No two have the same,
    /// and none has 0 but the empty one.
    /// </summary>
    /// <param name="key">The string, of 15 bytes at most.</param>
    public static UInt128 Of(ReadOnlySpan<byte> key)
    {
        var number = (UInt128)(uint)key.Length << MaxLength * OctetBits;
        for (var i = 0; i < MaxLength; i++)
            if (i < key.Length) number |= (UInt128)key[i] << (MaxLength - 1 - i) * OctetBits;
        return number;
    }
}
