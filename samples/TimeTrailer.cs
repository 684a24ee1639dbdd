using System.Buffers.Binary;

namespace Emu.Samples;

/// <summary>
/// Appends to each frame when and where it came, as switches for captures do: what is behind the network sees the delay
/// of each packet by the trailer.
/// </summary>
/// <remarks>
/// The trailer has 12 bytes: the time in nanoseconds (8), the number of the port (2), and 0xE5A7 (2). It stands behind
/// the frame's last byte, so headers, lengths and checksums stay as they are. Frames of more than 1,514 bytes leave as
/// they came.
/// </remarks>
/// <example>--collector 2</example>
/// <param name="collector">The port by which frames leave with their trailer; they are not forwarded elsewhere.</param>
public sealed class TimeTrailer(byte collector = 2) : Service
{
    private const int TrailerLength = 12;
    private const ushort Mark = 0xE5A7;

    /// <summary>Frames that left with a trailer.</summary>
    public Counter Marked { get; } = new();

    /// <summary>Frames that were too long for one.</summary>
    public Counter TooLong { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        frame.ForwardTo(new PortId(collector));
        var end = frame.Length;
        if (end > 1514 - TrailerLength)
        {
            TooLong.Increment();
            return;
        }
        frame.Resize(end + TrailerLength);
        var trailer = frame.Bytes[end..];
        BinaryPrimitives.WriteUInt64BigEndian(trailer, frame.Time);
        BinaryPrimitives.WriteUInt16BigEndian(trailer[8..], (ushort)frame.Ingress.Index);
        BinaryPrimitives.WriteUInt16BigEndian(trailer[10..], Mark);
        Marked.Increment();
    }
}
