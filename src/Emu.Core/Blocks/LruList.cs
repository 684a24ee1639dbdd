namespace Emu;

/// <summary>
/// Numbers in the order of their last use: exact LRU. A doubly linked list, so each operation is a few reads and
/// writes, however many numbers there are.
/// </summary>
/// <remarks>
/// A use reads each of the two links of a number once, and writes two words of either kind of links at most; a pipeline
/// does that for a frame every three cycles or so.
/// </remarks>
public sealed class LruList
{
    /// <summary>The neighbours of each number; those that the two ends do not have are not defined.</summary>
    private readonly int[] _newer, _older;
    private int _newest, _oldest, _count;

    /// <summary>Makes an empty list.</summary>
    /// <param name="capacity">The numbers are below it, 1 to 2²⁴.</param>
    /// <exception cref="ArgumentOutOfRangeException">The capacity is not such a number.</exception>
    public LruList(int capacity)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(capacity, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(capacity, 1 << 24);
        _newer = new int[capacity];
        _older = new int[capacity];
    }

    /// <summary>The number whose last use is longest ago; the capacity if the list is empty.</summary>
    public int Oldest => _count == 0 ? _newer.Length : _oldest;

    /// <summary>Adds a number that is not in the list, as the one used last.</summary>
    public void Add(int number)
    {
        if (_count == 0) (_oldest, _newest) = (number, number);
        else Append(number);
        _count++;
    }

    /// <summary>Removes a number that is in the list.</summary>
    public void Remove(int number)
    {
        _count--;
        if (number == _newest) _newest = _older[number];
        else Unlink(number);
    }

    /// <summary>Makes a number that is in the list the one used last.</summary>
    public void Use(int number)
    {
        if (number == _newest) return;
        Unlink(number);
        Append(number);
    }

    /// <summary>Takes out a number behind which there is a newer one.</summary>
    private void Unlink(int number)
    {
        var newer = _newer[number];
        if (number == _oldest)
        {
            _oldest = newer;
            return;
        }
        var older = _older[number];
        _newer[older] = newer;
        _older[newer] = older;
    }

    private void Append(int number)
    {
        _newer[_newest] = number;
        _older[number] = _newest;
        _newest = number;
    }
}
