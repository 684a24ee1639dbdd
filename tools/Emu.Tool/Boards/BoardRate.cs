using System.Globalization;
using System.Text.Json.Serialization;

namespace Emu.Tool;

/// <summary>Frames that came by all MACs of a simulated board at once, as fast as their lines bring them.</summary>
/// <param name="Lines">The MACs.</param>
/// <param name="LineGbps">Gb/s of each line.</param>
/// <param name="Frames">Says what the frames are.</param>
/// <param name="FrameBytes">The bytes of each, without FCS.</param>
/// <param name="OfferedMfps">Frames that the lines bring, of all MACs together: millions a second.</param>
/// <param name="CarriedMfps">Frames that went to the service, in the same unit.</param>
/// <param name="Offered">The number of frames.</param>
/// <param name="LostBefore">
/// Frames of them that MACs dropped, since the board did not take them. Few frames may all find room in queues where
/// the service is too slow for them: that is seen in <paramref name="CarriedMfps"/>.
/// </param>
/// <param name="LostBehind">Copies of frames that the output queues had no room for.</param>
/// <param name="Sent">Frames that left the board.</param>
internal sealed record BoardRate(
    int Lines, int LineGbps, string Frames, int FrameBytes, double OfferedMfps, double CarriedMfps, long Offered,
    long LostBefore, long LostBehind, long Sent)
{
    // Bytes of a frame's time on a line beside its own: FCS, preamble and the gap (IEEE 802.3).
    private const int LineOverhead = 24;

    /// <summary>The rate as a line for a person.</summary>
    [JsonIgnore]
    public string Text => string.Create(
        CultureInfo.InvariantCulture,
        $"{Lines} lines of {LineGbps} Gb/s, {Frames}, {FrameBytes} bytes: {OfferedMfps:0.00} million a second offered, "
        + $"{CarriedMfps:0.00} carried; {LostBefore} of {Offered} lost before the service, {LostBehind} copies behind "
        + $"it, {Sent} sent");

    /// <summary>
    /// The rate from two runs that differ by their numbers of frames: what both have in common, as the time of a
    /// frame's way to the service, is taken off.
    /// </summary>
    /// <param name="board">The board.</param>
    /// <param name="macs">Its MACs.</param>
    /// <param name="kind">Says what the frames are.</param>
    /// <param name="bytes">The bytes of each frame.</param>
    /// <param name="one">A frame of each MAC.</param>
    /// <param name="many">Many of each.</param>
    public static BoardRate Of(Board board, int macs, string kind, int bytes, BenchRate one, BenchRate many) => new(
        macs, board.LineGbps, kind, bytes,
        macs * board.LineGbps * 1000.0 / (8 * (bytes + LineOverhead)),
        (double)(many.Sent - many.Dropped - one.Sent + one.Dropped) * board.ClockMhz / (many.Cycles - one.Cycles),
        many.Sent, many.Dropped, many.QueueDrops, many.Received);
}
