using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// The segment that answers another where there is no connection (RFC 9293 §3.10.7, SEGMENT ARRIVES).
/// </summary>
internal readonly struct TcpAnswer
{
    private readonly ushort _sourcePort;
    private readonly ushort _destinationPort;
    private readonly uint _sequenceNumber;
    private readonly uint _acknowledgmentNumber;
    private readonly ushort _window;

    private TcpAnswer(Tcp to, uint sequenceNumber, uint acknowledgmentNumber, TcpFlags flags, ushort window = 0)
    {
        (_sourcePort, _destinationPort) = (to.DestinationPort, to.SourcePort);
        (_sequenceNumber, _acknowledgmentNumber) = (sequenceNumber, acknowledgmentNumber);
        (Flags, _window) = (flags, window);
    }

    /// <summary>No flag if there is no answer.</summary>
    public TcpFlags Flags { get; }

    /// <summary>The sum of its fields, for the checksum. The sequence number comes last: it is known last.</summary>
    public ulong SumWith(ulong rest) =>
        rest + _sourcePort + _destinationPort + (ulong)Flags + _window
        + InternetChecksum.Sum(_acknowledgmentNumber) + InternetChecksum.Sum(_sequenceNumber);

    /// <summary>
    /// §3.10.7.1, CLOSED, and §3.10.7.2, LISTEN. Of a SYN that finds a listening port only the SYN is
    /// acknowledged, no data or FIN.
    /// </summary>
    /// <param name="segment">The segment that has arrived.</param>
    /// <param name="isListening">True if its port listens.</param>
    /// <param name="initialSequenceNumber">Of the connection that it may open.</param>
    /// <param name="window">The window of that connection, in bytes; a reset has none.</param>
    public static TcpAnswer To(Tcp segment, bool isListening, uint initialSequenceNumber, ushort window)
    {
        if (segment.IsRst) return default;
        if (segment.IsAck) return new TcpAnswer(segment, segment.AcknowledgmentNumber, 0, TcpFlags.Rst);
        var next = segment.SequenceNumber + (isListening ? 1 : (uint)segment.SegmentLength);
        if (!isListening) return new TcpAnswer(segment, 0, next, TcpFlags.Rst | TcpFlags.Ack);
        return segment.IsSyn
            ? new TcpAnswer(segment, initialSequenceNumber, next, TcpFlags.Syn | TcpFlags.Ack, window)
            : default;
    }

    /// <summary>Writes its fields; the checksum is the caller's.</summary>
    public void WriteTo(Tcp segment)
    {
        segment.SourcePort = _sourcePort;
        segment.DestinationPort = _destinationPort;
        segment.SequenceNumber = _sequenceNumber;
        segment.AcknowledgmentNumber = _acknowledgmentNumber;
        segment.Flags = Flags;
        segment.Window = _window;
    }
}
