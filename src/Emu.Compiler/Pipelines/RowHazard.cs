using Emu.Compiler.IR;

namespace Emu.Compiler.Pipelines;

/// <summary>
/// The rows of memories by which frames meet in them. A row is one word, or a set of words that are next to each other;
/// it is known before any state is looked at.
/// </summary>
/// <param name="Memories">The memories: one, or those of an array of structs, which have the same rows.</param>
/// <param name="Read">The rows that an event may read.</param>
/// <param name="Written">The rows that it may write.</param>
internal sealed record RowHazard(
    IReadOnlyList<Memory> Memories, IReadOnlyList<Row> Read, IReadOnlyList<Row> Written)
{
    /// <summary>All that it is made of.</summary>
    public IEnumerable<Value> Values => Read.Concat(Written).SelectMany(row => new[] { row.Index, row.When });
}
