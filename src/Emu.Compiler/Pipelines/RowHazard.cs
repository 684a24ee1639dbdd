using Emu.Compiler.IR;

namespace Emu.Compiler.Pipelines;

/// <summary>
/// The rows of a memory by which frames meet in it. A row is one word, or a set of words that are next to each other;
/// it is known before any state is looked at.
/// </summary>
/// <param name="Memory">The memory.</param>
/// <param name="Read">The rows that an event may read.</param>
/// <param name="Written">The rows of which it may write one.</param>
/// <param name="MayWrite">1 if it may write, as far as that is known before any state is looked at.</param>
internal sealed record RowHazard(
    Memory Memory, IReadOnlyList<Value> Read, IReadOnlyList<Value> Written, Value MayWrite);
