using Emu.Direction.Packets;

namespace Emu.Direction.Directing;

/// <summary>A reply whose tag is right: the fields of <see cref="DirectionPacket"/>.</summary>
/// <param name="Kind">The request that it answers.</param>
/// <param name="Status">The outcome.</param>
/// <param name="Sequence">The number of the request in its session.</param>
/// <param name="Name">The hash of the variable's name.</param>
/// <param name="Index">The element, or the variable's number.</param>
/// <param name="Value">The bits of the element, or a part of the variable's name.</param>
/// <param name="Number">The fresh number, in a reply to begin a session.</param>
/// <param name="Shown">How the bits of the variable are shown.</param>
/// <param name="Width">Bits of an element.</param>
/// <param name="IsWritable">True if the variable may be written.</param>
/// <param name="Elements">Elements of the variable.</param>
/// <param name="IsStopped">True if the service is stopped.</param>
public sealed record DirectionReply(
    DirectionKind Kind, DirectionStatus Status, uint Sequence, uint Name, uint Index, UInt128 Value, ulong Number,
    VariableKind Shown, byte Width, bool IsWritable, uint Elements,
    bool IsStopped);
