namespace Emu.Direction.Probes;

/// <summary>A comparison of a value at a place with a constant or with another value.</summary>
/// <param name="values">The values at a place, at most four.</param>
/// <param name="hasSigns">True if one of them has a sign.</param>
internal sealed class Comparison(int values, bool hasSigns)
{
    private const ulong Sign = 1UL << 63;

    private ulong _constant;
    private bool _isLess, _isSigned, _hasOther;
    private byte _left, _right;

    /// <summary>True if the value, of those at a place, is equal to the other side, or less than it.</summary>
    public bool Holds(ulong first, ulong second, ulong third, ulong fourth)
    {
        var left = Chosen(_left, first, second, third, fourth);
        var right = _hasOther ? Chosen(_right, first, second, third, fourth) : _constant;
        // Numbers with a sign are in the order of those without, once the sign is the other one.
        var flipped = _isSigned ? Sign : 0;
        return _isLess ? (left ^ flipped) < (right ^ flipped) : left == right;
    }

    /// <summary>Sets the sides.</summary>
    /// <param name="left">The number of the left value.</param>
    /// <param name="right">The number of the right one; below 0 for the constant.</param>
    /// <param name="isLess">True for less than, false for equal.</param>
    /// <param name="isSigned">True if one of them has a sign.</param>
    public void SetSides(int left, int right, bool isLess, bool isSigned)
    {
        _isLess = isLess;
        // A circuit has only what can be another than it is.
        if (hasSigns) _isSigned = isSigned;
        if (values == 1) return;
        (_left, _hasOther) = ((byte)left, right >= 0);
        if (right >= 0) _right = (byte)right;
    }

    /// <summary>Sets the constant, in two's complement where the left side has a sign.</summary>
    public void SetConstant(ulong constant) => _constant = constant;

    private ulong Chosen(byte number, ulong first, ulong second, ulong third, ulong fourth)
    {
        if (number == 1 && values > 1) return second;
        if (number == 2 && values > 2) return third;
        return number == 3 && values > 3 ? fourth : first;
    }
}
