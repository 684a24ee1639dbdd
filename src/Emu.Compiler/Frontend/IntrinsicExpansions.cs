using System.Buffers.Binary;

namespace Emu.Compiler.Frontend;

/// <summary>
/// The operations of <see cref="IntrinsicOperation"/> in the subset that compiles: translated where there is no unit
/// for one, in an engine or over an array.
/// </summary>
internal static class IntrinsicExpansions
{
    /// <summary>
    /// <see cref="IntrinsicOperation.OnesComplementSum"/>, eight bytes at a time: a step of a circuit (RFC 1071 §2 (C):
    /// over 32-bit words the sum is the same).
    /// </summary>
    public static ulong OnesComplementSum(ReadOnlySpan<byte> bytes)
    {
        var sum = 0UL;
        var at = 0;
        for (; at + 8 <= bytes.Length; at += 8)
        {
            var word = BinaryPrimitives.ReadUInt64BigEndian(bytes[at..]);
            sum += (word >> 32) + (word & 0xFFFF_FFFF);
        }
        if ((bytes.Length & 4) != 0)
        {
            sum += BinaryPrimitives.ReadUInt32BigEndian(bytes[at..]);
            at += 4;
        }
        if ((bytes.Length & 2) != 0)
        {
            sum += BinaryPrimitives.ReadUInt16BigEndian(bytes[at..]);
            at += 2;
        }
        if ((bytes.Length & 1) != 0) sum += (ulong)bytes[at] << 8;
        return OnesComplementFold(sum);
    }

    /// <summary><see cref="IntrinsicOperation.OnesComplementFold"/>.</summary>
    public static ulong OnesComplementFold(ulong sum)
    {
        sum = (sum & 0xFFFF_FFFF) + (sum >> 32);
        sum = (sum & 0xFFFF) + (sum >> 16 & 0xFFFF) + (sum >> 32);
        sum = (sum & 0xFFFF) + (sum >> 16);
        return (ushort)((sum & 0xFFFF) + (sum >> 16));
    }

    /// <summary><see cref="IntrinsicOperation.ClearGrowth"/>.</summary>
    public static void ClearGrowth(int old, Span<byte> bytes)
    {
        if (bytes.Length > old) bytes[old..].Clear();
    }
}
