using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Emu.Clocked;

/// <summary>
/// Memory that a program has taken addresses of: each thread has a copy of its own, to which its addresses lead, and an
/// edge makes all copies the same. So what is written by address is seen by others behind the edge, byte by byte.
/// </summary>
/// <param name="memory">The memory as the last edge has left it.</param>
/// <param name="size">The bytes of an element.</param>
/// <param name="hasReferences">True if elements refer to objects: they are copied whole.</param>
/// <param name="name">The name of an element, by its index.</param>
internal sealed class MemoryCopies(Array memory, int size, bool hasReferences, Func<nint, string> name)
    : IClockedObject
{
    private readonly Dictionary<int, Array> _copies = [];
    private readonly List<(int Thread, nint Start, nint End)> _written = [];

    /// <summary>The copy of the thread that runs, which is made when it is first asked for.</summary>
    public Array Own => Of(CycleClock.Number);

    /// <summary>The memory that is copied.</summary>
    public Array Memory => memory;

    /// <summary>Notes that the thread that runs has written elements of its copy.</summary>
    /// <exception cref="ClockedException">Another thread has written there in this cycle.</exception>
    public void Written(nint index) => Note(CycleClock.Thread, index * size, (index + 1) * size);

    /// <summary>
    /// Notes that the thread that runs has written bytes, if they are in its copy; false if they are not.
    /// </summary>
    public bool TryNote(ref byte place, int length)
    {
        if (!_copies.TryGetValue(CycleClock.Number, out var own)) return false;
        var start = Unsafe.ByteOffset(ref MemoryMarshal.GetArrayDataReference(own), ref place);
        if ((nuint)start >= (nuint)own.Length * (nuint)size) return false;
        Note(CycleClock.Thread, start, start + length);
        return true;
    }

    /// <summary>Takes over a write that a thread made in this cycle, before addresses were taken.</summary>
    public Array Import(int thread, nint index)
    {
        Note(thread, index * size, (index + 1) * size);
        return Of(thread);
    }

    /// <inheritdoc/>
    public void Commit()
    {
        foreach (var (thread, start, end) in _written) Copy(_copies[thread], start, end);
        _written.Clear();
    }

    private Array Of(int thread) =>
        _copies.TryGetValue(thread, out var copy) ? copy : _copies[thread] = (Array)memory.Clone();

    private void Note(int thread, nint start, nint end)
    {
        // The elaboration is one thread behind the other.
        if (thread == 0)
        {
            Copy(Own, start, end);
            return;
        }
        foreach (var (other, from, to) in _written)
        {
            if (from >= end || start >= to) continue;
            if (other != thread) throw CycleClock.TwoWriters(name(start / size));
            if (from <= start && end <= to) return;
        }
        if (_written.Count == 0) CycleClock.Current!.Note(this);
        _written.Add((thread, start, end));
    }

    private void Copy(Array from, nint start, nint end)
    {
        Copy(from, memory, start, end);
        foreach (var copy in _copies.Values.Where(copy => copy != from)) Copy(from, copy, start, end);
    }

    private void Copy(Array from, Array to, nint start, nint end)
    {
        if (hasReferences)
        {
            var first = (int)(start / size);
            Array.Copy(from, first, to, first, (int)((end - 1) / size) - first + 1);
            return;
        }
        Bytes(from)[(int)start..(int)end].CopyTo(Bytes(to)[(int)start..]);
    }

    private Span<byte> Bytes(Array array) =>
        MemoryMarshal.CreateSpan(ref MemoryMarshal.GetArrayDataReference(array), array.Length * size);
}
