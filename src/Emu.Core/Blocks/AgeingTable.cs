using System.Diagnostics;
using System.Numerics;

namespace Emu;

/// <summary>
/// Maps keys to values and forgets a key that was not set for some time: the filtering database of a bridge, a
/// neighbour cache, a connection table.
/// </summary>
/// <remarks>
/// <para><b>Time</b> is in seconds, or in fractions of a second that the constructor names. Every call is given the
/// time of its event in this unit: <see cref="Frame.Seconds"/>, or a quotient of <see cref="Frame.Time"/>.</para>
/// <para><b>Capacity</b> entries, in sets of <see cref="Ways"/>. A key's set is <see cref="H3Hash"/> of its bits, with
/// the seed given; of each further word of a key over 128 bits with the next seed, and the XOR of these. A table
/// holds any <see cref="Ways"/> keys at once; how many more depends on how they spread over the sets.</para>
/// <para><b>Expiry</b>: an entry set at time <i>t</i> is found while the time is below <i>t</i> + lifetime, and is as
/// good as absent after.</para>
/// <para><b>Replacement</b>: a new key takes, of the entries of its set, the first that is empty or expired; if there
/// is none, the ways of the table in turn, a permanent entry being passed over.
/// One turn counter serves all sets.</para>
/// <para><b>Permanent</b> entries do not expire, are not changed by <see cref="Set"/>, are never replaced and not
/// removed.</para>
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

    private const int WordWidth = 128;
    private const int NanosecondsPerSecond = 1_000_000_000;

    private struct Entry
    {
        public TKey Key;
        public TValue Value;
        public ulong Expiry;
        public bool IsPermanent;

        public readonly bool IsLive(ulong time) => IsPermanent || time < Expiry;
    }

    [DebuggerBrowsable(DebuggerBrowsableState.RootHidden)]
    private readonly Entry[][] _ways = new Entry[Ways][];
    [DebuggerBrowsable(DebuggerBrowsableState.Never)]
    private readonly H3Hash[] _hashes;
    private readonly ulong _lifetime;
    private readonly ulong _nanosecondsPerTick;
    private int _turn;

    /// <summary>Makes an empty table.</summary>
    /// <param name="capacity">Entries, a power of two from <see cref="Ways"/> to <see cref="MaxCapacity"/>.</param>
    /// <param name="lifetime">In units of the table's time, at least 1.</param>
    /// <param name="hashSeed">Chooses the hash; secret where an attacker picks the keys.</param>
    /// <param name="ticksPerSecond">The units of time in a second, a divisor of 10⁹: 1,000 for milliseconds.</param>
    /// <exception cref="ArgumentOutOfRangeException">A number is outside its range.</exception>
    public AgeingTable(int capacity, int lifetime, ulong hashSeed, int ticksPerSecond = 1)
    {
        if (capacity is < Ways or > MaxCapacity || !BitOperations.IsPow2(capacity))
            throw new ArgumentOutOfRangeException(
                nameof(capacity), capacity, $"a table's capacity must be a power of two from {Ways} to {MaxCapacity}");
        ArgumentOutOfRangeException.ThrowIfLessThan(lifetime, 1);
        if (ticksPerSecond < 1 || NanosecondsPerSecond % ticksPerSecond != 0)
            throw new ArgumentOutOfRangeException(
                nameof(ticksPerSecond), ticksPerSecond, "the units of time in a second must be a divisor of 10⁹");

        Capacity = capacity;
        _lifetime = (ulong)lifetime;
        _nanosecondsPerTick = (ulong)(NanosecondsPerSecond / ticksPerSecond);
        var sets = capacity / Ways;
        for (var way = 0; way < Ways; way++) _ways[way] = new Entry[sets];
        _hashes = new H3Hash[(TKey.Width + WordWidth - 1) / WordWidth];
        for (var word = 0; word < _hashes.Length; word++)
        {
            var width = Math.Min(TKey.Width - word * WordWidth, WordWidth);
            _hashes[word] = new H3Hash(width, BitOperations.Log2((uint)sets), hashSeed + (ulong)word);
        }
    }

    /// <summary>The number of entries that there is room for.</summary>
    public int Capacity { get; }

    /// <inheritdoc/>
    IReadOnlyList<string> IControlTable.Columns => ["key", "value", "seconds left"];

    /// <summary>Finds the value of a live key.</summary>
    /// <param name="key">The key to look up.</param>
    /// <param name="time">The time of the event; never less than at a call before.</param>
    /// <param name="value">The value that was set, or the default.</param>
    public bool TryGet(TKey key, ulong time, out TValue value)
    {
        var set = SetOf(key);
        var way = Find(set, key, time);
        value = way >= 0 ? _ways[way][set].Value : default;
        return way >= 0;
    }

    /// <summary>Adds a key, or renews it and changes its value. A permanent entry of this key stays as it is.</summary>
    /// <param name="key">The key to set.</param>
    /// <param name="value">Its new value.</param>
    /// <param name="time">The time of the event; never less than at a call before.</param>
    /// <returns>False when every entry of the set is permanent and none has this key: nothing was stored.</returns>
    public bool Set(TKey key, TValue value, ulong time)
    {
        var set = SetOf(key);
        var way = Find(set, key, time);
        if (way < 0) way = Replace(set, time);
        if (way < 0) return false;

        ref var entry = ref _ways[way][set];
        if (entry.IsPermanent) return true;
        entry.Key = key;
        entry.Value = value;
        entry.Expiry = time + _lifetime;
        return true;
    }

    /// <summary>
    /// The value of a key in its place, to be read and written there until the next call; a key that is not there is
    /// added with the default of the value. Either way its time begins anew.
    /// </summary>
    /// <param name="key">The key to find or to add.</param>
    /// <param name="time">The time of the event; never less than at a call before.</param>
    /// <param name="isNew">True if the key was added.</param>
    /// <exception cref="IndexOutOfRangeException">
    /// Every entry of the set is permanent and none has this key; not possible in a table without permanent entries.
    /// </exception>
    public ref TValue GetOrAdd(TKey key, ulong time, out bool isNew)
    {
        var set = SetOf(key);
        var way = Find(set, key, time);
        isNew = way < 0;
        if (isNew) way = Replace(set, time);

        ref var entry = ref _ways[way][set];
        if (isNew)
        {
            entry.Key = key;
            entry.Value = default;
        }
        entry.Expiry = time + _lifetime;
        return ref entry.Value;
    }

    /// <summary>Forgets a key that is not permanent.</summary>
    /// <param name="key">The key to forget.</param>
    /// <param name="time">The time of the event; never less than at a call before.</param>
    /// <returns>True if the key was there and is not now.</returns>
    public bool Remove(TKey key, ulong time)
    {
        var set = SetOf(key);
        var way = Find(set, key, time);
        if (way < 0) return false;

        ref var entry = ref _ways[way][set];
        if (entry.IsPermanent) return false;
        entry.Expiry = 0;
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
        var set = SetOf(key);
        var way = Find(set, key, 0);
        if (way < 0) way = Replace(set, 0);
        if (way < 0) return false;

        _ways[way][set] = new Entry { Key = key, Value = value, IsPermanent = true };
        return true;
    }

    /// <summary>The live entries, set by set: for people and tests, not for <see cref="Service.Process"/>.</summary>
    /// <param name="time">The time of the last event.</param>
    public IEnumerable<AgeingTableEntry<TKey, TValue>> Entries(ulong time)
    {
        for (var set = 0; set < Capacity / Ways; set++)
        {
            for (var way = 0; way < Ways; way++)
            {
                var entry = _ways[way][set];
                if (entry.IsLive(time))
                    yield return new AgeingTableEntry<TKey, TValue>(
                        entry.Key, entry.Value, entry.IsPermanent ? null : entry.Expiry - time);
            }
        }
    }

    /// <inheritdoc/>
    IEnumerable<IReadOnlyList<string>> IControlTable.Rows(ulong nanoseconds) =>
        Entries(nanoseconds / _nanosecondsPerTick)
            .Select(entry => new[] { $"{entry.Key}", $"{entry.Value}", Text(entry.TimeLeft) });

    private string Text(ulong? timeLeft) => timeLeft is not { } ticks
        ? "permanent"
        : $"{(decimal)ticks * _nanosecondsPerTick / NanosecondsPerSecond:0.#########}";

    private int SetOf(TKey key)
    {
        var set = 0;
        for (var word = 0; word < _hashes.Length; word++) set ^= _hashes[word].Index(TKey.Word(key, word));
        return set;
    }

    private int Find(int set, TKey key, ulong time)
    {
        for (var way = 0; way < Ways; way++)
        {
            ref readonly var entry = ref _ways[way][set];
            if (entry.IsLive(time) && entry.Key.Equals(key)) return way;
        }
        return -1;
    }

    private int Replace(int set, ulong time)
    {
        for (var way = 0; way < Ways; way++)
        {
            if (!_ways[way][set].IsLive(time)) return way;
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
