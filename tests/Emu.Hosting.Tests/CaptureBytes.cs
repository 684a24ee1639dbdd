using System.Buffers.Binary;

namespace Emu.Hosting.Tests;

/// <summary>
/// Builds capture files field by field, in either byte order, right or wrong:
/// independent of the writer that is under test.
/// </summary>
internal sealed class CaptureBytes(bool isBigEndian)
{
    private readonly List<byte> _bytes = [];

    public CaptureBytes U16(int value)
    {
        Span<byte> bytes = stackalloc byte[2];
        BinaryPrimitives.WriteUInt16LittleEndian(bytes, (ushort)value);
        return Ordered(bytes);
    }

    public CaptureBytes U32(uint value)
    {
        Span<byte> bytes = stackalloc byte[4];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, value);
        return Ordered(bytes);
    }

    public CaptureBytes U64(ulong value)
    {
        Span<byte> bytes = stackalloc byte[8];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, value);
        return Ordered(bytes);
    }

    public CaptureBytes Raw(params ReadOnlySpan<byte> bytes)
    {
        _bytes.AddRange(bytes);
        return this;
    }

    public CaptureBytes Padded(ReadOnlySpan<byte> bytes)
    {
        Raw(bytes);
        while (_bytes.Count % 4 != 0) _bytes.Add(0);
        return this;
    }

    public CaptureBytes PcapHeader(uint magic = 0xA1B2C3D4, uint linkType = 1) =>
        U32(magic).U16(2).U16(4).U32(0).U32(0).U32(65535).U32(linkType);

    public CaptureBytes PcapRecord(uint seconds, uint fraction, byte[] frame, int? original = null) =>
        U32(seconds).U32(fraction).U32((uint)frame.Length).U32((uint)(original ?? frame.Length)).Raw(frame);

    public CaptureBytes Block(uint type, Action<CaptureBytes> body)
    {
        var content = new CaptureBytes(isBigEndian);
        body(content);
        var length = (uint)content._bytes.Count + 12;
        return U32(type).U32(length).Raw([.. content._bytes]).U32(length);
    }

    public CaptureBytes Section() => Block(0x0A0D0D0A, b => b.U32(0x1A2B3C4D).U16(1).U16(0).U64(ulong.MaxValue));

    public CaptureBytes Interface(
        byte? resolution = null, ulong? offset = null, uint snapLength = 0, int linkType = 1) =>
        Block(1, b =>
        {
            b.U16(linkType).U16(0).U32(snapLength);
            b.U16(2).U16(3).Padded("eth"u8);
            if (resolution is { } r) b.U16(9).U16(1).Padded([r]);
            if (offset is { } o) b.U16(14).U16(8).U64(o);
            b.U16(0).U16(0);
        });

    public CaptureBytes Packet(
        ulong timestamp, byte[] frame, uint number = 0, uint? flags = null, int? original = null) =>
        Block(6, b =>
        {
            b.U32(number).U32((uint)(timestamp >> 32))
                .U32((uint)timestamp).U32((uint)frame.Length).U32((uint)(original ?? frame.Length)).Padded(frame);
            if (flags is { } f) b.U16(1).U16(5).Padded("hello"u8).U16(2).U16(4).U32(f).U16(0).U16(0);
        });

    public byte[] ToArray() => [.. _bytes];

    private CaptureBytes Ordered(Span<byte> littleEndian)
    {
        if (isBigEndian) littleEndian.Reverse();
        return Raw(littleEndian);
    }
}
