namespace Emu.Compiler.IR;

/// <summary>The result of one event.</summary>
/// <param name="Start">The offset in the memory at which the frame that leaves begins.</param>
/// <param name="Length">The bytes of the frame that leaves.</param>
/// <param name="Egress">The ports that it leaves by; none when it is dropped.</param>
/// <param name="Fault">The fault that ended the event; null for none.</param>
public readonly record struct EventResult(int Start, int Length, PortSet Egress, FaultKind? Fault)
{
    /// <summary>
    /// The reason why the event is left to another function, which takes it from its start; null when it is not.
    /// </summary>
    public SideExit? Deferred { get; init; }
}
