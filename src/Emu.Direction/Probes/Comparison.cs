namespace Emu.Direction.Probes;

/// <summary>A comparison of a value at a place with a constant or with another value.</summary>
/// <param name="names">The hashes of the values' names, at most four.</param>
/// <param name="areSigned">For each value whether it has a sign.</param>
internal sealed class Comparison(uint[] names, bool[] areSigned)
{
    private const ulong Sign = 1UL << 63;
    private const int LessBit = 64;

    private ulong _constant;
    private bool _isLess, _isSigned, _hasOther;
    private byte _left, _right;

    /// <summary>True if the value, of those at a place, is equal to the other side, or less than it.</summary>
    public bool Holds(ulong first, ulong second, ulong third, ulong fourth)
    {
        var left = Chosen(_left, first, second, third, fourth);
        var right = _hasOther && names.Length > 1 ? Chosen(_right, first, second, third, fourth) : _constant;
        if (!_isLess) return left == right;
        return _isSigned ? (left ^ Sign) < (right ^ Sign) : left < right;
    }

    /// <summary>
    /// Sets the sides: the hash of the left name; above it that of the right one, 0 for the constant; above these 1 for
    /// less than, 0 for equal.
    /// </summary>
    /// <returns>False if a name is none of the place.</returns>
    public bool SetSides(UInt128 bits)
    {
        var (leftName, rightName) = ((uint)bits, (uint)(bits >> 32));
        var (left, right) = (Find(leftName), Find(rightName));
        if (left < 0 || (right < 0 && rightName != 0)) return false;
        _hasOther = rightName != 0;
        _isLess = bits >> LessBit != 0;
        _isSigned = areSigned[left] || (_hasOther && areSigned[right]);
        _left = (byte)left;
        if (_hasOther) _right = (byte)right;
        return true;
    }

    /// <summary>Sets the constant, in two's complement where the left side has a sign.</summary>
    public void SetConstant(ulong constant) => _constant = constant;

    private ulong Chosen(byte number, ulong first, ulong second, ulong third, ulong fourth)
    {
        if (number == 1 && names.Length > 1) return second;
        if (number == 2 && names.Length > 2) return third;
        return number == 3 && names.Length > 3 ? fourth : first;
    }

    private int Find(uint name)
    {
        for (var number = 0; number < names.Length; number++)
        {
            if (names[number] == name) return number;
        }
        return -1;
    }
}
