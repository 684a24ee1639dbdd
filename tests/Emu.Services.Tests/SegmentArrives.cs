namespace Emu.Services.Tests;

/// <summary>
/// The answer of RFC 9293 §3.10.7.1 and §3.10.7.2 to a segment where there is no connection, read from its text and
/// nothing else: numbers as long, modulo 2³² at the end.
/// </summary>
/// <param name="Sequence">SEQ of the answer.</param>
/// <param name="Acknowledgement">ACK of the answer.</param>
/// <param name="Flags">CTL of the answer.</param>
internal sealed record SegmentArrives(uint Sequence, uint Acknowledgement, byte Flags)
{
    private const byte Fin = 1, Syn = 2, Rst = 4, Ack = 16;

    /// <summary>The answer; null when there is none.</summary>
    /// <param name="isListening">The state: LISTEN, or CLOSED.</param>
    /// <param name="sequence">SEG.SEQ</param>
    /// <param name="acknowledgement">SEG.ACK</param>
    /// <param name="flags">SEG.CTL</param>
    /// <param name="data">The bytes that it carries.</param>
    /// <param name="initial">ISS, if it opens a connection.</param>
    public static SegmentArrives? At(
        bool isListening, uint sequence, uint acknowledgement, byte flags, int data, uint initial)
    {
        bool Has(byte flag) => (flags & flag) == flag;
        var length = data + new[] { Syn, Fin }.Count(Has);
        return (isListening, Has(Rst), Has(Ack), Has(Syn)) switch
        {
            // "An incoming segment containing a RST is discarded", "An incoming RST segment [...] should be ignored"
            (_, true, _, _) => null,
            (_, false, true, _) => new SegmentArrives(acknowledgement, 0, Rst), // <SEQ=SEG.ACK><CTL=RST>
            // <SEQ=0><ACK=SEG.SEQ+SEG.LEN>
            (false, false, false, _) =>
                new SegmentArrives(0, (uint)((sequence + (ulong)length) % (1UL << 32)), Rst | Ack),
            // <SEQ=ISS><ACK=RCV.NXT>
            (true, false, false, true) =>
                new SegmentArrives(initial, (uint)((sequence + 1UL) % (1UL << 32)), Syn | Ack),
            (true, false, false, false) => null, // "Drop the segment and return."
        };
    }
}
