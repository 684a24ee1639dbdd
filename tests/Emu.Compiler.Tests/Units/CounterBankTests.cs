using Emu.Compiler.Units;

namespace Emu.Compiler.Tests;

/// <summary>Counters in a RAM: none forgets an event, and a read is of a moment while it is asked for.</summary>
public sealed class CounterBankTests
{
    private const int SettleCycles = 8;

    [Theory]
    [InlineData(1, 1, false)]
    [InlineData(4, 1, false)]
    [InlineData(5, 3, true)]
    [InlineData(9, 16, false)]
    [InlineData(3, 40, false)]
    [InlineData(2, 50, false)]
    public void Every_event_is_counted(int counters, int width, bool outside)
    {
        var random = new Random(counters);
        using var bench = new UnitBench(Design(counters, width), outside);
        var totals = new ulong[counters];
        // What is in the RAM at power-up goes, and so does all that is counted before a clear.
        for (var round = 0; round < 3; round++)
        {
            Clear(bench, counters);
            Array.Clear(totals);
            for (var i = 0; i < 300; i++) Count(bench, random, width, totals);
            for (var i = 0; i < 20; i++)
            {
                var wanted = random.Next(counters);
                var atLeast = totals[wanted];
                var seen = Read(bench, wanted, counters, () => Count(bench, random, width, totals));
                Assert.InRange(seen, atLeast, totals[wanted]);
            }
            Quiet(bench, counters);
            for (var i = 0; i < counters; i++)
                Assert.Equal(totals[i], Read(bench, i, counters, bench.Step));
            if (round == 1) bench.Reset(1);
        }
    }

    [Fact]
    public void A_wait_of_something_else_is_over_when_what_had_happened_is_counted()
    {
        using var bench = new UnitBench(Design(2, 1), outside: false);
        bench.Set("settles", 1);
        var cycles = 0;
        for (; !bench.Is("settled"); cycles++)
        {
            Assert.True(cycles < 2 * SettleCycles);
            Assert.False(bench.Is("has"));
            bench.Step();
        }
        Assert.Equal(SettleCycles, cycles);
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(5, 3)]
    [InlineData(9, 16)]
    [InlineData(2, 50)]
    public void What_the_circuit_asks_for_has_all_that_was_counted_before(int counters, int width)
    {
        var random = new Random(counters);
        using var bench = new UnitBench(Design(counters, width), outside: false);
        Clear(bench, counters);
        var totals = new ulong[counters];
        for (var i = 0; i < 40; i++)
        {
            for (var cycles = random.Next(3); cycles >= 0; cycles--) Count(bench, random, width, totals);
            for (var j = 0; j < counters; j++) bench.Set($"count_{j}", 0);
            var wanted = random.Next(counters);
            Access(bench, $"reads_{wanted}", counters);
            Assert.Equal(totals[wanted], (ulong)bench.Get("count"));
        }
    }

    [Theory]
    [InlineData(1, 1)]
    [InlineData(9, 16)]
    [InlineData(2, 50)]
    public void What_the_circuit_sets_replaces_all_that_was_counted_before(int counters, int width)
    {
        var random = new Random(counters);
        using var bench = new UnitBench(Design(counters, width), outside: false);
        Clear(bench, counters);
        var totals = new ulong[counters];
        for (var i = 0; i < 40; i++)
        {
            for (var cycles = random.Next(3); cycles >= 0; cycles--) Count(bench, random, width, totals);
            for (var j = 0; j < counters; j++) bench.Set($"count_{j}", 0);
            var wanted = random.Next(counters);
            var given = (ulong)random.NextInt64() << random.Next(64);
            var isCleared = random.Next(2) == 0;
            bench.Set("given", given);
            Access(bench, isCleared ? $"clears_{wanted}" : $"writes_{wanted}", counters);
            totals[wanted] = isCleared ? 0 : given;
        }
        for (var j = 0; j < counters; j++)
        {
            bench.Set($"count_{j}", 0);
            Access(bench, $"reads_{j}", counters);
            Assert.Equal(totals[j], (ulong)bench.Get("count"));
        }
    }

    /// <summary>Does an access of the circuit itself, up to the cycle behind its last.</summary>
    private static void Access(UnitBench bench, string asks, int counters)
    {
        bench.Set(asks, 1);
        var most = 4 * (SettleCycles + CounterBank.ClearCycles(counters));
        for (bench.Step(); !bench.Is("is_done"); bench.Step()) Assert.True(most-- > 0, "an access never ends");
        bench.Set(asks, 0);
        bench.Step();
    }

    private static void Count(UnitBench bench, Random random, int width, ulong[] totals)
    {
        for (var i = 0; i < totals.Length; i++)
        {
            var most = ulong.MaxValue >> 64 - width;
            // The most that a counter's own bits hold until its turn, and nothing, are often.
            var amount = random.Next(3) switch { 0 => 0UL, 1 => most, _ => (ulong)random.NextInt64() & most };
            bench.Set($"count_{i}", amount);
            totals[i] += amount;
        }
        bench.Step();
    }

    private static void Quiet(UnitBench bench, int counters)
    {
        for (var i = 0; i < counters; i++) bench.Set($"count_{i}", 0);
        bench.Step();
    }

    private static void Clear(UnitBench bench, int counters)
    {
        Quiet(bench, counters);
        bench.Set("clears", 1);
        for (var i = 0; i < CounterBank.ClearCycles(counters); i++) bench.Step();
        bench.Set("clears", 0);
    }

    private static ulong Read(UnitBench bench, int wanted, int counters, Action step)
    {
        bench.Set("asks", 1);
        bench.Set("wanted", (uint)wanted);
        var most = 2 * (SettleCycles + CounterBank.ClearCycles(counters));
        do
        {
            Assert.True(most-- > 0, "a count never comes");
            step();
            if (!bench.Is("has")) Assert.Equal(0u, bench.Get("low"));
        }
        while (!bench.Is("has"));
        var low = (ulong)bench.Get("low");
        bench.Set("asks", 0);
        step();
        return (ulong)bench.Get("high") << 32 | low;
    }

    private static UnitDesign Design(int counters, int width)
    {
        var design = new UnitDesign("bank");
        var bank = new CounterBank(design.Netlist);
        var given = design.In("given", CounterBank.Bits);
        for (var i = 0; i < counters; i++)
        {
            var index = i;
            Assert.Equal(i, bank.Add($"counter_{i}", design.In($"count_{i}", width), width));
            bank.Port.Read(design.In($"reads_{i}", 1), () => index);
            bank.Port.Write(design.In($"writes_{i}", 1), () => index, given);
            bank.Port.Clear(design.In($"clears_{i}", 1), () => index);
        }
        var (has, isSettled, low, high) = bank.Build(
            design.In("clears", 1), design.In("asks", 1), design.In("settles", 1), design.In("wanted", 8));
        design.Out("has", has);
        design.Out("settled", isSettled);
        design.Out("low", low);
        design.Out("high", high);
        design.Out("is_done", bank.Port.IsDone);
        design.Out("count", bank.Port.Count);
        return design;
    }
}
