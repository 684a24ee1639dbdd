using KiwiSystem;

namespace Emu.Samples;

/// <summary>
/// A serial memory as it stands on a board, for simulations: it takes a command and an address, and gives words from
/// there on, a bit behind each falling edge of its clock.
/// </summary>
internal static class SerialMemory
{
    private const int CommandBits = 32;

    [Kiwi.InputBitPort("sclk")]
    private static bool s_clock;

    [Kiwi.InputBitPort("mosi")]
    private static bool s_in;

    [Kiwi.InputBitPort("cs_n")]
    private static bool s_isNotSelected;

    [Kiwi.OutputBitPort("miso")]
    private static bool s_out;

    /// <summary>The circuit.</summary>
    [Kiwi.HardwareEntryPoint]
    public static void Run()
    {
        uint command = 0, word = 0;
        var (bits, wasHigh) = (0, false);
        while (true)
        {
            Kiwi.Pause();
            if (s_isNotSelected)
            {
                bits = 0;
                s_out = false;
            }
            else if (s_clock && !wasHigh && bits < CommandBits)
            {
                command = command << 1 | (s_in ? 1u : 0);
                if (++bits == CommandBits) word = SerialWords.Contents((byte)command);
            }
            else if (!s_clock && wasHigh && bits == CommandBits)
            {
                s_out = (word & 0x8000) != 0;
                word <<= 1;
            }
            wasHigh = s_clock;
        }
    }
}
