using Emu.Compiler.IR;

namespace Emu.Compiler.Units;

/// <summary>
/// The parts of a state, put together where each is needed for the other's next: the strongly connected components of
/// a recurrence, in an order in which none needs a later one. So each may be done in a stage of its own (Ottoni,
/// Rangan, Stoler and August 2005, <em>Automatic thread extraction with decoupled software pipelining</em>).
/// </summary>
internal static class StateComponents
{
    /// <summary>The most parts that are told apart; those beyond count as one.</summary>
    private const int Most = 128;

    /// <summary>Finds them.</summary>
    /// <param name="state">Stand for the parts.</param>
    /// <param name="next">What they are next; null for parts that need none.</param>
    public static List<List<int>> Of(IReadOnlyList<Value> state, IReadOnlyList<Value?> next)
    {
        var known = new Dictionary<Value, UInt128>(ReferenceEqualityComparer.Instance);
        for (var i = 0; i < state.Count; i++) known[state[i]] = UInt128.One << Math.Min(i, Most - 1);
        var needs = new UInt128[Math.Min(state.Count, Most)];
        for (var i = 0; i < state.Count; i++)
            if (next[i] is { } value) needs[Math.Min(i, Most - 1)] |= NeedsOf(value, known);
        for (var via = 0; via < needs.Length; via++)
            for (var i = 0; i < needs.Length; i++) if (Has(needs[i], via)) needs[i] |= needs[via];
        return [.. Enumerable.Range(0, state.Count).Where(i => next[i] is not null)
            .GroupBy(i => FirstOf(Math.Min(i, Most - 1), needs))
            .OrderBy(component => (int)UInt128.PopCount(needs[component.Key]))
            .Select(component => component.ToList())];
    }

    /// <summary>The first part that needs a part and is needed for it: it stands for its component.</summary>
    private static int FirstOf(int part, UInt128[] needs) => Enumerable.Range(0, part)
        .Where(other => Has(needs[part], other) && Has(needs[other], part)).Append(part).First();

    private static bool Has(UInt128 set, int part) => (set >> part & 1) != 0;

    private static UInt128 NeedsOf(Value value, Dictionary<Value, UInt128> known)
    {
        if (known.TryGetValue(value, out var parts)) return parts;
        if (value is not Operation operation) return 0;
        return known[value] = operation.Operands.Aggregate(
            UInt128.Zero, (so, operand) => so | NeedsOf(operand, known));
    }
}
