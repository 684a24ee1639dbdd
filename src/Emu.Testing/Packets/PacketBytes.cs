using System.Buffers.Binary;

namespace Emu.Testing;

/// <summary>
/// Numbers in network order, and their sums. Written out plainly, not taken from Emu's own functions,
/// which tests check with it.
/// </summary>
internal static class PacketBytes
{
    /// <summary>
    /// RFC 1071 §1: the complement of the one's complement sum of 16-bit words,
    /// an odd last byte being the high one of a word.
    /// </summary>
    public static ushort Checksum(byte[] bytes)
    {
        var sum = 0;
        for (var i = 0; i < bytes.Length; i++) sum += i % 2 == 0 ? bytes[i] << 8 : bytes[i];
        while (sum > 0xFFFF) sum = (sum & 0xFFFF) + (sum >> 16);
        return (ushort)~sum;
    }

    /// <summary>Writes <paramref name="value"/> at <paramref name="offset"/>.</summary>
    public static byte[] With(this byte[] bytes, int offset, ushort value)
    {
        BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(offset), value);
        return bytes;
    }

    /// <summary>Two bytes.</summary>
    public static byte[] Of(ushort value) => [(byte)(value >> 8), (byte)value];

    /// <summary>Four bytes.</summary>
    public static byte[] Of(uint value) => [.. Of((ushort)(value >> 16)), .. Of((ushort)value)];

    /// <summary>The six octets.</summary>
    public static byte[] Of(MacAddress address) => [.. Of((ushort)(address.Bits >> 32)), .. Of((uint)address.Bits)];

    /// <summary>The four octets.</summary>
    public static byte[] Of(IPv4Address address) => Of(address.Bits);

    /// <summary>The sixteen octets.</summary>
    public static byte[] Of(IPv6Address address)
    {
        var bytes = new byte[16];
        BinaryPrimitives.WriteUInt128BigEndian(bytes, address.Bits);
        return bytes;
    }

    /// <summary>Appends bytes of 0 up to a multiple of four, as options need.</summary>
    public static byte[] PadToWords(byte[]? options) => [.. options ?? [], .. new byte[-(options?.Length ?? 0) & 3]];
}
