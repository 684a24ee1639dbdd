namespace Emu;

/// <summary>
/// Numbers in the order of their last use: exact LRU. A doubly linked list, so each operation is a few reads and
/// writes, however many numbers there are.
/// </summary>
public sealed class LruList
{
    /// <summary>
    /// The neighbours of each number; those of the number behind the last are the list's two ends.
    /// </summary>
    private readonly int[] _newer, _older;
    private readonly int _ends;

    /// <summary>Makes an empty list.</summary>
    /// <param name="capacity">The numbers are below it, 1 to 2²⁴.</param>
    /// <exception cref="ArgumentOutOfRangeException">The capacity is not such a number.</exception>
    public LruList(int capacity)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(capacity, 1 << 24);
        _newer = new int[capacity + 1];
        _older = new int[capacity + 1];
        _ends = capacity;
        (_newer[_ends], _older[_ends]) = (_ends, _ends);
    }

    /// <summary>The number whose last use is longest ago; the capacity if the list is empty.</summary>
    public int Oldest => _newer[_ends];

    /// <summary>Adds a number that is not in the list, as the one used last.</summary>
    public void Add(int number)
    {
        var newest = _older[_ends];
        _older[number] = newest;
        _newer[number] = _ends;
        _newer[newest] = number;
        _older[_ends] = number;
    }

    /// <summary>Removes a number that is in the list.</summary>
    public void Remove(int number)
    {
        var (newer, older) = (_newer[number], _older[number]);
        _newer[older] = newer;
        _older[newer] = older;
    }

    /// <summary>Makes a number that is in the list the one used last.</summary>
    public void Use(int number)
    {
        Remove(number);
        Add(number);
    }
}
