namespace Emu.Compiler.Layouts;

/// <summary>A word of the register map.</summary>
/// <param name="Address">In bytes.</param>
/// <param name="Name">The name as in C#, or as in the contract.</param>
/// <param name="Meaning">The meaning, one line.</param>
/// <param name="Entries">Of a table: how many indices <c>table_index</c> can have for it; null for other words.</param>
public sealed record RegisterEntry(int Address, string Name, string Meaning, int? Entries = null);
