namespace Blocks;

/// <summary>Remembers the last key of each slot, and so says of a key that comes often that it was there.</summary>
/// <remarks>Keys with the same low bits share a slot. Key 0 counts as seen from the beginning.</remarks>
/// <param name="slots">The number of slots: a power of two, so that a mask keeps the index below it.</param>
public sealed class EmuBlock1(int slots)
{
    private readonly uint[] _keys = new uint[slots];

    /// <summary>Looks for a key, and keeps it.</summary>
    /// <returns>True if it was the last one of its slot.</returns>
    public bool Touch(uint key)
    {
        var slot = (int)key & (_keys.Length - 1);
        if (_keys[slot] == key) return true;
        _keys[slot] = key;
        return false;
    }
}
