using Emu.Compiler.IR;

namespace Emu.Compiler.Scheduling;

/// <summary>The place of an effect on one of several memories.</summary>
/// <param name="Block">The block that it stands in.</param>
/// <param name="Selector">The operand that selects the memory; null if there is one only.</param>
/// <param name="Number">The number of this one.</param>
internal readonly record struct EffectPlace(Block Block, Value? Selector, int Number);
