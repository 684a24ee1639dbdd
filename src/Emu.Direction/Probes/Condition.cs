namespace Emu.Direction.Probes;

/// <summary>
/// A condition over the values at a place: comparisons, and a truth table that has the outcome for every combination of
/// theirs, so that <c>and</c>, <c>or</c> and <c>not</c> cost nothing more. It is set while the service runs, and has no
/// loop: evaluating it takes the same time whatever it says.
/// </summary>
internal sealed class Condition
{
    /// <summary>The comparisons that there may be: 4.</summary>
    public const int MostComparisons = 4;

    private const int First = 1, PartsOfComparison = 2, NameBits = 32, LessBit = 2 * NameBits;

    private readonly uint[] _names;
    private readonly bool[] _areSigned;
    private readonly ushort _rows;
    private readonly Comparison? _first, _second, _third, _fourth;
    private ushort _table;

    /// <summary>Makes a condition that holds.</summary>
    /// <param name="comparisons">The comparisons that it may have; none where there is no value.</param>
    /// <param name="names">The hashes of the values' names.</param>
    /// <param name="areSigned">For each value whether it has a sign.</param>
    public Condition(int comparisons, uint[] names, bool[] areSigned)
    {
        var hasSigns = areSigned.Contains(true);
        Comparison? Of(int number) => number < comparisons && names.Length > 0 ? new(names.Length, hasSigns) : null;
        (_names, _areSigned) = (names, areSigned);
        (_first, _second, _third, _fourth) = (Of(0), Of(1), Of(2), Of(3));
        _table = _rows = (ushort)((1 << (1 << comparisons)) - 1);
    }

    /// <summary>
    /// The settings of a condition, by their numbers: 0 the truth table, then for each comparison its sides and its
    /// constant.
    /// </summary>
    public static int SettingsWith(int comparisons) => First + PartsOfComparison * comparisons;

    /// <summary>True if the values meet it.</summary>
    public bool Holds(ulong first, ulong second, ulong third, ulong fourth)
    {
        if (_first is null) return true;
        var row = _first.Holds(first, second, third, fourth) ? 1 : 0;
        if (_second is not null && _second.Holds(first, second, third, fourth)) row |= 2;
        if (_third is not null && _third.Holds(first, second, third, fourth)) row |= 4;
        if (_fourth is not null && _fourth.Holds(first, second, third, fourth)) row |= 8;
        return (_table >> row & 1) != 0;
    }

    /// <summary>
    /// Changes a setting. That of sides is the hash of the left name; above it that of the right one, 0 for the
    /// constant; above these 1 for less than, 0 for equal.
    /// </summary>
    /// <returns>False if it cannot be that.</returns>
    public bool Set(int number, UInt128 bits)
    {
        if (_first is null) return number == 0;
        if (number == 0)
        {
            _table = (ushort)(bits & _rows);
            return true;
        }
        var (setting, isSides) = ((number - First) / PartsOfComparison, (number - First) % PartsOfComparison == 0);
        // Names are looked for at one place, of which a circuit has one copy for all comparisons.
        var (left, right) = (Find((uint)bits), Find((uint)(bits >> NameBits)));
        if (isSides && !AreSides(left, right, (uint)(bits >> NameBits))) return false;
        var sides = new Sides(left, right, (bits >> LessBit & 1) != 0, IsSigned(left) || IsSigned(right));
        return setting switch
        {
            0 => Set(_first, isSides, sides, (ulong)bits),
            1 => Set(_second, isSides, sides, (ulong)bits),
            2 => Set(_third, isSides, sides, (ulong)bits),
            _ => Set(_fourth, isSides, sides, (ulong)bits),
        };
    }

    private readonly record struct Sides(int Left, int Right, bool IsLess, bool IsSigned);

    private static bool Set(Comparison? comparison, bool isSides, Sides sides, ulong constant)
    {
        if (comparison is null) return false;
        if (isSides) comparison.SetSides(sides.Left, sides.Right, sides.IsLess, sides.IsSigned);
        else comparison.SetConstant(constant);
        return true;
    }

    /// <summary>True if sides are of the place, and the right one, unless it is the constant, another value.</summary>
    private bool AreSides(int left, int right, uint rightName) =>
        left >= 0 && (rightName == 0 || (right >= 0 && _names.Length > 1));

    private bool IsSigned(int value) => value >= 0 && _areSigned[value];

    private int Find(uint name)
    {
        for (var number = 0; number < _names.Length; number++)
        {
            if (_names[number] == name) return number;
        }
        return -1;
    }
}
