using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Units;

namespace Emu.Compiler.Tests;

/// <summary>The frames that are held come out whole and in order, each with its <c>tuser</c>.</summary>
public sealed class HoldQueueTests
{
    private const int Cycles = 20_000;

    private sealed record Beat(byte[] Data, uint Keep, bool IsLast, UInt128 User);

    [Theory]
    [InlineData(64, 1, false)]
    [InlineData(64, 3, true)]
    [InlineData(256, 16, false)]
    public void Frames_come_out_as_they_went_in(int busBits, int capacity, bool outside)
    {
        var options = new HardwareOptions { BusBits = busBits };
        var random = new Random(capacity);
        using var bench = new UnitBench(Design(options, capacity), outside);
        var (held, coming, frames, taken, isFilled) = (new Queue<Beat>(), new Queue<Beat>(), 0, 0, true);
        for (var cycle = 0; cycle < Cycles; cycle++)
        {
            // As in an engine: frames come while an event waits, and go when it is over.
            if (coming.Count == 0 && random.Next(60) == 0) isFilled = !isFilled;
            if (isFilled && coming.Count == 0 && frames < capacity && random.Next(4) == 0)
            {
                coming = new Queue<Beat>(Beats(random, options));
                frames++;
            }
            var comes = coming.Count > 0 && random.Next(3) > 0;
            if (comes) Drive(bench, coming.Peek());
            bench.Set("valid", comes ? 1u : 0u);
            var takes = !isFilled && random.Next(2) == 0;
            bench.Set("ready", takes ? 1u : 0u);
            bench.Step();
            var hasRoom = frames - (coming.Count > 0 ? 1 : 0) < capacity;
            Assert.Equal(hasRoom, bench.Is("has_room"));
            Assert.Equal(frames == (coming.Count > 0 ? 1 : 0), bench.Is("is_empty"));
            if (takes && bench.Is("held_valid"))
            {
                var beat = held.Dequeue();
                Assert.Equal(beat.Data, bench.Bytes("held_data", options.Lanes));
                Assert.Equal(
                    (beat.Keep, beat.IsLast, beat.User),
                    ((uint)bench.Get("held_keep"), bench.Is("held_last"), bench.Get("held_user")));
                if (beat.IsLast) frames--;
                taken++;
            }
            if (comes) held.Enqueue(coming.Dequeue());
        }
        Assert.True(taken > Cycles / 20, $"only {taken} beats came out");
    }

    private static List<Beat> Beats(Random random, HardwareOptions options)
    {
        var most = (options.Capacity + options.Lanes - 1) / options.Lanes;
        var count = random.Next(4) == 0 ? most : random.Next(1, 4);
        var user = (UInt128)(ulong)random.NextInt64() << 64 | (ulong)random.NextInt64();
        return
        [
            .. Enumerable.Range(0, count).Select(i =>
            {
                var data = new byte[options.Lanes];
                random.NextBytes(data);
                return new Beat(data, (uint)(random.NextInt64() & (1L << options.Lanes) - 1), i == count - 1, user);
            }),
        ];
    }

    private static void Drive(UnitBench bench, Beat beat)
    {
        bench.Set("data", beat.Data);
        bench.Set("keep", beat.Keep);
        bench.Set("last", beat.IsLast ? 1u : 0u);
        bench.Set("user", beat.User);
    }

    private static UnitDesign Design(HardwareOptions options, int capacity)
    {
        var design = new UnitDesign("hold");
        var n = design.Netlist;
        var queue = new HoldQueue(n, options, capacity);
        var comes = new BeatStream(
            design.Bytes("data", options.Lanes), design.In("keep", options.Lanes), design.In("valid", 1),
            design.In("last", 1), design.In("user", 128), queue.Beats.Ready);
        queue.Beats.Ready.Source = n.And(queue.Beats.IsValid, design.In("ready", 1));
        queue.Build(comes, new Constant(1, 0));
        design.Out("has_room", queue.HasRoom);
        design.Out("is_empty", queue.IsEmpty);
        design.Out("held_valid", queue.Beats.IsValid);
        design.Out("held_data", [.. queue.Beats.Data]);
        design.Out("held_keep", queue.Beats.Keep);
        design.Out("held_last", queue.Beats.IsLast);
        design.Out("held_user", queue.Beats.User);
        return design;
    }
}
