namespace Emu.Clocked;

/// <summary>
/// A pause that the compiler has added in a soft region, in front of an instruction: the program is what it would be
/// with <c>Kiwi.Pause()</c> there.
/// </summary>
/// <param name="Method">The metadata token of the method.</param>
/// <param name="Offset">The offset of the instruction in its CIL.</param>
/// <param name="Place">The line of C#, with the calls that led there.</param>
/// <param name="Reason">What would not fit into one cycle without it.</param>
public sealed record ScheduledPause(int Method, int Offset, string Place, string Reason)
{
    /// <summary>
    /// The pauses that there are one behind another: one; where the instruction is a division, a pause for each bit.
    /// </summary>
    public int Count { get; init; } = 1;
}
