using System.Runtime.CompilerServices;

namespace Emu.Clocked;

/// <summary>The writes to elements of arrays in a cycle, by array and index.</summary>
internal sealed class ElementWrites
{
    private readonly Dictionary<(Array Array, nint Index), IClockedObject> _all = new(new ByIdentity());

    /// <summary>True if there are none.</summary>
    public bool IsEmpty => _all.Count == 0;

    /// <summary>The write of an element; null for none.</summary>
    public IClockedObject? Find(Array array, nint index) => _all.GetValueOrDefault((array, index));

    /// <summary>Notes a write.</summary>
    public void Add(Array array, nint index, IClockedObject write) => _all.Add((array, index), write);

    /// <summary>Forgets them: they are done.</summary>
    public void Clear() => _all.Clear();

    private sealed class ByIdentity : IEqualityComparer<(Array Array, nint Index)>
    {
        public bool Equals((Array Array, nint Index) x, (Array Array, nint Index) y) =>
            ReferenceEquals(x.Array, y.Array) && x.Index == y.Index;

        public int GetHashCode((Array Array, nint Index) key) =>
            HashCode.Combine(RuntimeHelpers.GetHashCode(key.Array), key.Index);
    }
}
