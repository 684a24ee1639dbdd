namespace Emu.Compiler.IR;

/// <summary>Functions, and the state that they share.</summary>
/// <param name="State">The registers and memories, in the order in which the text declares them.</param>
/// <param name="Functions">The functions, in order.</param>
internal sealed record Listing(IReadOnlyList<StateElement> State, IReadOnlyList<Function> Functions);
