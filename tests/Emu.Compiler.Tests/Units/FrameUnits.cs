using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Units;
using Emu.Simulation;

namespace Emu.Compiler.Tests;

/// <summary>
/// A window and a FIFO around what is tested: a frame's second byte says what becomes of it, a few cycles after its
/// first bytes are there.
/// </summary>
internal static class FrameUnits
{
    private const int WindowBytes = 16, LengthBits = 11;

    /// <summary>Offsets of the tag that is removed or added.</summary>
    private const int Front = 4, Back = 7;

    /// <summary>The byte that a frame gets where it is asked for.</summary>
    public const byte Written = 0xA5;

    /// <summary>The offset at which it gets it.</summary>
    public const int WrittenAt = 9;

    /// <summary>The bits of a frame's second byte.</summary>
    public const int Drops = 1, Writes = 2, Cuts = 4, Grows = 8, MovesDown = 16, MovesUp = 32, FarDown = 64,
        FarUp = 128;

    /// <summary>The bytes by which a frame is moved far: a beat and more of some buses, several of others.</summary>
    public const int Far = 40;

    /// <summary>The bytes by which a frame is cut or grows.</summary>
    public const int By = 13;

    /// <summary>The frame as it leaves; null if it does not.</summary>
    public static byte[]? Expected(byte[] frame, bool isResized)
    {
        if ((frame[1] & Drops) != 0) return null;
        var left = frame.ToArray();
        if (isResized)
        {
            if ((frame[1] & Cuts) != 0) left = left[..^By];
            if ((frame[1] & Grows) != 0) left = [.. left, .. new byte[By]];
            if ((frame[1] & MovesDown) != 0) left = [.. left[..Front], .. left[Back..]];
            if ((frame[1] & MovesUp) != 0) left = [.. left[..Back], .. left[Front..]];
            if ((frame[1] & FarDown) != 0) left = left[Far..];
            if ((frame[1] & FarUp) != 0) left = [.. Enumerable.Range(0, Far).Select(i => (byte)i), .. left];
        }
        if ((frame[1] & Writes) != 0) left[WrittenAt] = Written;
        return left;
    }

    /// <summary>Random frames, those around whole beats among them.</summary>
    public static List<byte[]> Frames(Random random, int count, int lanes, bool isResized)
    {
        int[] changes = isResized ? [0, 0, Cuts, Grows, MovesDown, MovesUp, FarDown, FarUp] : [0];
        return [.. Enumerable.Range(0, count).Select(i =>
        {
            var nearBeat = lanes * random.Next(1, 4) + random.Next(-2, 3);
            var change = changes[random.Next(changes.Length)];
            var least = WindowBytes + (change == FarDown ? Far : By);
            var frame = new byte[Math.Max(least, random.Next(2) == 0 ? nearBeat : random.Next(230))];
            random.NextBytes(frame);
            frame[1] = (byte)(change
                | (random.Next(4) == 0 ? Drops : 0) | (random.Next(2) == 0 ? Writes : 0));
            return frame;
        })];
    }

    /// <summary>A bench of the FIFO, with a resizer or without.</summary>
    public static Bench Bench(
        int busBits, int cycles, bool isResized, bool outside, StallPattern? source = null,
        StallPattern? sink = null) =>
        new(UnitBench.Simulator(Design(busBits, cycles, isResized).Netlist.Design, outside), source, sink);

    /// <summary>Sends frames, and asserts that those that came out are those that are expected, in order.</summary>
    public static void Check(Bench bench, IReadOnlyList<byte[]> frames, bool isResized)
    {
        bench.Forget();
        foreach (var (i, frame) in frames.Index()) bench.Send(frame, new PortId(i % 4), 1_000 * (ulong)i);
        bench.RunUntilIdle();
        var expected = frames.Index().Where(f => Expected(f.Item, isResized) is not null).ToList();
        Assert.Equal(expected.Count, bench.Received.Count);
        foreach (var ((i, frame), received) in expected.Zip(bench.Received))
        {
            Assert.Equal(Expected(frame, isResized), received.Bytes.ToArray());
            Assert.Equal(
                (1_000 * (ulong)i, PortSet.Of(new PortId(i % 4)), new PortSet((ulong)(frame[0] & 7) | 8)),
                (received.Time, received.Sources, received.Destinations));
        }
    }

    private static UnitDesign Design(int busBits, int cycles, bool isResized)
    {
        var options = new HardwareOptions { BusBits = busBits };
        var design = new UnitDesign(isResized ? "resizer" : "fifo");
        var n = design.Netlist;
        var header = new HeaderWindow(n, options, WindowBytes);
        var fifo = new FrameFifo(n, options, header);
        fifo.HoldBeats(cycles);
        Value Later(Value value, UInt128? reset = null)
        {
            for (var i = 0; i < cycles; i++) value = n.Registered("stage", value, reset);
            return value;
        }
        Value Asks(int bit) => n.Equal(
            n.Extract(header.Byte(1), System.Numerics.BitOperations.Log2((uint)bit), 1), FoldingBuilder.Bit(true));
        var isKept = n.Not(Asks(Drops));
        var egress = n.Select(
            isKept, n.Concat(FoldingBuilder.Bit(true), n.Extract(header.Byte(0), 0, 3)), FoldingBuilder.Zero(4));
        List<(int, Value, Value)> written = [];
        if (isResized)
            written.AddRange(Enumerable.Range(0, Far)
                .Select(i => (i, Later(Asks(FarUp)), (Value)new Constant(8, (UInt128)i))));
        var rewriter = new HeaderRewriter(
            n, options.Lanes, [[.. written, (WrittenAt, Later(Asks(Writes)), new Constant(8, Written))]], [[]]);
        var resizer = isResized ? Resizer(design, options, header, Asks, value => Later(value)) : null;
        var signals = fifo.Build(
            Later(header.Start, 0), [Later(egress)], rewriter, resizer, unit: null, slowPath: null);
        header.GoOn(signals.HasRoom);
        return design;
    }

    private static FrameResizer Resizer(
        UnitDesign design, HardwareOptions options, HeaderWindow header, Func<int, Value> asks,
        Func<Value, Value> later)
    {
        var n = design.Netlist;
        Constant Number(int number) => new(LengthBits, (UInt128)number);
        var came = n.Resize(header.Length, LengthBits);
        var length = n.Select(
            asks(Cuts), n.Subtract(came, Number(By)),
            n.Select(
                asks(Grows), n.Add(came, Number(By)),
                n.Select(
                    asks(MovesDown), n.Subtract(came, Number(Back - Front)),
                    n.Select(
                        asks(MovesUp), n.Add(came, Number(Back - Front)),
                        n.Select(
                            asks(FarDown), n.Subtract(came, Number(Far)),
                            n.Select(asks(FarUp), n.Add(came, Number(Far)), came))))));
        return new FrameResizer(
            n, options.Lanes,
            new ConstantMoves(
                n, options.Lanes, [(Front, Front - Back), (Back, Back - Front), (0, -Far), (Far, Far)]),
            [
                new ResizePlan(later(length), later(n.Subtract(length, Number(1))), [
                    later(asks(MovesDown)), later(asks(MovesUp)), later(asks(FarDown)), later(asks(FarUp)),
                ]),
            ]);
    }
}
