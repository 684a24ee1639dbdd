using KiwiSystem;

namespace Emu.Samples;

/// <summary>
/// The remainder of a division, at the clock level: a cycle for each bit, since no cycle has time for a division. Bytes
/// of zeros at the top take a cycle each.
/// </summary>
internal static class SerialRemainder
{
    private const int Bits = 32;

    [Kiwi.InputBitPort("valid")]
    private static bool s_valid;

    [Kiwi.InputWordPort("dividend")]
    private static uint s_dividend;

    [Kiwi.InputWordPort("divisor")]
    private static byte s_divisor;

    [Kiwi.OutputBitPort("done")]
    private static bool s_done;

    [Kiwi.OutputWordPort("result")]
    private static byte s_result;

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

            var (dividend, divisor) = (s_dividend, s_divisor);
            var bits = Bits;
            for (; bits > 0 && dividend >> (Bits - 8) == 0; bits -= 8)
            {
                dividend <<= 8;
                Kiwi.Pause();
            }
            uint rest = 0;
            for (; bits > 0; bits--)
            {
                rest = rest << 1 | dividend >> (Bits - 1);
                if (rest >= divisor) rest -= divisor;
                dividend <<= 1;
                Kiwi.Pause();
            }
            (s_done, s_result) = (true, (byte)rest);
        }
    }
}
