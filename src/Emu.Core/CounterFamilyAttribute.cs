namespace Emu;

/// <summary>
/// Marks a class of counters that belong together, such as a host's reasons for refusing a packet. A public property
/// of such a class on a service is shown by every target as the counters in it, under their own names; where the
/// service has a counter of that name itself, behind the property's: <c>Host.Malformed</c>.
/// </summary>
/// <example><code>
/// [CounterFamily]
/// public sealed class Drops
/// {
///     /// &lt;summary&gt;Frames dropped: too short.&lt;/summary&gt;
///     public Counter TooShort { get; } = new();
/// }
/// </code></example>
[AttributeUsage(AttributeTargets.Class)]
public sealed class CounterFamilyAttribute : Attribute;
