using Emu.Compiler.Layouts;
using Emu.Compiler.Units;

namespace Emu.Compiler.Tests;

/// <summary>The window shows each frame's first bytes once, in the cycle in which they are all there.</summary>
public sealed class HeaderWindowTests
{
    private const int Frames = 120;

    [Theory]
    [InlineData(64, 14, false)]
    [InlineData(64, 42, true)]
    [InlineData(64, 90, false)]
    [InlineData(256, 14, false)]
    [InlineData(256, 42, true)]
    [InlineData(256, 90, false)]
    [InlineData(512, 42, false)]
    public void Every_frame_is_shown_once(int busBits, int bytes, bool outside)
    {
        var options = new HardwareOptions { BusBits = busBits };
        var random = new Random(busBits + bytes);
        using var bench = new UnitBench(Design(options, bytes, out var least), outside);
        var driver = new StreamDriver(bench, busBits / 8);
        var frames = new List<byte[]>();
        // Of every length around the window's end, then of any.
        for (var i = 0; i < Frames; i++)
        {
            frames.Add(new byte[i < 60 ? 14 + i * bytes / 40 : random.Next(14, 300)]);
            random.NextBytes(frames[i]);
            driver.Send(frames[i]);
        }
        var (shown, ended, last) = (0, 0, -least);
        for (var cycle = 0; ended < Frames; cycle++)
        {
            Assert.True(cycle < 20_000, $"{shown} frames were shown");
            var stalls = cycle > 1000;
            bench.Set("go", !stalls || random.Next(4) > 0 ? 1u : 0u);
            driver.Step(isHeldBack: stalls && random.Next(3) == 0);
            if (bench.Is("ends")) ended++;
            if (!bench.Is("start")) continue;
            var frame = frames[shown];
            Assert.Equal(
                (frame.Length, 1 << 2 * (shown % 4), StreamDriver.TimeOf(shown)),
                ((int)bench.Get("length"), (int)bench.Get("source"), (ulong)bench.Get("time")));
            var there = Math.Min(frame.Length, bytes);
            Assert.Equal(frame[..there], bench.Bytes("header", bytes)[..there]);
            Assert.True(cycle - last >= least, $"frame {shown} takes {cycle - last} cycles of {least}");
            (shown, last) = (shown + 1, cycle);
        }
        Assert.Equal((Frames, Frames), (shown, driver.Accepted));
    }

    private static UnitDesign Design(HardwareOptions options, int bytes, out int least)
    {
        var design = new UnitDesign("window");
        var header = new HeaderWindow(design.Netlist, options, bytes);
        header.GoOn(design.In("go", 1));
        least = header.LeastBeats;
        design.Out("accept", header.Accept);
        design.Out("start", header.Start);
        design.Out("ends", header.Ends);
        design.Out("length", header.Length);
        design.Out("source", header.Source);
        design.Out("time", header.Time);
        design.Out("header", [.. Enumerable.Range(0, bytes).Select(header.Byte)]);
        return design;
    }
}
