using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>A block that is copied once for each way to it.</summary>
/// <param name="function">The function that it is in.</param>
/// <param name="block">A block that is no loop.</param>
internal sealed class ThreadedBlock(Function function, Block block)
    : RegionCopy(function, block, new HashSet<Block> { block }, written: null)
{
    /// <summary>
    /// The ways that need not decide where a block does nothing but join conditions: the last of those that a method
    /// returns is computed, so its copy asks for that alone.
    /// </summary>
    private const int MostUndecided = 1;

    /// <summary>Up to so many ways a choice of the conditions costs less than ways of their own.</summary>
    private const int FewWays = 4;

    /// <summary>
    /// Copies the block, if all ways but one decide where it goes on, and none brings along what the block itself has
    /// computed, as round a loop.
    /// </summary>
    public bool TryThread()
    {
        var own = Header.Phis.Concat<Value>(Header.Operations).ToHashSet<Value>(ReferenceEqualityComparer.Instance);
        var (entries, copies) = Copy();
        if (entries.Exists(entry => entry.Operands.Exists(own.Contains))) return false;
        var undecided = copies.Count(copy => copy.Terminator is not Jump);
        if (undecided > (Header.Operations.Count == 0 && copies.Count > FewWays ? MostUndecided : 0)) return false;
        Replace(entries, copies);
        return true;
    }

    /// <summary>Copies the block in any case (tail duplication).</summary>
    public void Duplicate()
    {
        var (entries, copies) = Copy();
        Replace(entries, copies);
    }

    private (List<Edge> Entries, List<Block> Copies) Copy()
    {
        var entries = Entries();
        var copies = new List<Block>();
        foreach (var entry in entries)
        {
            copies.Add(Current = new Block());
            Copy(entry);
        }
        return (entries, copies);
    }

    private void Copy(Edge entry)
    {
        var values = new Dictionary<Value, Value>(ReferenceEqualityComparer.Instance);
        Value Of(Value value) => values.GetValueOrDefault(value, value);
        Current.Predecessors.Add(entry.From);
        for (var i = 0; i < Header.Phis.Count; i++) Define(Header.Phis[i], values[Header.Phis[i]] = entry.Operands[i]);
        foreach (var operation in Header.Operations) Define(operation, values[operation] = CopyOf(operation, Of));
        Current.Terminator = Kept(Header.Terminator!, Of);
        foreach (var exit in Current.Terminator.Successors.Distinct())
            Exits.Add(EdgeOf(Header, exit, Current, Of));
    }
}
