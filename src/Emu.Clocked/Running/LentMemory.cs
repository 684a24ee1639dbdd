using System.Runtime.CompilerServices;

namespace Emu.Clocked;

/// <summary>The memory of a run that addresses were taken of: the copies of its threads.</summary>
internal sealed class LentMemory
{
    private readonly List<MemoryCopies> _all = [];
    private readonly Dictionary<Array, MemoryCopies> _ofArrays = new(ReferenceEqualityComparer.Instance);

    /// <summary>True while no address has been taken.</summary>
    public bool IsEmpty => _all.Count == 0;

    /// <summary>The copies of an array; null for one of which no address has been taken.</summary>
    public MemoryCopies? Of(Array array) => _ofArrays.GetValueOrDefault(array);

    /// <summary>Adds copies.</summary>
    public void Add(MemoryCopies copies)
    {
        _all.Add(copies);
        _ofArrays.Add(copies.Memory, copies);
    }

    /// <summary>Notes that the thread that runs has written a place, which may be a local variable.</summary>
    public void Written<T>(ref T place)
    {
        ref var first = ref Unsafe.As<T, byte>(ref place);
        foreach (var copies in _all)
            if (copies.TryNote(ref first, Unsafe.SizeOf<T>())) return;
    }
}
