using KiwiSystem;

namespace Emu.Samples;

/// <summary>
/// Reads a word of a serial memory over SPI (mode 0), at the clock level: the command 0x03, an address of 24 bits, then
/// 16 bits of data. The clock of the memory is half that of the circuit.
/// </summary>
internal static class SerialMemoryReader
{
    private const uint ReadCommand = 0x03;
    private const int AddressBits = 24, CommandBits = 32, DataBits = 16;

    [Kiwi.InputBitPort("valid")]
    private static bool s_valid;

    [Kiwi.InputWordPort("address")]
    private static byte s_address;

    [Kiwi.OutputBitPort("done")]
    private static bool s_done;

    [Kiwi.OutputWordPort("result")]
    private static ushort s_result;

    [Kiwi.InputBitPort("miso")]
    private static bool s_miso;

    [Kiwi.OutputBitPort("sclk")]
    private static bool s_sclk;

    [Kiwi.OutputBitPort("mosi")]
    private static bool s_mosi;

    [Kiwi.OutputBitPort("cs_n")]
    private static bool s_notSelected = true;

    /// <summary>Answers one call after the other.</summary>
    [Kiwi.HardwareEntryPoint]
    public static void Run()
    {
        while (true)
        {
            do
            {
                Kiwi.Pause();
                (s_done, s_result) = (false, 0);
            }
            while (!s_valid);

            s_notSelected = false;
            var command = ReadCommand << AddressBits | s_address;
            for (var bit = 0; bit < CommandBits; bit++)
            {
                Cycle((command & 0x8000_0000) != 0);
                command <<= 1;
            }
            uint data = 0;
            for (var bit = 0; bit < DataBits; bit++) data = data << 1 | (Cycle(false) ? 1u : 0);

            (s_sclk, s_notSelected) = (false, true);
            (s_done, s_result) = (true, (ushort)data);
        }
    }

    /// <summary>
    /// A cycle of the memory's clock: a bit goes out before the rising edge, and one comes in with it.
    /// </summary>
    private static bool Cycle(bool bit)
    {
        (s_sclk, s_mosi) = (false, bit);
        Kiwi.Pause();
        s_sclk = true;
        Kiwi.Pause();
        return s_miso;
    }
}
