using System.Runtime.CompilerServices;

namespace Emu.Direction.Probes;

/// <summary>Stops the service at an event: a breakpoint, or a watch of a variable.</summary>
/// <param name="comparisons">The comparisons that its condition may have.</param>
/// <param name="names">The hashes of the names of the values at its places.</param>
/// <param name="areSigned">For each value whether it has a sign.</param>
public sealed class StopProbe(int comparisons, uint[] names, bool[] areSigned) : Probe(comparisons, names, areSigned)
{
    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public override bool Pass(ulong first, ulong second, ulong third, ulong fourth) =>
        Condition.Holds(first, second, third, fourth);

    private protected override bool Begin(uint most) => true;

    private protected override void Clear()
    {
    }
}
