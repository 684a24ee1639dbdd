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

    private const int First = 1, PartsOfComparison = 2;

    private readonly Comparison? _first, _second, _third, _fourth;
    private ushort _table = ushort.MaxValue;

    /// <summary>Makes a condition that holds.</summary>
    /// <param name="comparisons">The comparisons that it may have; none where there is no value.</param>
    /// <param name="names">The hashes of the values' names.</param>
    /// <param name="areSigned">For each value whether it has a sign.</param>
    public Condition(int comparisons, uint[] names, bool[] areSigned)
    {
        Comparison? Of(int number) => number < comparisons && names.Length > 0 ? new(names, areSigned) : null;
        (_first, _second, _third, _fourth) = (Of(0), Of(1), Of(2), Of(3));
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

    /// <summary>Changes a setting.</summary>
    /// <returns>False if it cannot be that.</returns>
    public bool Set(int number, UInt128 bits)
    {
        if (number == 0)
        {
            _table = (ushort)bits;
            return true;
        }
        return ((number - First) / PartsOfComparison) switch
        {
            0 => Set(_first, number, bits),
            1 => Set(_second, number, bits),
            2 => Set(_third, number, bits),
            _ => Set(_fourth, number, bits),
        };
    }

    private static bool Set(Comparison? comparison, int number, UInt128 bits)
    {
        if (comparison is null) return false;
        if ((number - First) % PartsOfComparison == 0) return comparison.SetSides(bits);
        comparison.SetConstant((ulong)bits);
        return true;
    }
}
