using System.Diagnostics;

namespace Emu;

/// <summary>
/// Counts events, modulo 2⁶⁴. A public property of this type on a service is shown by every target under
/// the property's name.
/// </summary>
public sealed class Counter
{
    /// <summary>The count so far.</summary>
    [field: DebuggerBrowsable(DebuggerBrowsableState.RootHidden)]
    public ulong Value { get; private set; }

    /// <summary>Counts one event.</summary>
    public void Increment() => Value++;

    /// <summary>Counts <paramref name="events"/> events.</summary>
    public void Add(ulong events) => Value += events;

    /// <summary>The value in decimal.</summary>
    public override string ToString() => Value.ToString();
}
