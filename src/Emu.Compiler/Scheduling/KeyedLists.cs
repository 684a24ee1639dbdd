using System.Collections;

namespace Emu.Compiler.Scheduling;

/// <summary>A list for each key, in the order in which keys came first.</summary>
internal sealed class KeyedLists<TKey, TItem> : IEnumerable<KeyValuePair<TKey, List<TItem>>>
    where TKey : notnull
{
    private readonly Dictionary<TKey, List<TItem>> _lists = [];

    /// <summary>The list of a key; empty if nothing was added for it.</summary>
    public IReadOnlyList<TItem> this[TKey key] => _lists.TryGetValue(key, out var list) ? list : [];

    /// <summary>Adds an item to the list of a key.</summary>
    public void Add(TKey key, TItem item)
    {
        if (!_lists.TryGetValue(key, out var list)) _lists[key] = list = [];
        list.Add(item);
    }

    public IEnumerator<KeyValuePair<TKey, List<TItem>>> GetEnumerator() => _lists.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
