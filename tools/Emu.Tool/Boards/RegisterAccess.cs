namespace Emu.Tool;

/// <summary>One access to a window of registers.</summary>
/// <param name="Address">In bytes from the window's start.</param>
/// <param name="Value">The word that is written; null for a read.</param>
internal readonly record struct RegisterAccess(int Address, uint? Value = null);
