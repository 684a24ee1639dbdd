namespace Emu.Protocols;

/// <summary>
/// The fields of a TCP header without options, as a value (RFC 9293 §3.1): those of a segment that is yet to be made.
/// </summary>
public readonly record struct TcpHeader
{
    /// <summary>The sender's port.</summary>
    public ushort SourcePort { get; init; }

    /// <summary>The receiver's port.</summary>
    public ushort DestinationPort { get; init; }

    /// <summary>The number of the first byte of data, or of the SYN.</summary>
    public uint SequenceNumber { get; init; }

    /// <summary>The next number that the sender expects, if it has ACK.</summary>
    public uint AcknowledgmentNumber { get; init; }

    /// <summary>All eight control bits.</summary>
    public TcpFlags Flags { get; init; }

    /// <summary>The bytes that the sender takes, before any window scale.</summary>
    public ushort Window { get; init; }

    /// <summary>Writes the fields; the checksum is the caller's.</summary>
    /// <param name="segment">The segment that has them then.</param>
    public void WriteTo(Tcp segment)
    {
        segment.SourcePort = SourcePort;
        segment.DestinationPort = DestinationPort;
        segment.SequenceNumber = SequenceNumber;
        segment.AcknowledgmentNumber = AcknowledgmentNumber;
        segment.Flags = Flags;
        segment.Window = Window;
    }

    /// <summary>
    /// A sum for the checksum, with that of the fields. The sequence number comes last: it is often known last.
    /// </summary>
    internal ulong SumWith(ulong rest) =>
        rest + SourcePort + DestinationPort + (ulong)Flags + Window
        + InternetChecksum.Sum(AcknowledgmentNumber) + InternetChecksum.Sum(SequenceNumber);
}
