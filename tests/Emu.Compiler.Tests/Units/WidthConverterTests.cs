using Emu.Compiler.Units;

namespace Emu.Compiler.Tests;

/// <summary>Wide beats leave as narrow ones, with nothing lost, added or moved, whoever stalls.</summary>
public sealed class WidthConverterTests
{
    private const int Frames = 60;

    private sealed record Beat(byte[] Data, ulong Keep, bool IsLast, byte User);

    [Theory]
    [InlineData(8, 8, false)]
    [InlineData(16, 8, true)]
    [InlineData(32, 8, false)]
    [InlineData(64, 16, false)]
    [InlineData(64, 32, false)]
    public void Beats_are_cut(int wide, int narrow, bool outside)
    {
        var random = new Random(wide + narrow);
        var frames = Enumerable.Range(0, Frames).Select(i => RandomFrame(random, i, 3 * wide)).ToList();
        using var bench = new UnitBench(Design(wide, narrow), outside);
        var sent = new Queue<Beat>(frames.SelectMany((frame, i) => Beats(frame, wide, (byte)i)));
        var expected = new Queue<Beat>(frames.SelectMany((frame, i) => Beats(frame, narrow, (byte)i)));
        for (var cycle = 0; expected.Count > 0; cycle++)
        {
            Assert.True(cycle < 20_000, $"{expected.Count} beats do not come");
            // At first without stalls.
            var (valid, ready) = cycle < 200 ? (true, true) : (random.Next(3) > 0, random.Next(3) > 0);
            valid &= sent.Count > 0;
            if (valid) Drive(bench, sent.Peek());
            (bool IsValid, bool IsReady) now = (valid, ready);
            bench.Set("valid", now.IsValid ? 1u : 0u);
            bench.Set("ready", now.IsReady ? 1u : 0u);
            bench.Step();
            Assert.Equal(valid, bench.Is("narrow_valid"));
            if (valid && bench.Is("wide_ready")) sent.Dequeue();
            if (!valid || !ready) continue;
            var beat = expected.Dequeue();
            Assert.Equal((beat.Keep, beat.IsLast, beat.User), Seen(bench));
            Assert.Equal(beat.Data, bench.Bytes("narrow_data", narrow).Where((_, i) => (beat.Keep >> i & 1) != 0));
        }
        Assert.Empty(sent);
    }

    private static (ulong Keep, bool IsLast, byte User) Seen(UnitBench bench) =>
        ((ulong)bench.Get("narrow_keep"), bench.Is("narrow_last"), (byte)bench.Get("narrow_user"));

    private static void Drive(UnitBench bench, Beat beat)
    {
        bench.Set("data", beat.Data);
        bench.Set("keep", beat.Keep);
        bench.Set("last", beat.IsLast ? 1u : 0u);
        bench.Set("user", beat.User);
    }

    private static byte[] RandomFrame(Random random, int index, int most)
    {
        // Every length near a whole beat comes.
        var bytes = new byte[1 + (index < most ? index : random.Next(most))];
        random.NextBytes(bytes);
        return bytes;
    }

    private static IEnumerable<Beat> Beats(byte[] frame, int lanes, byte user)
    {
        var beats = frame.Chunk(lanes).ToList();
        return beats.Select((data, i) => new Beat(
            data, ulong.MaxValue >> 64 - data.Length, i == beats.Count - 1, user));
    }

    private static UnitDesign Design(int wide, int narrow)
    {
        var design = new UnitDesign("converter");
        var n = design.Netlist;
        var ready = n.DeclareWire("wide_taken", 1);
        var beats = new BeatStream(
            design.Bytes("data", wide), design.In("keep", wide), design.In("valid", 1), design.In("last", 1),
            design.In("user", 8), ready);
        n.Begin("converter");
        var cut = WidthConverter.Narrow(n, beats, narrow);
        cut.Ready.Source = design.In("ready", 1);
        design.Out("narrow_data", [.. cut.Data]);
        design.Out("narrow_keep", cut.Keep);
        design.Out("narrow_valid", cut.IsValid);
        design.Out("narrow_last", cut.IsLast);
        design.Out("narrow_user", cut.User);
        design.Out("wide_ready", n.And(ready, cut.IsValid));
        return design;
    }
}
