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
        var now = array[index];
        return CycleClock.Thread != 0 && s_writes is { IsEmpty: false } writes
            && writes.Find(array, index) is ElementWrite<T> write && write.Writer == CycleClock.Thread
                ? write.Next
                : now;
    }

    /// <summary>Writes an element.</summary>
    /// <exception cref="ClockedException">Another thread has written it in this cycle.</exception>
    public static void Store<T>(T[] array, nint index, T value)
    {
        ArgumentNullException.ThrowIfNull(array);
        var thread = CycleClock.Thread;
        if (thread == 0 || s_writes is not { } writes)
        {
            array[index] = value;
            return;
        }
        _ = array[index];
        if (writes.Find(array, index) is not ElementWrite<T> write)
        {
            write = new ElementWrite<T>(array, index, thread);
            writes.Add(array, index, write);
            CycleClock.Current!.Note(write);
        }
        if (write.Writer != thread) throw CycleClock.TwoWriters($"element {index} of an array");
        write.Next = value;
    }

    /// <summary>A write that waits for the edge.</summary>
    private sealed class ElementWrite<T>(T[] array, nint index, int writer) : IClockedObject
    {
        public int Writer => writer;

        public T Next { get; set; } = default!;

        public void Commit()
        {
            array[index] = Next;
            Writes?.Clear();
        }
    }
}
