using System.Runtime.CompilerServices;

namespace Emu.Clocked;

/// <summary>
/// A variable of a program with several threads of which the program takes the address: what an address leads to is the
/// running thread's own copy. Another variable is a <see cref="Cell{T}"/>.
/// </summary>
/// <typeparam name="T">The variable's type.</typeparam>
/// <param name="name">The variable's name.</param>
public sealed class SharedCell<T>(string name)
{
    private readonly MemoryCopies _copies = new(
        new T[1], Unsafe.SizeOf<T>(), RuntimeHelpers.IsReferenceOrContainsReferences<T>(), _ => name);

    private bool _isLent;

    /// <summary>The value that the running thread sees; what is set is seen by others behind the edge.</summary>
    /// <exception cref="ClockedException">Another thread has set it, or a part of it, in this cycle.</exception>
    public T Value
    {
        get => Own;
        set
        {
            Own = value;
            _copies.Written(0);
        }
    }

    /// <summary>The place of the value that the running thread sees.</summary>
    public ref T Place
    {
        get
        {
            if (!_isLent && CycleClock.Current is { } clock)
            {
                clock.Lent.Add(_copies);
                _isLent = true;
            }
            return ref Own;
        }
    }

    private ref T Own => ref Unsafe.As<T[]>(_copies.Own)[0];
}
