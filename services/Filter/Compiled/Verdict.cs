namespace Emu.Services;

/// <summary>
/// The fate of a packet. Numbers from <see cref="Reject"/> on are rejections, by their place among those of a program.
/// </summary>
internal enum Verdict : byte
{
    /// <summary>No rule has decided.</summary>
    None,

    Accept,

    Drop,

    Reject,
}
