namespace Emu.Hosting;

/// <summary>One packet of a capture file, in the reader's buffer until its next read.</summary>
/// <param name="bytes">The bytes of the frame that the file holds, without FCS.</param>
/// <param name="originalLength">The bytes that were on the wire, without FCS.</param>
/// <param name="time">Nanoseconds since 1970.</param>
/// <param name="captureInterface">The interface's number in its section, from 0.</param>
/// <param name="direction">The direction of the packet.</param>
public readonly ref struct CapturedPacket(
    ReadOnlySpan<byte> bytes, int originalLength, ulong time, int captureInterface, PacketDirection direction)
{
    /// <summary>The bytes of the frame that the file holds, without FCS.</summary>
    public ReadOnlySpan<byte> Bytes { get; } = bytes;

    /// <summary>The bytes that were on the wire, without FCS.</summary>
    public int OriginalLength { get; } = originalLength;

    /// <summary>Nanoseconds since 1970, as the file says: it may be less than that of the packet before.</summary>
    public ulong Time { get; } = time;

    /// <summary>The interface's number in its section, from 0.</summary>
    public int Interface { get; } = captureInterface;

    /// <summary>The direction of the packet.</summary>
    public PacketDirection Direction { get; } = direction;

    /// <summary>True if bytes at its end were not captured.</summary>
    public bool IsCutOff => Bytes.Length < OriginalLength;
}
