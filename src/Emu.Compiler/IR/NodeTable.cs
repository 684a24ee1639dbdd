using System.Diagnostics.CodeAnalysis;

namespace Emu.Compiler.IR;

/// <summary>
/// A table by parts of functions: open addressing with linear probing (Knuth 1998, §6.4), without a comparer to ask.
/// </summary>
/// <typeparam name="TKey">The parts.</typeparam>
/// <typeparam name="TValue">What is known of each.</typeparam>
internal sealed class NodeTable<TKey, TValue>
    where TKey : Node
{
    private const int Least = 4;

    private Node?[] _keys;
    private TValue[] _values;
    private int _shift;

    /// <summary>Makes an empty one.</summary>
    /// <param name="capacity">The parts that it is made for; more have it grow.</param>
    public NodeTable(int capacity = 0)
    {
        var size = Least;
        while (size < capacity * 2) size *= 2;
        Allocate(size);
    }

    /// <summary>Makes one of what another holds.</summary>
    public NodeTable(NodeTable<TKey, TValue> other)
    {
        (_keys, _values) = ([.. other._keys], [.. other._values]);
        (_shift, Count) = (other._shift, other.Count);
    }

    /// <summary>The parts in it.</summary>
    public int Count { get; private set; }

    /// <summary>The value of a part.</summary>
    public TValue this[TKey key]
    {
        get => TryGetValue(key, out var value) ? value : throw new KeyNotFoundException();
        set
        {
            var place = PlaceOf(key);
            if (_keys[place] is null)
            {
                if (Count * 2 >= _keys.Length) place = Grow(key);
                _keys[place] = key;
                Count++;
            }
            _values[place] = value;
        }
    }

    /// <summary>Gives what is known of a part, if it is in the table.</summary>
    public bool TryGetValue(TKey key, [MaybeNullWhen(false)] out TValue value)
    {
        var place = PlaceOf(key);
        value = _values[place];
        return _keys[place] is not null;
    }

    /// <summary>Gives what is known of a part; of one that is not in the table the default.</summary>
    public TValue? GetValueOrDefault(TKey key) => _values[PlaceOf(key)];

    /// <summary>Gives what is known of a part, or something else if it is not in the table.</summary>
    public TValue GetValueOrDefault(TKey key, TValue other) => TryGetValue(key, out var value) ? value : other;

    /// <summary>True if a part is in the table.</summary>
    public bool ContainsKey(TKey key) => _keys[PlaceOf(key)] is not null;

    /// <summary>Takes a part out.</summary>
    public void Remove(TKey key)
    {
        var free = PlaceOf(key);
        if (_keys[free] is null) return;
        Count--;
        var mask = _keys.Length - 1;
        for (var place = (free + 1) & mask; _keys[place] is { } other; place = (place + 1) & mask)
        {
            // One that would not be found any more behind the free place moves there.
            if (((place - Home(other)) & mask) < ((place - free) & mask)) continue;
            (_keys[free], _values[free]) = (other, _values[place]);
            free = place;
        }
        (_keys[free], _values[free]) = (null, default!);
    }

    /// <summary>Takes all out.</summary>
    public void Clear()
    {
        if (Count > 0) Allocate(Least);
        Count = 0;
    }

    private int Home(Node key) => (int)(key.Hash >> _shift);

    /// <summary>The place of a part, or the free one where it would be.</summary>
    private int PlaceOf(Node key)
    {
        var keys = _keys;
        var place = Home(key);
        while (keys[place] is { } other && other != key) place = (place + 1) & (keys.Length - 1);
        return place;
    }

    private int Grow(Node key)
    {
        var (keys, values) = (_keys, _values);
        Allocate(keys.Length * 2);
        for (var i = 0; i < keys.Length; i++)
        {
            if (keys[i] is not { } other) continue;
            var place = PlaceOf(other);
            (_keys[place], _values[place]) = (other, values[i]);
        }
        return PlaceOf(key);
    }

    [MemberNotNull(nameof(_keys), nameof(_values))]
    private void Allocate(int size)
    {
        (_keys, _values) = (new Node?[size], new TValue[size]);
        _shift = 32 - System.Numerics.BitOperations.Log2((uint)size);
    }
}
