using Emu.Protocols;

namespace Emu.Services;

/// <content>What is answered to a segment.</content>
public sealed partial class TcpPing
{
    /// <summary>RFC 9293 §3.10.7 on a segment; it is counted.</summary>
    private TcpAnswer Answer(Tcp segment, uint initialSequenceNumber)
    {
        var isListening = Array.IndexOf(_listening, segment.DestinationPort) >= 0;
        if (_completeHandshakes && isListening && InitialSequenceNumbers.IsCompletedBy(segment, initialSequenceNumber))
        {
            Handshakes.Increment();
            return default;
        }
        var window = _completeHandshakes ? OpenWindow : (ushort)0;
        var answer = TcpAnswer.To(segment, isListening, initialSequenceNumber, window);
        if (answer.Flags == TcpFlags.None) Unanswered.Increment();
        else if ((answer.Flags & TcpFlags.Syn) != 0) SynAcks.Increment();
        else Resets.Increment();
        return answer;
    }
}
