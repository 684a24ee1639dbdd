using System.Numerics;

namespace Emu;

/// <summary>A queue of values between frames: what came first is taken first.</summary>
/// <typeparam name="T">The type of the values; a plain struct.</typeparam>
public sealed class Fifo<T>
    where T : struct
{
    private readonly T[] _values;
    private uint _head, _tail;

    /// <summary>Makes an empty queue.</summary>
    /// <param name="capacity">The most values in it, a power of two from 1 to 2²⁰.</param>
    /// <exception cref="ArgumentOutOfRangeException">The capacity is not such a number.</exception>
    public Fifo(int capacity)
    {
        if (capacity is < 1 or > 1 << 20 || !BitOperations.IsPow2(capacity))
            throw new ArgumentOutOfRangeException(
                nameof(capacity), capacity, "a queue's capacity must be a power of two from 1 to 1048576");
        _values = new T[capacity];
    }

    /// <summary>The number of values in it.</summary>
    public int Count => (int)(_tail - _head);

    /// <summary>Adds a value behind the others.</summary>
    /// <returns>False when the queue is full: then it is not added.</returns>
    public bool TryEnqueue(T value)
    {
        if (Count == _values.Length) return false;
        _values[_tail++ & (uint)(_values.Length - 1)] = value;
        return true;
    }

    /// <summary>Takes the value that has been there longest.</summary>
    /// <param name="value">That value, or the default.</param>
    /// <returns>False when the queue is empty.</returns>
    public bool TryDequeue(out T value)
    {
        value = _values[_head & (uint)(_values.Length - 1)];
        if (Count == 0)
        {
            value = default;
            return false;
        }
        _head++;
        return true;
    }
}
