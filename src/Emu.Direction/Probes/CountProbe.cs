using System.Runtime.CompilerServices;

namespace Emu.Direction.Probes;

/// <summary>
/// Counts an event. The controller keeps the most that is to be shown, and who reads the count compares, so that a
/// circuit only adds.
/// </summary>
/// <param name="comparisons">The comparisons that its condition may have.</param>
/// <param name="names">The hashes of the names of the values at its places.</param>
/// <param name="areSigned">For each value whether it has a sign.</param>
public sealed class CountProbe(int comparisons, uint[] names, bool[] areSigned) : Probe(comparisons, names, areSigned)
{
    /// <summary>The start of the name of the variable: <c>count writes Forwarded</c>.</summary>
    private const string Prefix = "count ";

    private ulong _events;

    /// <inheritdoc/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public override bool Pass(ulong first, ulong second, ulong third, ulong fourth)
    {
        if (Condition.Holds(first, second, third, fourth)) _events++;
        return false;
    }

    /// <summary>The events that were counted.</summary>
    public ulong ReadEvents() => _events;

    /// <summary>True for the variable of a counter.</summary>
    internal static bool Is(DirectedVariable variable) =>
        variable.Kind == VariableKind.Probe && variable.Name.StartsWith(Prefix, StringComparison.Ordinal);

    private protected override bool Begin(uint most)
    {
        Clear();
        return true;
    }

    private protected override void Clear() => _events = 0;
}
