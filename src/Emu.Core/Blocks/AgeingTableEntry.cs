namespace Emu;

/// <summary>One live entry of an <see cref="AgeingTable{TKey, TValue}"/>.</summary>
/// <param name="Key">The key.</param>
/// <param name="Value">The value.</param>
/// <param name="SecondsLeft">Seconds until it expires unless it is set again; null when it is permanent.</param>
public readonly record struct AgeingTableEntry<TKey, TValue>(TKey Key, TValue Value, ulong? SecondsLeft);
