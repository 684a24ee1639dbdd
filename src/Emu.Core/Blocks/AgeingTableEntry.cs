namespace Emu;

/// <summary>One live entry of an <see cref="AgeingTable{TKey, TValue}"/>.</summary>
/// <param name="Key">The key.</param>
/// <param name="Value">The value.</param>
/// <param name="TimeLeft">
/// The time until it expires unless it is set again, in the units of the table; null when it is permanent.
/// </param>
public readonly record struct AgeingTableEntry<TKey, TValue>(TKey Key, TValue Value, ulong? TimeLeft);
