namespace Emu.Clocked;

/// <summary>
/// A variable of a program with several threads: what it held at the last edge, and what one of them has written since,
/// which the others see behind the next edge. A woven program has one in place of each field.
/// </summary>
/// <typeparam name="T">The variable's type.</typeparam>
/// <param name="name">The variable's name.</param>
public sealed class Cell<T>(string name) : IClockedObject
{
    // A circuit has a register for this one.
    private T _now = default!;
    private T _next = default!;
    private int _writer;

    /// <summary>The variable's name.</summary>
    public string Name => name;

    /// <summary>The value that the running thread sees; what is set is seen by others behind the edge.</summary>
    /// <exception cref="ClockedException">Another thread has set it in this cycle.</exception>
    public T Value
    {
        get => _writer != 0 && _writer == CycleClock.Thread ? _next : _now;
        set
        {
            var thread = CycleClock.Thread;
            if (thread == 0)
            {
                _now = value;
                return;
            }
            if (_writer == 0) CycleClock.Current!.Note(this);
            else if (_writer != thread) throw CycleClock.TwoWriters(name);
            (_writer, _next) = (thread, value);
        }
    }

    /// <summary>The place of the value that the running thread sees, to be read.</summary>
    public ref T Place
    {
        get
        {
            if (_writer != 0 && _writer == CycleClock.Thread) return ref _next;
            return ref _now;
        }
    }

    /// <inheritdoc/>
    public void Commit() => (_now, _writer) = (_next, 0);
}
