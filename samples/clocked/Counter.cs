using KiwiSystem;

namespace Emu.Samples.Clocked;

/// <summary>Counts the cycles in which it is enabled: the smallest program of the clock level.</summary>
/// <example>./emu compile Counter</example>
public static class Counter
{
    [Kiwi.InputBitPort("enable")]
    private static bool s_enable;

    [Kiwi.OutputWordPort("count")]
    private static uint s_count;

    /// <summary>The circuit.</summary>
    [Kiwi.HardwareEntryPoint]
    public static void Main()
    {
        while (true)
        {
            Kiwi.Pause();
            if (s_enable) s_count++;
        }
    }
}
