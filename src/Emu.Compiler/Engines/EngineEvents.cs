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
    /// <summary>The engines whose events are added up in a cycle.</summary>
    private const int InCycle = 4;

    /// <summary>The events of several engines with the same program, added up.</summary>
    public static EngineEvents Sum(Netlist n, IReadOnlyList<EngineEvents> each) => new(
        Sum(n, each.Select(e => e.FramesOut)),
        Sum(n, each.Select(e => e.Drops)),
        each[0].Faults.Keys.ToDictionary(kind => kind, kind => Sum(n, each.Select(e => e.Faults[kind]))),
        each[0].Counts.Keys.ToDictionary(counter => counter, counter => Sum(n, each.Select(e => e.Counts[counter]))));

    /// <summary>
    /// Numbers added up, modulo what a counter holds: a few a cycle, and their sums in the next, so that the sum of
    /// many takes no longer than a cycle has time for.
    /// </summary>
    public static Value Sum(Netlist n, IEnumerable<Value> numbers)
    {
        List<Value> all = [.. numbers];
        while (all.Count > InCycle)
            all = [.. all.Chunk(InCycle).Select(some => n.Registered("events", SumAtOnce(n, some), 0))];
        return SumAtOnce(n, all);
    }

    private static Value SumAtOnce(Netlist n, IReadOnlyList<Value> numbers)
    {
        var most = numbers.Aggregate(
            System.Numerics.BigInteger.Zero, (sum, number) => sum + Arithmetic.Mask(number.Width));
        var width = (int)Math.Min(CounterBank.Bits, (long)most.GetBitLength());
        return numbers.Select(number => n.Resize(number, width)).Aggregate(n.Add);
    }

    /// <summary>The same events, each turned into something else.</summary>
    public EngineEvents Select(Func<Value, Value> turn) => new(
        turn(FramesOut),
        turn(Drops),
        Faults.ToDictionary(f => f.Key, f => turn(f.Value)),
        Counts.ToDictionary(c => c.Key, c => turn(c.Value)));
}
