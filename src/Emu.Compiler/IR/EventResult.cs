namespace Emu.Compiler.IR;

/// <summary>What one event came to.</summary>
/// <param name="Start">Where in the memory the frame that leaves begins.</param>
/// <param name="Length">Its bytes.</param>
/// <param name="Egress">The ports that it leaves by; none when it is dropped.</param>
/// <param name="Fault">The fault that ended the event; null for none.</param>
public readonly record struct EventResult(int Start, int Length, PortSet Egress, FaultKind? Fault)
{
    /// <summary>Why the event is left to another function, which takes it from its start; null when it is not.</summary>
    public Defer? Deferred { get; init; }
}
