using System.Runtime.InteropServices;

namespace Emu.Hosting;

/// <summary>
/// <c>struct virtio_net_hdr</c> (linux/virtio_net.h), which stands before each frame of a packet socket that asked for
/// it: what the sender left to a device to do.
/// </summary>
[StructLayout(LayoutKind.Sequential, Size = 10)]
internal struct VirtioHeader
{
    private const byte NeedsChecksum = 1;       // VIRTIO_NET_HDR_F_NEEDS_CSUM
    private const byte NotJoined = 0;           // VIRTIO_NET_HDR_GSO_NONE

    private readonly byte _flags;
    private readonly byte _segmentation;
    private readonly ushort _headerLength;
    private readonly ushort _segmentLength;
    private readonly ushort _checksumStart;
    private readonly ushort _checksumOffset;

    /// <summary>True if the frame is several segments joined, which a device was to split.</summary>
    public readonly bool IsJoined => _segmentation != NotJoined;

    /// <summary>
    /// Completes the checksum that the sender left to a device. The field holds the sum of the pseudo-header; the bytes
    /// from the start to the frame's end are to be added. No protocol is looked at, so it works for all: TCP, UDP and
    /// ICMP, in IPv4 and IPv6, in tunnels.
    /// </summary>
    /// <param name="frame">The frame as it was sent, before its VLAN tag is put back.</param>
    /// <returns>False when the field is not within the frame.</returns>
    public readonly bool TryCompleteChecksum(Span<byte> frame)
    {
        if ((_flags & NeedsChecksum) == 0) return true;
        var field = _checksumStart + _checksumOffset;
        if (field + sizeof(ushort) > frame.Length) return false;
        var checksum = InternetChecksum.Compute(frame[_checksumStart..]);
        // A UDP checksum of 0 says that there is none (RFC 768); all ones means the same number, for every protocol.
        if (checksum == 0) checksum = ushort.MaxValue;
        System.Buffers.Binary.BinaryPrimitives.WriteUInt16BigEndian(frame[field..], checksum);
        return true;
    }
}
