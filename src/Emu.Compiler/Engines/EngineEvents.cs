using Emu.Compiler.IR;
using Emu.Compiler.Rtl;
using Emu.Compiler.Units;

namespace Emu.Compiler.Engines;

/// <summary>The events of an engine in a cycle, which are counted.</summary>
/// <param name="FramesOut">The frames that have left.</param>
/// <param name="Drops">The frames that do not leave.</param>
/// <param name="Faults">The frames that are dropped by a fault of a kind.</param>
/// <param name="Counts">The amounts added to the service's counters.</param>
internal sealed record EngineEvents(
    Value FramesOut,
    Value Drops,
    IReadOnlyDictionary<FaultKind, Value> Faults,
    IReadOnlyDictionary<Register, Value> Counts)
{
    /// <summary>The events of several engines with the same program, added up.</summary>
    public static EngineEvents Sum(Netlist n, IReadOnlyList<EngineEvents> each) => new(
        Sum(n, each.Select(e => e.FramesOut)),
        Sum(n, each.Select(e => e.Drops)),
        each[0].Faults.Keys.ToDictionary(kind => kind, kind => Sum(n, each.Select(e => e.Faults[kind]))),
        each[0].Counts.Keys.ToDictionary(counter => counter, counter => Sum(n, each.Select(e => e.Counts[counter]))));

    /// <summary>
    /// Numbers added up, modulo what a counter holds: two at a time, and their sums in the next cycle, so that the sum
    /// of many takes no longer than a cycle has time for.
    /// </summary>
    public static Value Sum(Netlist n, IEnumerable<Value> numbers)
    {
        List<Value> all = [.. numbers];
        while (all.Count > 2)
            all = [.. all.Chunk(2).Select(pair => n.Registered("events", SumOfTwo(n, pair), 0))];
        return SumOfTwo(n, all);
    }

    private static Value SumOfTwo(Netlist n, IReadOnlyList<Value> numbers)
    {
        if (numbers is [var only]) return only;
        var width = Math.Min(CounterBank.Bits, numbers.Max(number => number.Width) + 1);
        return n.Add(n.Resize(numbers[0], width), n.Resize(numbers[1], width));
    }

    /// <summary>The same events, each turned into something else.</summary>
    public EngineEvents Select(Func<Value, Value> turn) => new(
        turn(FramesOut),
        turn(Drops),
        Faults.ToDictionary(f => f.Key, f => turn(f.Value)),
        Counts.ToDictionary(c => c.Key, c => turn(c.Value)));
}
