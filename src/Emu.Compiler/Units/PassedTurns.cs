using Emu.Compiler.IR;

namespace Emu.Compiler.Units;

/// <summary>The turns in front of a group that were passed over without being given.</summary>
/// <param name="Were">1 if there were any.</param>
/// <param name="Rest">The turns that are still to be passed over, then.</param>
/// <param name="Count">The turns that were passed over, then.</param>
internal sealed record PassedTurns(Value Were, Value Rest, Value Count);
