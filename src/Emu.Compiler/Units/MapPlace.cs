using Emu.Compiler.IR;

namespace Emu.Compiler.Units;

/// <summary>The place of a beat that comes to a <see cref="PayloadMap"/> in its frame.</summary>
/// <param name="IsFirst">True if it is the one with which a loop begins; of no meaning where there is none.</param>
/// <param name="IsStart">True if it is the one with which a loop begins; there is a beat.</param>
/// <param name="IsIn">True if it is that one or a later one; there is a beat.</param>
internal sealed record MapPlace(Value IsFirst, Value IsStart, Value IsIn);
