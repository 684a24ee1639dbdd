namespace Emu.Compiler.IR;

/// <summary>A set of parts of functions: <see cref="NodeTable{TKey,TValue}"/> without values.</summary>
/// <typeparam name="T">The parts.</typeparam>
internal sealed class NodeSet<T>
    where T : Node
{
    private readonly NodeTable<T, bool> _table;

    /// <summary>Makes an empty one.</summary>
    /// <param name="capacity">The parts that it is made for.</param>
    public NodeSet(int capacity = 0) => _table = new NodeTable<T, bool>(capacity);

    /// <summary>Makes one of some parts.</summary>
    public NodeSet(IEnumerable<T> parts)
        : this()
    {
        foreach (var part in parts) Add(part);
    }

    /// <summary>The parts in it.</summary>
    public int Count => _table.Count;

    /// <summary>Adds a part; false if it is in it.</summary>
    public bool Add(T part)
    {
        var count = _table.Count;
        _table[part] = true;
        return _table.Count > count;
    }

    /// <summary>True if a part is in it.</summary>
    public bool Contains(T part) => _table.ContainsKey(part);
}
