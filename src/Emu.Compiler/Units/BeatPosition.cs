using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>The position of the next beat in its frame, one-hot.</summary>
internal static class BeatPosition
{
    /// <summary>Makes a bit for each of the first beats.</summary>
    /// <param name="n">The netlist in which it is made.</param>
    /// <param name="count">The number of bits.</param>
    /// <param name="steps">1 when a beat goes.</param>
    /// <param name="isLast">True if it is its frame's last.</param>
    public static List<Value> OneHot(Netlist n, int count, Value steps, Value isLast)
    {
        var beats = new List<Flop>();
        for (var i = 0; i < count; i++)
        {
            var beat = n.AddFlop($"leaving_beat_{i}", 1, i == 0 ? 1u : 0u);
            (beat.Next, beat.Enable) = (i == 0 ? isLast : n.And(beats[i - 1], n.Not(isLast)), steps);
            beats.Add(beat);
        }
        return [.. beats];
    }
}
