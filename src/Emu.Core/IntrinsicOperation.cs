namespace Emu;

/// <summary>The operations that a method can be, by <see cref="IntrinsicAttribute"/>.</summary>
public enum IntrinsicOperation
{
    /// <summary>
    /// The ones' complement sum of the 16-bit words of bytes, big-endian, with a byte of 0 behind an odd last one; in
    /// 16 bits, and 0 only if all bytes are (RFC 1071 §1). Takes a <see cref="ReadOnlySpan{T}"/> of bytes, gives a
    /// <see cref="ushort"/>, <see cref="uint"/> or <see cref="ulong"/>.
    /// </summary>
    OnesComplementSum,

    /// <summary>
    /// The ones' complement sum of the four 16-bit words of a number, in 16 bits, and 0 only if the number is. Takes a
    /// <see cref="ulong"/>, gives a <see cref="ushort"/>, <see cref="uint"/> or <see cref="ulong"/>.
    /// </summary>
    OnesComplementFold,

    /// <summary>
    /// Clears the bytes by which a frame has grown. Takes the length that it had so far as an <see cref="int"/>, and
    /// all its bytes as they are now as a <see cref="Span{T}"/>; if these are not more, it does nothing.
    /// </summary>
    ClearGrowth,
}
