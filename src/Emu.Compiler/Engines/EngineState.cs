using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Engines;

/// <summary>The beginning of a state of the program.</summary>
/// <param name="block">The block.</param>
/// <param name="index">The index of its first operation.</param>
/// <param name="words">The number of operations from there on whose words the state before requested.</param>
/// <param name="active">1 in the cycle of the state.</param>
internal sealed class EngineState(Block block, int index, int words, Flop active)
{
    /// <summary>The block.</summary>
    public Block Block { get; } = block;

    /// <summary>The index of its first operation.</summary>
    public int Index { get; } = index;

    /// <summary>
    /// The number of operations from there on that read what the state before requested of block RAMs, the frame or its
    /// checksum: it is there now.
    /// </summary>
    public int Words { get; } = words;

    /// <summary>1 in the cycle of the state.</summary>
    public Flop Active { get; } = active;

    /// <summary>The operations that are done in it.</summary>
    public List<Operation> Done { get; } = [];

    /// <summary>The values that it computes.</summary>
    public List<Value> Values { get; } = [];

    /// <summary>The states that it may lead to.</summary>
    public HashSet<EngineState> Next { get; } = [];
}
