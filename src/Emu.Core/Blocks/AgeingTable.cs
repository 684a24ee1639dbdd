using System.Numerics;

namespace Emu;

/// <summary>
/// Maps keys to values and forgets a key that was not set for some seconds: the filtering database of a bridge, a
/// neighbour cache, a connection table.
/// </summary>
/// <remarks>
/// <para><b>Capacity</b> entries, in sets of <see cref="Ways"/>. A key's set is <see cref="H3Hash"/> of its bits, with
/// the seed given. A table holds any <see cref="Ways"/> keys at once;
/// how many more depends on how they spread over the sets.</para>
/// <para><b>Expiry</b>: an entry set at second <i>s</i> is found while the time is below <i>s</i> + lifetime, and is as
/// good as absent after.</para>
/// <para><b>Replacement</b>: a new key takes, of the entries of its set, the first that is empty or expired; if there
/// is none, the ways of the table in turn, a permanent entry being passed over.
/// One turn counter serves all sets.</para>
/// <para><b>Permanent</b> entries do not expire, are not changed by <see cref="Set"/> and are never replaced.</para>
/// </remarks>
/// <typeparam name="TKey">The type of the keys.</typeparam>
/// <typeparam name="TValue">The type of the values; a plain struct.</typeparam>
public sealed class AgeingTable<TKey, TValue> : IControlTable
    where TKey : struct, ITableKey<TKey>
    where TValue : struct
{
    /// <summary>The entries of a set: 4.</summary>
    public const int Ways = 4;

    /// <summary>The most entries that a table can have: 2²⁰.</summary>
    public const int MaxCapacity = 1 << 20;

    private struct Entry
    {
        public TKey Key;
        public TValue Value;
        public ulong Expiry;
        public bool IsPermanent;

        public readonly bool IsLive(ulong seconds) => IsPermanent || seconds < Expiry;
    }

    private readonly Entry[][] _ways = new Entry[Ways][];
    private readonly H3Hash _hash;
    private readonly ulong _lifetime;
    private int _turn;

    /// <summary>Makes an empty table.</summary>
    /// <param name="capacity">Entries, a power of two from <see cref="Ways"/> to <see cref="MaxCapacity"/>.</param>
    /// <param name="lifetime">Seconds, at least 1.</param>
    /// <param name="hashSeed">Chooses the hash; secret where an attacker picks the keys.</param>
    /// <exception cref="ArgumentOutOfRangeException">A number is outside its range.</exception>
    public AgeingTable(int capacity, int lifetime, ulong hashSeed)
    {
        if (capacity is < Ways or > MaxCapacity || !BitOperations.IsPow2(capacity))
            throw new ArgumentOutOfRangeException(
                nameof(capacity), capacity, $"a table's capacity must be a power of two from {Ways} to {MaxCapacity}");
        ArgumentOutOfRangeException.ThrowIfLessThan(lifetime, 1);

        Capacity = capacity;
        _lifetime = (ulong)lifetime;
        var sets = capacity / Ways;
        for (var way = 0; way < Ways; way++) _ways[way] = new Entry[sets];
        _hash = new H3Hash(TKey.Width, BitOperations.Log2((uint)sets), hashSeed);
    }

    /// <summary>The number of entries that there is room for.</summary>
    public int Capacity { get; }

    /// <inheritdoc/>
    IReadOnlyList<string> IControlTable.Columns => ["key", "value", "seconds left"];

    /// <summary>Finds the value of a live key.</summary>
    /// <param name="key">The key to look up.</param>
    /// <param name="seconds">The time of the event; never less than at a call before.</param>
    /// <param name="value">The value that was set, or the default.</param>
    public bool TryGet(TKey key, ulong seconds, out TValue value)
    {
        var set = _hash.Index(key.KeyBits);
        var way = Find(set, key, seconds);
        value = way >= 0 ? _ways[way][set].Value : default;
        return way >= 0;
    }

    /// <summary>Adds a key, or renews it and changes its value. A permanent entry of this key stays as it is.</summary>
    /// <param name="key">The key to set.</param>
    /// <param name="value">Its new value.</param>
    /// <param name="seconds">The time of the event; never less than at a call before.</param>
    /// <returns>False when every entry of the set is permanent and none has this key: nothing was stored.</returns>
    public bool Set(TKey key, TValue value, ulong seconds)
    {
        var set = _hash.Index(key.KeyBits);
        var way = Find(set, key, seconds);
        if (way < 0) way = Replace(set, seconds);
        if (way < 0) return false;

        ref var entry = ref _ways[way][set];
        if (entry.IsPermanent) return true;
        entry.Key = key;
        entry.Value = value;
        entry.Expiry = seconds + _lifetime;
        return true;
    }

    /// <summary>
    /// Adds a key that never expires, in place of what was stored for it before; for constructors,
    /// before the first event.
    /// </summary>
    /// <param name="key">The key to set.</param>
    /// <param name="value">Its value.</param>
    /// <returns>False when every entry of the set is permanent and none has this key: nothing was stored.</returns>
    public bool SetPermanent(TKey key, TValue value)
    {
        var set = _hash.Index(key.KeyBits);
        var way = Find(set, key, 0);
        if (way < 0) way = Replace(set, 0);
        if (way < 0) return false;

        _ways[way][set] = new Entry { Key = key, Value = value, IsPermanent = true };
        return true;
    }

    /// <summary>The live entries, set by set: for people and tests, not for <see cref="Service.Process"/>.</summary>
    /// <param name="seconds">The time of the last event.</param>
    public IEnumerable<AgeingTableEntry<TKey, TValue>> Entries(ulong seconds)
    {
        for (var set = 0; set < Capacity / Ways; set++)
        {
            for (var way = 0; way < Ways; way++)
            {
                var entry = _ways[way][set];
                if (entry.IsLive(seconds))
                    yield return new AgeingTableEntry<TKey, TValue>(
                        entry.Key, entry.Value, entry.IsPermanent ? null : entry.Expiry - seconds);
            }
        }
    }

    /// <inheritdoc/>
    IEnumerable<IReadOnlyList<string>> IControlTable.Rows(ulong seconds) =>
        Entries(seconds)
            .Select(entry => new[] { $"{entry.Key}", $"{entry.Value}", entry.SecondsLeft?.ToString() ?? "permanent" });

    private int Find(int set, TKey key, ulong seconds)
    {
        for (var way = 0; way < Ways; way++)
        {
            ref readonly var entry = ref _ways[way][set];
            if (entry.IsLive(seconds) && entry.Key.Equals(key)) return way;
        }
        return -1;
    }

    private int Replace(int set, ulong seconds)
    {
        for (var way = 0; way < Ways; way++)
        {
            if (!_ways[way][set].IsLive(seconds)) return way;
        }
        for (var step = 0; step < Ways; step++)
        {
            var way = (_turn + step) % Ways;
            if (_ways[way][set].IsPermanent) continue;
            _turn = (way + 1) % Ways;
            return way;
        }
        return -1;
    }
}
