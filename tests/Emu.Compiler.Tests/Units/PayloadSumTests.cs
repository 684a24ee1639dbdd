using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Units;

namespace Emu.Compiler.Tests;

/// <summary>The sum of a frame's bytes from an offset on, while its beats pass, is the reference's.</summary>
public sealed class PayloadSumTests
{
    private const int Frames = 100;
    private const int HeaderBytes = 42;

    [Theory]
    [InlineData(64, 34, true)]
    [InlineData(64, 41, false)]
    [InlineData(256, 14, false)]
    [InlineData(256, 34, false)]
    [InlineData(256, 33, false)]
    [InlineData(512, 15, false)]
    public void Sums_are_right_with_a_cycle_or_none_between_frames(int busBits, int offset, bool outside)
    {
        var options = new HardwareOptions { BusBits = busBits };
        var random = new Random(busBits + offset);
        using var bench = new UnitBench(Design(options, offset), outside);
        var driver = new StreamDriver(bench, busBits / 8);
        var frames = new List<byte[]>();
        for (var i = 0; i < Frames; i++)
        {
            frames.Add(new byte[i == 0 ? options.Capacity : HeaderBytes + (i < 70 ? i : random.Next(500))]);
            // All ones carry the most.
            if (i % 5 == 0) Array.Fill(frames[i], (byte)0xFF);
            else random.NextBytes(frames[i]);
            // The bytes that are summed: all from the offset on, or as many as the first byte says.
            frames[i][0] = (byte)random.Next(frames[i].Length - offset < 256 ? frames[i].Length - offset : 256);
            frames[i][1] = (byte)(i % 3 == 0 ? 1 : 0);
            driver.Send(frames[i]);
        }
        for (var (cycle, done) = (0, 0); done < Frames; cycle++)
        {
            Assert.True(cycle < 20_000, $"{done} sums are there");
            driver.Step(isHeldBack: cycle > 1000 && random.Next(3) == 0);
            if (!bench.Is("done")) continue;
            var frame = frames[done++];
            var count = frame[1] == 1 ? frame[0] : frame.Length - offset;
            var sum = InternetChecksum.Sum(frame.AsSpan(offset, count));
            Assert.Equal(Folded(sum), (uint)bench.Get("folded"));
            Assert.Equal(Folded(sum) == 0xFFFF, bench.Is("whole"));
        }
    }

    private static uint Folded(ulong sum)
    {
        while (sum > 0xFFFF) sum = (sum & 0xFFFF) + (sum >> 16);
        return (uint)sum;
    }

    private static UnitDesign Design(HardwareOptions options, int offset)
    {
        var design = new UnitDesign("payload_sum");
        var n = design.Netlist;
        var header = new HeaderWindow(n, options, HeaderBytes);
        header.GoOn(new Constant(1, 1));
        var count = n.Select(
            n.Extract(header.Byte(1), 0, 1), n.Resize(header.Byte(0), 16),
            n.Subtract(header.Length, new Constant(16, (UInt128)offset)));
        var sum = new PayloadSum(n, header, options, offset, without: 0, count, header.Byte, map: null);
        var stage = sum.MaskStage(_ => 0);
        Value Later(Value value, int cycles)
        {
            for (var i = 0; i < cycles; i++) value = n.Registered("later", value, 0);
            return value;
        }
        var total = sum.Build(stage, Later, _ => header.Start, null);
        design.Out("accept", header.Accept);
        design.Out("done", Later(header.Ends, stage + sum.Latency));
        design.Out("folded", PayloadSum.Folded(n, total));
        design.Out("whole", PayloadSum.IsWhole(n, total));
        return design;
    }
}
