namespace Emu.Hosting;

/// <summary>One packet of a capture file, in the reader's buffer until its next read.</summary>
/// <param name="bytes">What the file holds of the frame, without FCS.</param>
/// <param name="originalLength">The bytes that were on the wire, without FCS.</param>
/// <param name="time">Nanoseconds since 1970.</param>
/// <param name="captureInterface">The interface's number in its section, from 0.</param>
/// <param name="direction">Which way it went.</param>
public readonly ref struct CapturedPacket(
    ReadOnlySpan<byte> bytes, int originalLength, ulong time, int captureInterface, PacketDirection direction)
{
    /// <summary>What the file holds of the frame, without FCS.</summary>
    public ReadOnlySpan<byte> Bytes { get; } = bytes;

    /// <summary>The bytes that were on the wire, without FCS.</summary>
    public int OriginalLength { get; } = originalLength;

    /// <summary>Nanoseconds since 1970, as the file says: it may be less than that of the packet before.</summary>
    public ulong Time { get; } = time;

    /// <summary>The interface's number in its section, from 0.</summary>
    public int Interface { get; } = captureInterface;

    /// <summary>Which way it went.</summary>
    public PacketDirection Direction { get; } = direction;

    /// <summary>Whether bytes at its end were not captured.</summary>
    public bool IsCutOff => Bytes.Length < OriginalLength;
}
