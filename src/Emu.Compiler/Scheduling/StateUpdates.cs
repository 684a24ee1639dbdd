using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>A word that an event reads from a memory, as it is before the event.</summary>
/// <param name="Memory">The memory.</param>
/// <param name="Index">The word.</param>
/// <param name="Word">Stands for it.</param>
internal sealed record MemoryAccess(Memory Memory, Value Index, Wire Word)
{
    /// <summary>The conditions of which one holds when the word is asked for.</summary>
    public List<Value> Conditions { get; } = [];

    /// <summary>The blocks in which it is, one for each condition.</summary>
    public List<Block> Blocks { get; } = [];
}

/// <summary>A write of an event.</summary>
/// <param name="Condition">The condition under which it happens.</param>
/// <param name="Index">The word.</param>
/// <param name="Data">The data written.</param>
/// <param name="Location">The C# that writes.</param>
internal sealed record MemoryUpdate(Value Condition, Value Index, Value Data, SourceLocation? Location);

/// <summary>A write of an event to a register.</summary>
/// <param name="Condition">The condition under which it happens.</param>
/// <param name="Value">The value written.</param>
/// <param name="Location">The C# that writes.</param>
internal sealed record RegisterUpdate(Value Condition, Value Value, SourceLocation? Location);
