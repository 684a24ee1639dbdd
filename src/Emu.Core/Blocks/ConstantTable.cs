using System.Numerics;

namespace Emu;

/// <summary>
/// Maps the keys of a dictionary to their values, as they are given at the beginning: a configuration.
/// </summary>
/// <remarks>
/// The keys lie in sets of <see cref="Ways"/> by <see cref="H3Hash"/>. The seed is drawn until all of them fit, so all
/// are found, whatever they are.
/// </remarks>
/// <typeparam name="TKey">The type of the keys.</typeparam>
/// <typeparam name="TValue">The type of the values; a plain struct.</typeparam>
public sealed class ConstantTable<TKey, TValue>
    where TKey : struct, ITableKey<TKey>
    where TValue : struct
{
    /// <summary>The keys that one set holds: 2.</summary>
    public const int Ways = 2;

    /// <summary>The seeds that are tried before the table is made twice as large.</summary>
    private const int Seeds = 64;

    private struct Entry
    {
        public bool IsThere;
        public TKey Key;
        public TValue Value;
    }

    private readonly Entry[][] _ways;
    private readonly H3Hash _hash;

    /// <summary>Makes a table of what a dictionary holds.</summary>
    /// <param name="entries">The keys, each with its value.</param>
    public ConstantTable(IReadOnlyDictionary<TKey, TValue> entries)
    {
        ArgumentNullException.ThrowIfNull(entries);
        var setBits = BitOperations.Log2(BitOperations.RoundUpToPowerOf2((uint)Math.Max(1, entries.Count)));
        for (ulong seed = 0; ; seed++)
        {
            if (seed > 0 && seed % Seeds == 0) setBits++;
            _hash = new H3Hash(TKey.Width, setBits, seed);
            if (Filled(entries, 1 << setBits, _hash) is not { } ways) continue;
            _ways = ways;
            return;
        }
    }

    /// <summary>Finds the value of a key.</summary>
    /// <param name="key">The key to look up.</param>
    /// <param name="value">Its value, or the default.</param>
    /// <returns>False when the key is not in the table.</returns>
    public bool TryGet(TKey key, out TValue value)
    {
        var set = _hash.Index(key.KeyBits);
        for (var way = 0; way < Ways; way++)
        {
            ref readonly var entry = ref _ways[way][set];
            if (!entry.IsThere || !entry.Key.Equals(key)) continue;
            value = entry.Value;
            return true;
        }
        value = default;
        return false;
    }

    /// <summary>The sets with all keys in them; null if one set has more than it holds.</summary>
    private static Entry[][]? Filled(IReadOnlyDictionary<TKey, TValue> entries, int sets, H3Hash hash)
    {
        var ways = new Entry[Ways][];
        for (var way = 0; way < Ways; way++) ways[way] = new Entry[sets];
        foreach (var (key, value) in entries)
        {
            var set = hash.Index(key.KeyBits);
            var free = Array.FindIndex(ways, way => !way[set].IsThere);
            if (free < 0) return null;
            ways[free][set] = new Entry { IsThere = true, Key = key, Value = value };
        }
        return ways;
    }
}
