using System.Buffers.Binary;

namespace Emu.Protocols;

/// <summary>
/// Numbers and addresses at an offset, in network byte order. Views have checked that the field is inside.
/// </summary>
internal static class NetworkOrder
{
    public static ushort GetUInt16(this Span<byte> bytes, int offset) =>
        BinaryPrimitives.ReadUInt16BigEndian(bytes[offset..]);

    public static void SetUInt16(this Span<byte> bytes, int offset, ushort value) =>
        BinaryPrimitives.WriteUInt16BigEndian(bytes[offset..], value);

    public static uint GetUInt32(this Span<byte> bytes, int offset) =>
        BinaryPrimitives.ReadUInt32BigEndian(bytes[offset..]);

    public static void SetUInt32(this Span<byte> bytes, int offset, uint value) =>
        BinaryPrimitives.WriteUInt32BigEndian(bytes[offset..], value);

    public static ulong GetUInt64(this Span<byte> bytes, int offset) =>
        BinaryPrimitives.ReadUInt64BigEndian(bytes[offset..]);

    public static void SetUInt64(this Span<byte> bytes, int offset, ulong value) =>
        BinaryPrimitives.WriteUInt64BigEndian(bytes[offset..], value);

    public static MacAddress GetMacAddress(this Span<byte> bytes, int offset) =>
        new((ulong)bytes.GetUInt16(offset) << 32 | bytes.GetUInt32(offset + sizeof(ushort)));

    public static void SetMacAddress(this Span<byte> bytes, int offset, MacAddress value)
    {
        bytes.SetUInt16(offset, (ushort)(value.Bits >> 32));
        bytes.SetUInt32(offset + sizeof(ushort), (uint)value.Bits);
    }

    public static IPv4Address GetIPv4Address(this Span<byte> bytes, int offset) => new(bytes.GetUInt32(offset));

    public static void SetIPv4Address(this Span<byte> bytes, int offset, IPv4Address value) =>
        bytes.SetUInt32(offset, value.Bits);

    public static IPv6Address GetIPv6Address(this Span<byte> bytes, int offset) =>
        new(BinaryPrimitives.ReadUInt128BigEndian(bytes[offset..]));

    public static void SetIPv6Address(this Span<byte> bytes, int offset, IPv6Address value) =>
        BinaryPrimitives.WriteUInt128BigEndian(bytes[offset..], value.Bits);
}
