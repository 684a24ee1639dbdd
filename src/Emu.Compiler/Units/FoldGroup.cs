using Emu.Compiler.IR;

namespace Emu.Compiler.Units;

/// <summary>Turns of a fold that are done in one go, one behind the other.</summary>
/// <param name="IsFirst">1 if a frame's turns begin with these.</param>
/// <param name="IsEnd">1 if no turns of the frame follow.</param>
/// <param name="Initial">The state in front of a frame's first turn.</param>
/// <param name="Invariants">The values that are the same in all turns.</param>
/// <param name="Lanes">The turns.</param>
/// <param name="Passed">What is known of turns in front of these that were passed over; null if none ever are.</param>
/// <param name="Words">What memories give for them, later than all else.</param>
internal sealed record FoldGroup(
    Value IsFirst, Value IsEnd, IReadOnlyList<Value> Initial, IReadOnlyList<Value> Invariants,
    IReadOnlyList<FoldLanes.Lane> Lanes, PassedTurns? Passed, IReadOnlySet<Value> Words);
