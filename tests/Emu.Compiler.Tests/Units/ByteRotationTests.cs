using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Units;
using Emu.Simulation;

namespace Emu.Compiler.Tests;

/// <summary>
/// Bytes are taken out of frames as they leave, any number behind any place, or are put in by a constant; at full rate
/// and with stalls. A frame's first bytes say how many, where, and whether.
/// </summary>
public sealed class ByteRotationTests
{
    private const int LengthBits = 11, MostHead = 127, MostGone = 255;

    /// <summary>The bytes that are put in behind the first few, and the value of each.</summary>
    private const int PutIn = 37, PutInAt = 5;

    private enum Kind
    {
        Takes,
        Puts,
        Keeps,
        Drops,
    }

    [Theory]
    [InlineData(64, 2, true)]
    [InlineData(64, 7, false)]
    [InlineData(128, 1, false)]
    [InlineData(256, 3, false)]
    [InlineData(512, 1, false)]
    public void Bytes_are_taken_out_of_frames(int busBits, int cycles, bool outside)
    {
        var random = new Random(busBits);
        foreach (var stalls in (bool[])[false, true])
        {
            var frames = Enumerable.Range(0, 250).Select(_ => Frame(random, busBits / 8)).ToList();
            using var bench = new Bench(
                UnitBench.Simulator(Design(busBits, cycles).Netlist.Design, outside),
                stalls ? StallPattern.Random(5, 0.3) : null, stalls ? StallPattern.Random(6, 0.4) : null);
            foreach (var (i, frame) in frames.Index()) bench.Send(frame, new PortId(i % 4), 1_000 * (ulong)i);
            bench.RunUntilIdle();
            Assert.Equal(frames.Select(Expected).OfType<byte[]>(), bench.Received.Select(f => f.Bytes.ToArray()));
        }
    }

    /// <summary>As many cycles as beats come or leave, whichever are more.</summary>
    [Fact]
    public void No_cycle_is_lost()
    {
        byte[] Taking(int gone) => [1, 0, 34, (byte)gone, .. new byte[28 + gone + 98]];
        foreach (var gone in (int[])[4, 30, 31, 32, 33, 40, 64])
        {
            using var bench = new Bench(UnitBench.Simulator(Design(256, 2).Netlist.Design, outside: false));
            for (var i = 0; i < 100; i++) bench.Send(Taking(gone), new PortId(0), (ulong)i);
            bench.RunUntilIdle();
            Assert.Equal((Taking(gone).Length + 31) / 32, bench.IntervalsIn().TakeLast(50).Average());
        }
    }

    private static byte[] Frame(Random random, int lanes)
    {
        var (head, gone) = (random.Next(MostHead + 1), random.Next(random.Next(2) == 0 ? 9 : MostGone + 1));
        var frame = new byte[Math.Max(
            14 + lanes, head + gone + random.Next(3) switch { 0 => 0, 1 => random.Next(2 * lanes), _ => 200 })];
        random.NextBytes(frame);
        // What is empty does not leave.
        if (gone == frame.Length) gone--;
        (frame[1], frame[2], frame[3]) = ((byte)(random.Next(3) > 0 ? 0 : random.Next(4)), (byte)head, (byte)gone);
        return frame;
    }

    private static byte[]? Expected(byte[] frame) => (Kind)frame[1] switch
    {
        Kind.Takes => [.. frame[..frame[2]], .. frame[(frame[2] + frame[3])..]],
        Kind.Puts => [.. frame[..PutInAt], .. Enumerable.Repeat((byte)PutIn, PutIn), .. frame[PutInAt..]],
        Kind.Keeps => frame,
        _ => null,
    };

    private static UnitDesign Design(int busBits, int cycles)
    {
        var options = new HardwareOptions { BusBits = busBits };
        var design = new UnitDesign("rotation");
        var (n, lanes) = (design.Netlist, options.Lanes);
        var header = new HeaderWindow(n, options, 14);
        var fifo = new FrameFifo(n, options, header);
        fifo.HoldBeats(cycles);
        Value Later(Value value, UInt128? reset = null)
        {
            for (var i = 0; i < cycles; i++) value = n.Registered("stage", value, reset);
            return value;
        }
        Value Is(Kind kind) => n.Equal(header.Byte(1), new Constant(8, (UInt128)(int)kind));
        var (came, to) = (n.Resize(header.Length, LengthBits), n.Resize(header.Byte(2), LengthBits));
        var gone = n.Resize(header.Byte(3), LengthBits);
        var plan = RotationPlan.Chosen(n, LengthBits, lanes,
        [
            (Is(Kind.Takes), RotationPlan.ToFront(n, lanes, n.Add(to, gone), to)),
            (Is(Kind.Puts), RotationPlan.Of(LengthBits, lanes, PutInAt + PutIn, PutIn)),
        ]);
        var length = n.Select(
            Is(Kind.Takes), n.Subtract(came, gone),
            n.Select(Is(Kind.Puts), n.Add(came, new Constant(LengthBits, PutIn)), came));
        var rewriter = new HeaderRewriter(n, lanes, [[.. Enumerable.Range(PutInAt, PutIn)
            .Select(at => (at, Later(Is(Kind.Puts)), (Value)new Constant(8, PutIn)))]], [[]]);
        var resizer = new FrameResizer(n, lanes, new ByteRotation(n, lanes, LengthBits),
        [
            new ResizePlan(
                Later(length), Later(n.Subtract(length, new Constant(LengthBits, 1))),
                [.. plan.Values.Select(value => Later(value))]),
        ]);
        var egress = n.Select(Is(Kind.Drops), FoldingBuilder.Zero(4), new Constant(4, 1));
        var signals = fifo.Build(
            Later(header.Start, 0), [Later(egress)], rewriter, resizer, unit: null, slowPath: null);
        header.GoOn(signals.HasRoom);
        return design;
    }
}
