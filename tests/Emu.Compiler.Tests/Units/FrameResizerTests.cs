using Emu.Simulation;

namespace Emu.Compiler.Tests;

/// <summary>
/// Frames are cut, filled up and moved as they leave, by less than a beat and by more, at full rate and with stalls.
/// </summary>
public sealed class FrameResizerTests
{
    [Theory]
    [InlineData(64, 2, true)]
    [InlineData(64, 7, false)]
    [InlineData(256, 3, false)]
    [InlineData(512, 1, false)]
    public void Frames_of_another_length_leave(int busBits, int cycles, bool outside)
    {
        var random = new Random(busBits);
        foreach (var stalls in (bool[])[false, true])
        {
            using var bench = FrameUnits.Bench(
                busBits, cycles, isResized: true, outside,
                stalls ? StallPattern.Random(5, 0.3) : null, stalls ? StallPattern.Random(6, 0.4) : null);
            FrameUnits.Check(bench, FrameUnits.Frames(random, 150, busBits / 8, isResized: true), isResized: true);
        }
    }
}
