using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;
using Emu.Simulation;

namespace Emu.Compiler.Tests;

/// <summary>
/// Bytes are put into frames as they leave, at any place, across beats and up to the last byte; at full rate and with
/// stalls. A frame's first bytes say where, and which of them.
/// </summary>
public sealed class ByteWindowTests
{
    private const int LengthBits = 11, Bytes = 19;

    [Theory]
    [InlineData(64, 2, true)]
    [InlineData(64, 5, false)]
    [InlineData(128, 1, false)]
    [InlineData(256, 3, false)]
    [InlineData(512, 1, false)]
    public void Bytes_are_put_in_at_any_place(int busBits, int cycles, bool outside)
    {
        var random = new Random(busBits);
        foreach (var stalls in (bool[])[false, true])
        {
            var frames = Enumerable.Range(0, 250).Select(_ => Frame(random)).ToList();
            using var bench = new Bench(
                UnitBench.Simulator(Design(busBits, cycles).Netlist.Design, outside),
                stalls ? StallPattern.Random(5, 0.3) : null, stalls ? StallPattern.Random(6, 0.4) : null);
            foreach (var (i, frame) in frames.Index()) bench.Send(frame, new PortId(i % 4), 1_000 * (ulong)i);
            bench.RunUntilIdle();
            Assert.Equal(frames.Select(Expected), bench.Received.Select(f => f.Bytes.ToArray()));
        }
    }

    private static byte[] Frame(Random random)
    {
        var place = random.Next(3) > 0 ? random.Next(70) : random.Next(256);
        var frame = new byte[Math.Max(60, place + Bytes + random.Next(2) * random.Next(90))];
        random.NextBytes(frame);
        (frame[1], frame[2]) = ((byte)random.Next(4), (byte)place);
        return frame;
    }

    /// <summary>Bytes of which some are always written, some by one bit, some by another.</summary>
    private static byte[] Expected(byte[] frame)
    {
        var left = frame.ToArray();
        for (var i = 0; i < Bytes; i++)
            if (i % 3 == 0 || (frame[1] >> i % 2 & 1) != 0) left[frame[2] + i] = (byte)(frame[5] ^ i);
        return left;
    }

    private static UnitDesign Design(int busBits, int cycles)
    {
        var options = new HardwareOptions { BusBits = busBits };
        var design = new UnitDesign("window");
        var n = design.Netlist;
        var header = new HeaderWindow(n, options, 14);
        var fifo = new FrameFifo(n, options, header);
        fifo.HoldBeats(cycles);
        Value Later(Value value, UInt128? reset = null)
        {
            for (var i = 0; i < cycles; i++) value = n.Registered("stage", value, reset);
            return value;
        }
        var placed = new PlacedBytes(n.Resize(header.Byte(2), LengthBits), [.. Enumerable.Range(0, Bytes).Select(i => (
            i, i % 3 == 0 ? new Constant(1, 1) : n.Extract(header.Byte(1), i % 2, 1),
            n.Make(Opcode.Xor, 8, header.Byte(5), new Constant(8, (UInt128)i))))]);
        var rewriter = new HeaderRewriter(n, options.Lanes, [[]], [[placed.At(value => Later(value))]]);
        var signals = fifo.Build(
            Later(header.Start, 0), [new Constant(4, 1)], rewriter, resizer: null, unit: null, slowPath: null);
        header.GoOn(signals.HasRoom);
        return design;
    }
}
