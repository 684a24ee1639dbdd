using System.Numerics;
using System.Runtime.InteropServices;

namespace Emu;

/// <summary>
/// The ones' complement checksum of IP, ICMP, UDP and TCP (RFC 1071), and its incremental update (RFC 1624).
/// </summary>
/// <remarks>
/// Sums are carried unfolded in 64 bits, big-endian 16-bit words of the data as numbers; a buffer of odd length counts
/// as if a byte of 0 followed. Partial sums of parts of even length add up to the sum of the whole.
/// </remarks>
public static class InternetChecksum
{
    /// <summary>The sum of the 16-bit words of <paramref name="bytes"/>, 0 only if all are 0.</summary>
    [Intrinsic(IntrinsicOperation.OnesComplementSum)]
    public static ulong Sum(ReadOnlySpan<byte> bytes)
    {
        // A ones' complement sum can be taken in any byte order and over 32-bit words,
        // and swapped at the end (RFC 1071 §2 (B), (C)).
        var words = MemoryMarshal.Cast<byte, uint>(bytes);
        var sum = SumWords(words);

        var rest = bytes[(words.Length * sizeof(uint))..];
        if (rest.Length >= 2) sum += MemoryMarshal.Read<ushort>(rest);
        if ((rest.Length & 1) != 0) sum += BitConverter.IsLittleEndian ? rest[^1] : (uint)rest[^1] << 8;

        var folded = Fold(sum);
        return BitConverter.IsLittleEndian ? System.Buffers.Binary.BinaryPrimitives.ReverseEndianness(folded) : folded;
    }

    /// <summary>The sum of the two 16-bit words of a number: of an address, say, that is yet to be written.</summary>
    public static ulong Sum(uint words) => (words >> 16) + (ulong)(ushort)words;

    /// <summary>The sum of the eight 16-bit words of a number.</summary>
    public static ulong Sum(UInt128 words) =>
        Sum((uint)(words >> 96)) + Sum((uint)(words >> 64)) + Sum((uint)(words >> 32)) + Sum((uint)words);

    /// <summary>
    /// The sum of bytes that stand behind others, to add to the sum of these: behind an odd number of bytes the two of
    /// each word change places (RFC 1071 §2 (B)).
    /// </summary>
    /// <param name="length">The number of bytes in front of them.</param>
    /// <param name="sum">Their <see cref="Sum(ReadOnlySpan{byte})"/>.</param>
    public static ulong Behind(int length, ushort sum) =>
        (length & 1) == 0 ? sum : (ulong)(ushort)(sum << 8 | sum >> 8);

    /// <summary>The checksum field for data whose sum, that field taken as 0, is <paramref name="sum"/>.</summary>
    public static ushort Finish(ulong sum) => (ushort)~Fold(sum);

    /// <summary>The checksum field for <paramref name="bytes"/>, in which that field is 0.</summary>
    public static ushort Compute(ReadOnlySpan<byte> bytes) => Finish(Sum(bytes));

    /// <summary>True if data with this sum, its checksum field included, is intact (RFC 1071 §1 (3)).</summary>
    public static bool IsValid(ulong sum) => Fold(sum) == ushort.MaxValue;

    /// <summary>
    /// The checksum field after one 16-bit word of the data has changed: HC' = ~(~HC + ~m + m') (RFC 1624 eqn. 3).
    /// </summary>
    /// <param name="checksum">The field as it was.</param>
    /// <param name="before">The word as it was.</param>
    /// <param name="after">The word as it is now.</param>
    public static ushort Update(ushort checksum, ushort before, ushort after) =>
        (ushort)~Fold((uint)(ushort)~checksum + (ushort)~before + after);

    /// <summary>
    /// The amount by which a sum changes when two 16-bit words of the data do; changes of several words add up.
    /// </summary>
    /// <param name="before">The words as they were.</param>
    /// <param name="after">The words as they are now.</param>
    public static ulong Change(uint before, uint after) => Sum(~before) + Sum(after);

    /// <summary>
    /// The change that takes another back: that of a checksum which follows a change of its data,
    /// in data that has a checksum of its own.
    /// </summary>
    /// <param name="change">The sum of <see cref="Change"/> of up to four words.</param>
    public static ulong Back(ulong change) => 8 * (ulong)ushort.MaxValue - change;

    /// <summary>The checksum field after the data has changed: HC' = ~(~HC + ~m + m') (RFC 1624 eqn. 3).</summary>
    /// <param name="checksum">The field as it was.</param>
    /// <param name="change">The sum of <see cref="Change"/> of all words that changed.</param>
    public static ushort Update(ushort checksum, ulong change) => Finish((ushort)~checksum + change);

    private static ushort Fold(uint sum)
    {
        sum = (sum & 0xFFFF) + (sum >> 16);
        return (ushort)(sum + (sum >> 16));
    }

    [Intrinsic(IntrinsicOperation.OnesComplementFold)]
    private static ushort Fold(ulong sum)
    {
        sum = (sum & 0xFFFF_FFFF) + (sum >> 32);
        sum = (sum & 0xFFFF) + (sum >> 16 & 0xFFFF) + (sum >> 32);
        sum = (sum & 0xFFFF) + (sum >> 16);
        return (ushort)((sum & 0xFFFF) + (sum >> 16));
    }

    private static ulong SumWords(ReadOnlySpan<uint> words)
    {
        var sum = 0UL;
        if (Vector.IsHardwareAccelerated && words.Length >= 2 * Vector<uint>.Count)
        {
            var vectors = MemoryMarshal.Cast<uint, Vector<uint>>(words);
            var sums = Vector<ulong>.Zero;
            foreach (var vector in vectors)
            {
                Vector.Widen(vector, out var low, out var high);
                sums += low + high;
            }
            sum = Vector.Sum(sums);
            words = words[(vectors.Length * Vector<uint>.Count)..];
        }
        foreach (var word in words) sum += word;
        return sum;
    }
}
