using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;
using Emu.Simulation;

namespace Emu.Compiler.Tests;

/// <summary>
/// Bytes of tables are put into frames as they leave, from any index to any offset, frame behind frame and with stalls.
/// A frame's first bytes say which.
/// </summary>
public sealed class LeavingLoadsTests
{
    private const int LengthBits = 11;

    [Theory]
    [InlineData(64, 2, 300, true)]
    [InlineData(64, 5, 3, false)]
    [InlineData(128, 1, 77, false)]
    [InlineData(256, 3, 256, true)]
    [InlineData(512, 1, 1000, false)]
    [InlineData(512, 2, 9, false)]
    public void They_come_from_any_index_to_any_offset(int busBits, int cycles, int depth, bool outside)
    {
        var random = new Random(busBits + depth);
        var table = new Memory("text", 8, [.. Enumerable.Range(0, depth).Select(_ => (UInt128)random.Next(256))]);
        foreach (var stalls in (bool[])[false, true])
        {
            var frames = Enumerable.Range(0, 250).Select(_ => Frame(random, depth)).ToList();
            using var bench = new Bench(
                UnitBench.Simulator(Design(table, busBits, cycles).Netlist.Design, outside),
                stalls ? StallPattern.Random(5, 0.3) : null, stalls ? StallPattern.Random(6, 0.4) : null);
            foreach (var (i, frame) in frames.Index()) bench.Send(frame, new PortId(i % 4), 1_000 * (ulong)i);
            bench.RunUntilIdle();
            Assert.Equal(frames.Select(frame => Expected(frame, table)), bench.Received.Select(f => f.Bytes.ToArray()));
        }
    }

    /// <summary>A frame that says if bytes come of the table, the first one's offset and index, and how many.</summary>
    private static byte[] Frame(Random random, int depth)
    {
        var index = random.Next(depth);
        var count = random.Next(Math.Min(depth - index, 255) + 1);
        var offset = random.Next(3) > 0 ? random.Next(70) : random.Next(400);
        var frame = new byte[Math.Max(60, offset + count + random.Next(2) * random.Next(90))];
        random.NextBytes(frame);
        frame[0] = (byte)random.Next(4);
        (frame[1], frame[2], frame[3], frame[4], frame[5]) =
            ((byte)(offset >> 8), (byte)offset, (byte)(index >> 8), (byte)index, (byte)count);
        return frame;
    }

    private static byte[] Expected(byte[] frame, Memory table)
    {
        if (frame[0] == 0) return frame;
        var left = frame.ToArray();
        var (offset, index) = (frame[1] << 8 | frame[2], frame[3] << 8 | frame[4]);
        for (var i = 0; i < frame[5]; i++) left[offset + i] = (byte)table.Reset[index + i];
        return left;
    }

    private static UnitDesign Design(Memory table, int busBits, int cycles)
    {
        var options = new HardwareOptions { BusBits = busBits };
        var design = new UnitDesign("loads");
        var n = design.Netlist;
        var header = new HeaderWindow(n, options, 14);
        var fifo = new FrameFifo(n, options, header);
        fifo.HoldBeats(cycles);
        Value Later(Value value, UInt128? reset = null)
        {
            for (var i = 0; i < cycles; i++) value = n.Registered("stage", value, reset);
            return value;
        }
        var offset = n.Resize(n.Concat(header.Byte(1), header.Byte(2)), LengthBits);
        var index = n.Resize(n.Concat(header.Byte(3), header.Byte(4)), LengthBits);
        var isThere = n.Not(n.Equal(header.Byte(0), new Constant(8, 0)));
        var end = n.Add(offset, n.Resize(header.Byte(5), LengthBits));
        var loaded = new LoadedBytes(
            table, n.Subtract(index, offset), offset, n.Select(isThere, end, new Constant(LengthBits, 0)));
        var loads = new LeavingLoads(
            n, options.Lanes, [new LeavingFrame([], [], [], [], [loaded], Cleared: null)], isFast: cycles == 2);
        loads.Keep(value => Later(value));
        var rewriter = new HeaderRewriter(n, options.Lanes, [[]], [[]]);
        var signals = fifo.Build(
            Later(header.Start, 0), [new Constant(4, 1)], rewriter, resizer: null, unit: loads, slowPath: null);
        header.GoOn(signals.HasRoom);
        return design;
    }
}
