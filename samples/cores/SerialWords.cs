namespace Emu.Samples;

/// <summary>Words that a board keeps in a serial memory: the circuit reads them over four wires.</summary>
internal static class SerialWords
{
    private const int CyclesOfRead = 97;

    /// <summary>
    /// Reads a word. It takes two cycles for each bit that goes over the wires, and one for the call.
    /// </summary>
    [Clocked(typeof(SerialMemoryReader), Cycles = nameof(CyclesOf), Model = typeof(SerialMemory))]
    public static ushort Read(byte address) => Contents(address);

    /// <summary>
    /// The image that is written to the memory: for each port those that its frames may leave by, all others but the
    /// next one.
    /// </summary>
    public static ushort Contents(byte address) => (ushort)(0xFF & ~(1 << (address & 7)) & ~(2 << (address & 7)));

    private static int CyclesOf(byte address) => CyclesOfRead;
}
