using KiwiSystem;

namespace Emu.Samples.Clocked;

/// <summary>
/// Two threads with a handshake: one takes requests and counts them, the other divides, a bit a cycle, since no cycle
/// has time for a division.
/// </summary>
/// <example>./emu compile Divider</example>
public static class Divider
{
    private const int Bits = 32;

    [Kiwi.InputBitPort("request")]
    private static bool s_request;

    [Kiwi.InputWordPort("dividend")]
    private static uint s_dividend;

    [Kiwi.InputWordPort("divisor")]
    private static uint s_divisor;

    [Kiwi.OutputBitPort("done")]
    private static bool s_done;

    [Kiwi.OutputWordPort("quotient")]
    private static uint s_quotient;

    [Kiwi.OutputWordPort("remainder")]
    private static uint s_remainder;

    [Kiwi.OutputWordPort("requests")]
    private static uint s_requests;

    [Kiwi.Volatile]
    private static bool s_isAsked, s_isAnswered;

    private static uint s_number, s_by, s_answer, s_rest;

    /// <summary>The circuit.</summary>
    [Kiwi.HardwareEntryPoint]
    public static void Main()
    {
        new Thread(Divide).Start();
        while (true)
        {
            do Kiwi.Pause();
            while (!s_request);
            s_done = false;
            s_requests++;
            (s_number, s_by, s_isAsked) = (s_dividend, s_divisor, true);
            do Kiwi.Pause();
            while (!s_isAnswered);
            s_isAsked = false;
            (s_quotient, s_remainder, s_done) = (s_answer, s_rest, true);
            do Kiwi.Pause();
            while (s_isAnswered);
        }
    }

    private static void Divide()
    {
        while (true)
        {
            do Kiwi.Pause();
            while (!s_isAsked);
            uint quotient = s_number, rest = 0;
            for (var bit = 0; bit < Bits; bit++)
            {
                var next = (ulong)rest << 1 | quotient >> (Bits - 1);
                var fits = next >= s_by;
                rest = (uint)(fits ? next - s_by : next);
                quotient = quotient << 1 | (fits ? 1u : 0);
                Kiwi.Pause();
            }
            (s_answer, s_rest, s_isAnswered) = (quotient, rest, true);
            do Kiwi.Pause();
            while (s_isAsked);
            s_isAnswered = false;
        }
    }
}
