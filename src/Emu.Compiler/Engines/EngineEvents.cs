using Emu.Compiler.IR;

namespace Emu.Compiler.Engines;

/// <summary>The events of an engine that is part of another circuit, which counts them.</summary>
/// <param name="FramesOut">1 when a frame has left.</param>
/// <param name="Drops">1 when a frame does not leave.</param>
/// <param name="Faults">1 when a frame is dropped by a fault of a kind.</param>
/// <param name="Counts">The amounts added to the service's counters.</param>
internal sealed record EngineEvents(
    Value FramesOut,
    Value Drops,
    IReadOnlyDictionary<FaultKind, Value> Faults,
    IReadOnlyDictionary<Register, Value> Counts);
