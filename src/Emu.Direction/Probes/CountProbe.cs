using System.Runtime.CompilerServices;

namespace Emu.Direction.Probes;

/// <summary>Counts an event, up to a number.</summary>
/// <param name="comparisons">The comparisons that its condition may have.</param>
/// <param name="names">The hashes of the names of the values at its places.</param>
/// <param name="areSigned">For each value whether it has a sign.</param>
public sealed class CountProbe(int comparisons, uint[] names, bool[] areSigned) : Probe(comparisons, names, areSigned)
{
    private uint _most = uint.MaxValue, _events;

    private protected override uint Events => _events;

    private protected override uint Overflow => _events == _most ? 1u : 0u;

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public override bool Pass(ulong first, ulong second, ulong third, ulong fourth)
    {
        if (_events != _most && Condition.Holds(first, second, third, fourth)) _events++;
        return false;
    }

    private protected override bool Begin(UInt128 most)
    {
        if (most > uint.MaxValue) return false;
        _most = (uint)most;
        Clear();
        return true;
    }

    private protected override void Clear() => _events = 0;
}
