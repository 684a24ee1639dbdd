using Emu.Compiler.Layouts;

namespace Emu.Simulation;

/// <summary>As many engines as keep pace with a line, or as there is room for.</summary>
public static class EngineCount
{
    /// <summary>
    /// Adds engines until a frame takes no more than some cycles, or one more would need more LUTs than there are. The
    /// next number is computed from the last circuit, which is made and measured anew.
    /// </summary>
    /// <param name="one">The service with one engine, measured; a pipeline stays as it is.</param>
    /// <param name="mostCycles">The cycles that a frame may take.</param>
    /// <param name="mostLuts">The LUTs that there are, by estimate.</param>
    /// <param name="make">Makes and measures the service with a number of engines.</param>
    /// <returns>
    /// The last circuit; the first where that is fast enough, or there is no room for a second engine.
    /// </returns>
    public static Measurement Within(
        Measurement one, int mostCycles, long mostLuts, Func<int, Measurement> make)
    {
        ArgumentNullException.ThrowIfNull(one);
        ArgumentNullException.ThrowIfNull(make);
        ArgumentOutOfRangeException.ThrowIfLessThan(mostCycles, 1);
        for (var (best, most) = (one, HardwareOptions.MaxEngines); ;)
        {
            if (best.OneMoreEngine is not { } more) return best;
            var (engines, cycles) = (more.Engines - 1, best.Main.Interval);
            var needed = (cycles * engines + mostCycles - 1) / mostCycles;
            var room = engines + (mostLuts - best.Luts) / Math.Max(1, more.Luts);
            var next = (int)Math.Min(Math.Min(needed, room), most);
            if (cycles <= mostCycles || next <= engines) return best;
            var made = make(next);
            // Where beats of long answers keep the pace, more engines do not.
            if (made.Main.Interval >= cycles) return best;
            if (made.Luts > mostLuts) most = next - 1;
            else best = made;
        }
    }
}
