using System.Buffers.Binary;

namespace Emu.Protocols;

/// <summary>
/// Numbers and addresses at an offset in bytes, in network byte order (RFC 791, appendix B). One that is not wholly
/// inside the bytes is a fault, which drops the frame: <see cref="ArgumentOutOfRangeException"/>.
/// </summary>
public static class NetworkOrder
{
    /// <summary>Reads a number of 16 bits.</summary>
    public static ushort GetUInt16(this Span<byte> bytes, int offset) =>
        BinaryPrimitives.ReadUInt16BigEndian(bytes[offset..]);

    /// <summary>Writes a number of 16 bits.</summary>
    public static void SetUInt16(this Span<byte> bytes, int offset, ushort value) =>
        BinaryPrimitives.WriteUInt16BigEndian(bytes[offset..], value);

    /// <summary>Reads a number of 32 bits.</summary>
    public static uint GetUInt32(this Span<byte> bytes, int offset) =>
        BinaryPrimitives.ReadUInt32BigEndian(bytes[offset..]);

    /// <summary>Writes a number of 32 bits.</summary>
    public static void SetUInt32(this Span<byte> bytes, int offset, uint value) =>
        BinaryPrimitives.WriteUInt32BigEndian(bytes[offset..], value);

    /// <summary>Reads a number of 64 bits.</summary>
    public static ulong GetUInt64(this Span<byte> bytes, int offset) =>
        BinaryPrimitives.ReadUInt64BigEndian(bytes[offset..]);

    /// <summary>Writes a number of 64 bits.</summary>
    public static void SetUInt64(this Span<byte> bytes, int offset, ulong value) =>
        BinaryPrimitives.WriteUInt64BigEndian(bytes[offset..], value);

    /// <summary>Reads a MAC address, of 6 bytes.</summary>
    public static MacAddress GetMacAddress(this Span<byte> bytes, int offset) =>
        new((ulong)bytes.GetUInt16(offset) << 32 | bytes.GetUInt32(offset + sizeof(ushort)));

    /// <summary>Writes a MAC address, of 6 bytes.</summary>
    public static void SetMacAddress(this Span<byte> bytes, int offset, MacAddress value)
    {
        bytes.SetUInt16(offset, (ushort)(value.Bits >> 32));
        bytes.SetUInt32(offset + sizeof(ushort), (uint)value.Bits);
    }

    /// <summary>Reads an IPv4 address, of 4 bytes.</summary>
    public static IPv4Address GetIPv4Address(this Span<byte> bytes, int offset) => new(bytes.GetUInt32(offset));

    /// <summary>Writes an IPv4 address, of 4 bytes.</summary>
    public static void SetIPv4Address(this Span<byte> bytes, int offset, IPv4Address value) =>
        bytes.SetUInt32(offset, value.Bits);

    /// <summary>Reads an IPv6 address, of 16 bytes.</summary>
    public static IPv6Address GetIPv6Address(this Span<byte> bytes, int offset) =>
        new(BinaryPrimitives.ReadUInt128BigEndian(bytes[offset..]));

    /// <summary>Writes an IPv6 address, of 16 bytes.</summary>
    public static void SetIPv6Address(this Span<byte> bytes, int offset, IPv6Address value) =>
        BinaryPrimitives.WriteUInt128BigEndian(bytes[offset..], value.Bits);
}
