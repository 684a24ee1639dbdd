namespace Emu;

/// <summary>
/// Finds the longest of some prefixes that a key begins with: the routes of a router, the rules of an access list.
/// </summary>
/// <remarks>
/// The prefixes are given at the beginning and stay. They are kept as a multibit trie of eight bits a step, each prefix
/// expanded to the end of its step (Srinivasan and Varghese 1999, <i>Fast address lookups using controlled prefix
/// expansion</i>): a lookup reads one entry for each eight bits of the longest prefix there is, and no more than the
/// key's own prefixes have.
/// </remarks>
/// <typeparam name="TKey">The type of the keys; its width is a multiple of 8.</typeparam>
/// <typeparam name="TValue">The type of the values; a plain struct.</typeparam>
public sealed class PrefixTable<TKey, TValue>
    where TKey : struct, ITableKey<TKey>
    where TValue : struct
{
    private const int StepBits = 8, StepEntries = 1 << StepBits;

    private struct Entry
    {
        /// <summary>The part of the next step's entries that goes on from here; 0 when no prefix does.</summary>
        public int Next;

        /// <summary>The place of the value of the longest prefix that ends here, counted from 1; 0 for none.</summary>
        public int Value;
    }

    private readonly Entry[][] _steps;
    private readonly TValue[] _values;

    /// <summary>Makes a table of prefixes.</summary>
    /// <param name="prefixes">
    /// Each with its length in bits, 0 for one that all keys begin with; bits of the key behind the prefix are 0. Of
    /// two that are the same the last counts.
    /// </param>
    /// <exception cref="ArgumentException">A prefix is longer than a key, or has bits behind its length.</exception>
    public PrefixTable(IEnumerable<(TKey Key, int Length, TValue Value)> prefixes)
    {
        var all = prefixes.ToList();
        foreach (var (key, length, _) in all) Require(key, length);
        var depth = Math.Max(1, all.Select(prefix => (prefix.Length + StepBits - 1) / StepBits).Append(1).Max());
        var steps = Enumerable.Range(0, depth).Select(_ => new List<Entry>()).ToArray();
        steps[0].AddRange(new Entry[StepEntries]);
        // A shorter prefix first: a longer one then takes its entries.
        foreach (var ((key, length, _), i) in all.Select((prefix, i) => (prefix, i)).OrderBy(p => p.prefix.Length))
            Add(steps, key.KeyBits, length, i + 1);
        _steps = [.. steps.Select(step => step.ToArray())];
        _values = [default, .. all.Select(prefix => prefix.Value)];
    }

    /// <summary>Finds the value of the longest prefix that a key begins with.</summary>
    /// <param name="key">The key to look up.</param>
    /// <param name="value">The value of that prefix, or the default.</param>
    /// <returns>False when the key begins with no prefix of the table.</returns>
    public bool TryGet(TKey key, out TValue value)
    {
        var bits = key.KeyBits;
        var (part, found) = (0, 0);
        for (var step = 0; step < _steps.Length; step++)
        {
            var index = (int)(bits >> TKey.Width - StepBits * (step + 1)) & StepEntries - 1;
            ref readonly var entry = ref _steps[step][part * StepEntries + index];
            if (entry.Value != 0) found = entry.Value;
            part = entry.Next;
            if (part == 0) break;
        }
        value = _values[found];
        return found != 0;
    }

    private static void Require(TKey key, int length)
    {
        if (length < 0 || length > TKey.Width)
            throw new ArgumentException($"the prefix {key}/{length} is not of 0 to {TKey.Width} bits");
        if (length < TKey.Width && key.KeyBits << 128 - TKey.Width << length != 0)
            throw new ArgumentException($"the prefix {key}/{length} has bits behind its length");
    }

    private static void Add(List<Entry>[] steps, UInt128 bits, int length, int value)
    {
        var (part, step) = (0, 0);
        int Index() => (int)(bits >> TKey.Width - StepBits * (step + 1)) & StepEntries - 1;
        for (; length > StepBits * (step + 1); step++) part = Next(steps, step, part * StepEntries + Index());
        var first = part * StepEntries + Index();
        for (var i = 0; i < 1 << StepBits * (step + 1) - length; i++)
            steps[step][first + i] = steps[step][first + i] with { Value = value };
    }

    /// <summary>The part of the next step that an entry leads to; made when it is asked for first.</summary>
    private static int Next(List<Entry>[] steps, int step, int entry)
    {
        if (steps[step][entry].Next is not 0 and var known) return known;
        // Part 0 stands for none.
        if (steps[step + 1].Count == 0) steps[step + 1].AddRange(new Entry[StepEntries]);
        var part = steps[step + 1].Count / StepEntries;
        steps[step + 1].AddRange(new Entry[StepEntries]);
        steps[step][entry] = steps[step][entry] with { Next = part };
        return part;
    }
}
