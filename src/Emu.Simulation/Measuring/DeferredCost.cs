using Emu.Compiler.IR;

namespace Emu.Simulation;

/// <summary>The cycles that one deferred frame costs a pipeline.</summary>
/// <param name="Deferred">The reason why it takes the slow path.</param>
/// <param name="Cycles">
/// Cycles by which it delays the frames behind it, those that have to follow it to the slow path included.
/// </param>
public sealed record DeferredCost(SideExit Deferred, long Cycles);
