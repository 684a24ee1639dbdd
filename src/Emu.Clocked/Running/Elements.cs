using System.Runtime.CompilerServices;

namespace Emu.Clocked;

/// <summary>Elements of arrays that several threads use: a write is seen by others behind the edge.</summary>
public static class Elements
{
    [ThreadStatic]
    private static ElementWrites? s_writes;

    /// <summary>The writes of the cycle, of the program that runs on this thread.</summary>
    internal static ElementWrites? Writes
    {
        get => s_writes;
        set => s_writes = value;
    }

    /// <summary>An element as the running thread sees it.</summary>
    public static T Load<T>(T[] array, nint index)
    {
        ArgumentNullException.ThrowIfNull(array);
        if (Copies(array) is { } copies) return Unsafe.As<T[]>(copies.Own)[index];
        var now = array[index];
        return CycleClock.Thread != 0 && s_writes is { IsEmpty: false } writes
            && writes.Find(array, index) is { } write && write.Writer == CycleClock.Thread
                ? As<T>(write).Next
                : now;
    }

    /// <summary>Writes an element.</summary>
    /// <exception cref="ClockedException">Another thread has written it in this cycle.</exception>
    public static void Store<T>(T[] array, nint index, T value)
    {
        ArgumentNullException.ThrowIfNull(array);
        if (Copies(array) is { } copies)
        {
            Unsafe.As<T[]>(copies.Own)[index] = value;
            copies.Written(index);
            return;
        }
        var thread = CycleClock.Thread;
        if (thread == 0 || s_writes is not { } writes)
        {
            array[index] = value;
            return;
        }
        _ = array[index];
        if (writes.Find(array, index) is not { } write)
        {
            write = new ElementWrite<T>(array, index, thread);
            writes.Add(array, index, write);
            CycleClock.Current!.Note(write);
        }
        if (write.Writer != thread) throw CycleClock.TwoWriters(NameOf(index));
        As<T>(write).Next = value;
    }

    /// <summary>The place of an element, in the running thread's own copy of the array.</summary>
    public static ref T Place<T>(T[] array, nint index)
    {
        ArgumentNullException.ThrowIfNull(array);
        if (CycleClock.Current is not { Lent: var lent }) return ref array[index];
        if (lent.Of(array) is not { } copies)
        {
            copies = new MemoryCopies(
                array, Unsafe.SizeOf<T>(), RuntimeHelpers.IsReferenceOrContainsReferences<T>(), NameOf);
            lent.Add(copies);
            foreach (var write in s_writes?.Of(array) ?? []) write.WriteTo(copies.Import(write.Writer, write.Index));
        }
        return ref Unsafe.As<T[]>(copies.Own)[index];
    }

    /// <summary>The copies of an array of which an address was taken; null for another.</summary>
    private static MemoryCopies? Copies(Array array) =>
        CycleClock.Current is { Lent: { IsEmpty: false } lent } ? lent.Of(array) : null;

    /// <summary>
    /// A write of a value of as many bits: an array of <c>int</c> is one of <c>uint</c> where its type is known.
    /// </summary>
    private static ElementWrite<T> As<T>(ElementWrite write) => Unsafe.As<ElementWrite<T>>(write);

    private static string NameOf(nint index) => $"element {index} of an array";

    private sealed class ElementWrite<T>(T[] array, nint index, int writer) : ElementWrite(writer, index)
    {
        public T Next { get; set; } = default!;

        public override void WriteTo(Array copy) => Unsafe.As<T[]>(copy)[Index] = Next;

        public override void Commit()
        {
            array[Index] = Next;
            Writes?.Clear();
        }
    }
}
