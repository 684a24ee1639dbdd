using KiwiSystem;

namespace Emu.Samples.Clocked;

/// <summary>
/// Reads a byte from a serial memory over SPI (mode 0): the command 0x03, an address of 24 bits, then eight bits of
/// data. The clock of the memory is half that of the circuit.
/// </summary>
/// <example>./emu compile SpiReader</example>
public static class SpiReader
{
    private const uint ReadCommand = 0x03;
    private const int AddressBits = 24, CommandBits = 32, DataBits = 8;

    [Kiwi.InputBitPort("start")]
    private static bool s_start;

    [Kiwi.InputWordPort("address")]
    private static uint s_address;

    [Kiwi.InputBitPort("miso")]
    private static bool s_miso;

    [Kiwi.OutputBitPort("sclk")]
    private static bool s_sclk;

    [Kiwi.OutputBitPort("mosi")]
    private static bool s_mosi;

    [Kiwi.OutputBitPort("cs_n")]
    private static bool s_notSelected = true;

    [Kiwi.OutputBitPort("done")]
    private static bool s_done;

    [Kiwi.OutputWordPort("data")]
    private static byte s_data;

    /// <summary>The circuit.</summary>
    [Kiwi.HardwareEntryPoint]
    public static void Main()
    {
        while (true)
        {
            do Kiwi.Pause();
            while (!s_start);

            s_done = false;
            s_notSelected = false;
            var command = ReadCommand << AddressBits | (s_address & 0xFF_FFFF);
            for (var bit = 0; bit < CommandBits; bit++)
            {
                Cycle((command & 0x8000_0000) != 0);
                command <<= 1;
            }
            uint data = 0;
            for (var bit = 0; bit < DataBits; bit++) data = data << 1 | (Cycle(false) ? 1u : 0);

            s_sclk = false;
            s_notSelected = true;
            s_data = (byte)data;
            s_done = true;
        }
    }

    /// <summary>
    /// A cycle of the memory's clock: a bit goes out before the rising edge, and one comes in with it.
    /// </summary>
    private static bool Cycle(bool bit)
    {
        s_sclk = false;
        s_mosi = bit;
        Kiwi.Pause();
        s_sclk = true;
        Kiwi.Pause();
        return s_miso;
    }
}
