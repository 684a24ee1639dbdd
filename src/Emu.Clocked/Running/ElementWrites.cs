using System.Runtime.CompilerServices;

namespace Emu.Clocked;

/// <summary>The writes to elements of arrays in a cycle, by array and index.</summary>
internal sealed class ElementWrites
{
    private readonly Dictionary<(Array Array, nint Index), ElementWrite> _all = new(new ByIdentity());

    /// <summary>True if there are none.</summary>
    public bool IsEmpty => _all.Count == 0;

    /// <summary>The write of an element; null for none.</summary>
    public ElementWrite? Find(Array array, nint index) => _all.GetValueOrDefault((array, index));

    /// <summary>Notes a write.</summary>
    public void Add(Array array, nint index, ElementWrite write) => _all.Add((array, index), write);

    /// <summary>The writes of an array.</summary>
    public IEnumerable<ElementWrite> Of(Array array) =>
        _all.Where(write => ReferenceEquals(write.Key.Array, array)).Select(write => write.Value);

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

/// <summary>A write to an element that waits for the edge.</summary>
/// <param name="writer">The number of the thread that made it.</param>
/// <param name="index">The element.</param>
internal abstract class ElementWrite(int writer, nint index) : IClockedObject
{
    /// <summary>The number of the thread that made it.</summary>
    public int Writer => writer;

    /// <summary>The element.</summary>
    public nint Index => index;

    /// <summary>Makes it in a copy of the array.</summary>
    public abstract void WriteTo(Array copy);

    /// <inheritdoc/>
    public abstract void Commit();
}
