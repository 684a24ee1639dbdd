using System.Runtime.CompilerServices;

namespace Emu.Direction.Probes;

/// <summary>Keeps the first values of an event, up to a number, and counts those that found no room.</summary>
/// <param name="comparisons">The comparisons that its condition may have.</param>
/// <param name="names">The hashes of the names of the values at its places; the first is the one kept.</param>
/// <param name="areSigned">For each value whether it has a sign.</param>
public sealed class TraceProbe(int comparisons, uint[] names, bool[] areSigned) : Probe(comparisons, names, areSigned)
{
    /// <summary>The values that there is room for: 64.</summary>
    public const int Depth = 64;

    /// <summary>The start of the name of the variable with the values: <c>traced Forwarded</c>.</summary>
    internal const string ValuesPrefix = "traced ";

    private readonly ulong[] _values = new ulong[Depth];
    private byte _most = Depth, _kept;
    private ulong _missed;

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public override bool Pass(ulong first, ulong second, ulong third, ulong fourth)
    {
        if (!Condition.Holds(first, second, third, fourth)) return false;
        if (_kept < _most) _values[_kept++ % Depth] = first;
        else _missed++;
        return false;
    }

    /// <summary>
    /// The number of values that were kept in the low half, of those that found no room in the high one: as halves of
    /// one value they are no choice in a circuit.
    /// </summary>
    public UInt128 ReadCounts() => new(_missed, _kept);

    /// <summary>A value that was kept; one with a sign in two's complement of 64 bits.</summary>
    public ulong ReadValue(int number) => _values[number];

    private protected override bool Begin(uint most)
    {
        if (most > Depth) return false;
        _most = (byte)most;
        Clear();
        return true;
    }

    private protected override void Clear()
    {
        _kept = 0;
        _missed = 0;
    }
}
