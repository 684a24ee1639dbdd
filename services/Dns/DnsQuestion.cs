using Emu.Services.Zones;
using static System.Buffers.Binary.BinaryPrimitives;

namespace Emu.Services;

/// <summary>The question of a message (RFC 1035 §4.1.2).</summary>
/// <param name="NameLength">The bytes of its name.</param>
/// <param name="Hash">The hash of its name.</param>
/// <param name="Type">QTYPE.</param>
/// <param name="Class">QCLASS.</param>
internal readonly record struct DnsQuestion(int NameLength, uint Hash, ushort Type, ushort Class)
{
    private const int MaxNameLength = 255;
    private const int MaxLabelLength = 63;
    private const int ClassOffset = 2;
    private const int TypeAndClassLength = 4;

    /// <summary>The bytes of the question.</summary>
    public int Length => NameLength + TypeAndClassLength;

    /// <summary>Reads the question; its name is not compressed, since nothing is in front of it.</summary>
    /// <param name="section">The message behind its header.</param>
    /// <param name="question">The question; not to be used if the answer is false.</param>
    /// <returns>False if it does not end, or has a label or a name that is too long.</returns>
    public static bool TryRead(ReadOnlySpan<byte> section, out DnsQuestion question)
    {
        question = default;
        var (hash, factor, rest, at) = (0u, 1u, 0, 0);
        for (; at < section.Length; at++)
        {
            var value = section[at];
            if (rest > 0) rest--;
            else if (value == 0) break;
            else if (value > MaxLabelLength) return false;
            else rest = value;
            hash += DomainName.Fold(value) * factor;
            factor = NameTable.NextFactor(factor);
        }
        var length = at + 1;
        if (length > MaxNameLength || length + TypeAndClassLength > section.Length) return false;
        question = new DnsQuestion(
            length, hash, ReadUInt16BigEndian(section[length..]),
            ReadUInt16BigEndian(section[(length + ClassOffset)..]));
        return true;
    }
}
