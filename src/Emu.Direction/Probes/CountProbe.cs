using System.Runtime.CompilerServices;

namespace Emu.Direction.Probes;

/// <summary>
/// Counts an event. The most that is to be shown is only kept: who reads the count compares, so that a circuit only
/// adds.
/// </summary>
/// <param name="comparisons">The comparisons that its condition may have.</param>
/// <param name="names">The hashes of the names of the values at its places.</param>
/// <param name="areSigned">For each value whether it has a sign.</param>
public sealed class CountProbe(int comparisons, uint[] names, bool[] areSigned) : Probe(comparisons, names, areSigned)
{
    private ulong _events;

    // It is given whenever the probe is set to work; 0 at first, as a flop is after a reset.
    private uint _most;

    private protected override ulong Events => _events;

    private protected override ulong Overflow => _most;

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public override bool Pass(ulong first, ulong second, ulong third, ulong fourth)
    {
        if (Condition.Holds(first, second, third, fourth)) _events++;
        return false;
    }

    private protected override bool Begin(uint most)
    {
        _most = most;
        Clear();
        return true;
    }

    private protected override void Clear() => _events = 0;
}
