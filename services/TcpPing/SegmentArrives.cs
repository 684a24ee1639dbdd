using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// The segment that answers another where there is no connection (RFC 9293 §3.10.7, SEGMENT ARRIVES).
/// </summary>
internal static class SegmentArrives
{
    /// <summary>
    /// §3.10.7.1, CLOSED, and §3.10.7.2, LISTEN. Of a SYN that finds a listening port only the SYN is
    /// acknowledged, no data or FIN.
    /// </summary>
    /// <param name="segment">The segment that has arrived.</param>
    /// <param name="isListening">True if its port listens.</param>
    /// <param name="initialSequenceNumber">Of the connection that it may open.</param>
    /// <param name="window">The window of that connection, in bytes; a reset has none.</param>
    /// <returns>The answer; it has no flag if there is none.</returns>
    public static TcpHeader Answer(Tcp segment, bool isListening, uint initialSequenceNumber, ushort window)
    {
        if (segment.IsRst) return default;
        var answer = new TcpHeader { SourcePort = segment.DestinationPort, DestinationPort = segment.SourcePort };
        if (segment.IsAck)
            return answer with { SequenceNumber = segment.AcknowledgmentNumber, Flags = TcpFlags.Rst };
        var next = segment.SequenceNumber + (isListening ? 1 : (uint)segment.SegmentLength);
        if (!isListening) return answer with { AcknowledgmentNumber = next, Flags = TcpFlags.Rst | TcpFlags.Ack };
        if (!segment.IsSyn) return default;
        return answer with
        {
            SequenceNumber = initialSequenceNumber,
            AcknowledgmentNumber = next,
            Flags = TcpFlags.Syn | TcpFlags.Ack,
            Window = window,
        };
    }
}
