using System.Buffers.Binary;
using Emu.Compiler;
using Emu.Compiler.IR;
using Emu.Protocols;

namespace Emu.Simulation;

/// <summary>
/// Frames like a given one with more headers than is common, for circuits that leave such frames to a slow path.
/// </summary>
internal static class RareFrames
{
    private const int ExtensionLength = 8, Options = 4, ManyTags = 3;

    /// <summary>Version 4, and a header of five words.</summary>
    private const byte NoOptions = 0x45;

    private static readonly byte[] s_tag = [VlanTag.Customer >> 8, VlanTag.Customer & 0xFF, 0, 1];

    /// <summary>A frame like another that a circuit defers, with the reason; null when none of these is.</summary>
    /// <param name="compiled">The circuit.</param>
    /// <param name="kind">The other frame.</param>
    public static (FrameKind Frame, SideExit Deferred)? Like(CompiledService compiled, FrameKind kind)
    {
        var frame = kind.Frame.Span;
        var paths = new FramePaths(compiled);
        foreach (var rare in (byte[][])[WithOptions(frame), WithHopByHopOptions(frame), WithTags(frame)])
        {
            if (paths.WhyDeferred(rare, kind.Ingress, KindMeasurement.Start) is { } deferred)
                return (new FrameKind(kind.Name, rare, 1, kind.Ingress), deferred);
        }
        return null;
    }

    /// <summary>An IPv4 packet with four options of one byte (RFC 791 §3.1: no operation).</summary>
    private static byte[] WithOptions(ReadOnlySpan<byte> frame)
    {
        const int End = FrameLength.Header + IPv4.MinHeaderLength;
        if (frame.Length < End || TypeOf(frame) != EtherType.IPv4 || frame[FrameLength.Header] != NoOptions) return [];
        byte[] longer = [.. frame[..End], 1, 1, 1, 1, .. frame[End..]];
        var packet = longer.AsSpan(FrameLength.Header);
        packet[0]++;
        var length = BinaryPrimitives.ReadUInt16BigEndian(packet[2..]);
        BinaryPrimitives.WriteUInt16BigEndian(packet[2..], (ushort)(length + Options));
        if (IPv4.TryParse(packet, out var ip)) ip.WriteHeaderChecksum();
        return longer;
    }

    /// <summary>An IPv6 packet with a hop-by-hop options header of padding alone (RFC 8200 §4.3).</summary>
    private static byte[] WithHopByHopOptions(ReadOnlySpan<byte> frame)
    {
        const int End = FrameLength.Header + IPv6.HeaderLength, NextHeader = FrameLength.Header + 6;
        if (frame.Length < End || TypeOf(frame) != EtherType.IPv6) return [];
        byte[] longer = [.. frame[..End], frame[NextHeader], 0, 1, 4, 0, 0, 0, 0, .. frame[End..]];
        longer[NextHeader] = 0;
        var length = BinaryPrimitives.ReadUInt16BigEndian(longer.AsSpan(FrameLength.Header + 4));
        BinaryPrimitives.WriteUInt16BigEndian(
            longer.AsSpan(FrameLength.Header + 4), (ushort)(length + ExtensionLength));
        return longer;
    }

    private static byte[] WithTags(ReadOnlySpan<byte> frame) =>
    [
        .. frame[..VlanTag.TypeOffset],
        .. Enumerable.Repeat(s_tag, ManyTags).SelectMany(tag => tag),
        .. frame[VlanTag.TypeOffset..],
    ];

    private static EtherType TypeOf(ReadOnlySpan<byte> frame) =>
        (EtherType)BinaryPrimitives.ReadUInt16BigEndian(frame[VlanTag.TypeOffset..]);
}
