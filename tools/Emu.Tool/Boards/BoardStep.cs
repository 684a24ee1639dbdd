namespace Emu.Tool;

/// <summary>A frame that a service gets, and what leaves for it, or for the time that has passed before it.</summary>
/// <param name="Port">The port that it comes in by.</param>
/// <param name="Bytes">The frame, without FCS.</param>
/// <param name="Time">Nanoseconds since 1970.</param>
/// <param name="Sent">
/// The frames that leave, in the order of each port, one for each port that a frame leaves by.
/// </param>
internal sealed record BoardStep(
    int Port, byte[] Bytes, ulong Time, IReadOnlyList<(int Port, byte[] Bytes)> Sent);
