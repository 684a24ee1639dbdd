using Emu.Compiler.Units;

namespace Emu.Compiler.Tests;

/// <summary>The time divided by a constant: right for every event, at once while the quotient stays.</summary>
public sealed class TimeQuotientTests
{
    /// <summary>Two walks over 64 bits, and the steps before and behind them.</summary>
    private const int MostCycles = 2 * 64 + 6;

    [Theory]
    [InlineData(1_000_000_000, true)]
    [InlineData(3, false)]
    [InlineData(1 << 20, false)]
    [InlineData(1_000_000_007_000, false)]
    [InlineData(ulong.MaxValue / 2 + 3, false)]
    public void Times_that_never_go_back_are_divided(ulong divisor, bool outside)
    {
        using var bench = new UnitBench(Design(divisor), outside);
        var before = 0UL;
        foreach (var time in Times(divisor))
        {
            var waited = Event(bench, time, time / divisor);
            // Where the next quotient begins beyond 64 bits, it is divided each time.
            var isLimitKnown = time / divisor < ulong.MaxValue / divisor;
            if (isLimitKnown) Assert.Equal(time / divisor != before, waited > 0);
            before = time / divisor;
        }
    }

    [Fact]
    public void A_reset_ends_a_division_and_the_next_event_is_right()
    {
        const ulong Second = 1_000_000_000;
        using var bench = new UnitBench(Design(Second), outside: false);
        Event(bench, 5 * Second, 5);
        for (var cycles = 1; cycles < MostCycles; cycles += 7)
        {
            bench.Set("start", 1);
            bench.Set("time", 90 * Second);
            bench.Step();
            bench.Set("start", 0);
            for (var i = 0; i < cycles; i++) bench.Step();
            bench.Reset(1);
            Assert.True(Event(bench, 91 * Second + 1, 91) > 0);
            Assert.Equal(0, Event(bench, 92 * Second - 1, 91));
        }
    }

    /// <summary>One event; gives the cycles that it waits.</summary>
    private static int Event(UnitBench bench, ulong time, ulong quotient)
    {
        bench.Set("start", 1);
        bench.Set("time", time);
        bench.Step();
        bench.Set("start", 0);
        bench.Set("time", 12345);
        bench.Step();
        var waited = 0;
        for (; bench.Is("busy"); waited++)
        {
            Assert.True(waited < MostCycles, $"{time} takes longer than {MostCycles} cycles");
            bench.Step();
        }
        Assert.Equal(quotient, (ulong)bench.Get("quotient"));
        return waited;
    }

    /// <summary>Rising times: around where quotients begin, with jumps, up to the last.</summary>
    private static IEnumerable<ulong> Times(ulong divisor)
    {
        var random = new Random(1);
        var time = 0UL;
        for (var i = 0; i < 60; i++)
        {
            yield return time;
            var next = (time / divisor + 1) * divisor;
            if (next < time) break;
            foreach (var at in (ulong[])[time + (next - time) / 2, next - 1, next]) yield return at;
            time = next + (random.Next(2) == 0 ? 1 : (ulong)random.NextInt64() % divisor);
            if (random.Next(4) == 0 && time < 1UL << 60) time += divisor * (ulong)random.Next(1, 7);
            if (time < next) break;
        }
        foreach (var at in (ulong[])[ulong.MaxValue - 1, ulong.MaxValue]) yield return at;
    }

    private static UnitDesign Design(ulong divisor)
    {
        var design = new UnitDesign("divider");
        var n = design.Netlist;
        var (start, time) = (design.In("start", 1), design.In("time", 64));
        var held = n.Registered("held", time, 0, start);
        var quotient = new TimeQuotient(n, divisor, start, time, held);
        design.Out("quotient", quotient.Quotient);
        design.Out("busy", quotient.IsBusy);
        return design;
    }
}
