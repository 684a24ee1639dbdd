using Emu.Compiler.IR;

namespace Emu.Compiler.Clocked;

/// <summary>The values that are used behind a place and computed before it (Muchnick 1997, §14.1.3).</summary>
internal sealed class Liveness
{
    private readonly Dictionary<Block, HashSet<Value>> _atStart = [];

    /// <summary>Of a function.</summary>
    public Liveness(Function function)
    {
        var blocks = function.Blocks();
        foreach (var block in blocks) _atStart[block] = new(ReferenceEqualityComparer.Instance);
        bool isChanged;
        do
        {
            isChanged = false;
            foreach (var block in Enumerable.Reverse(blocks)) isChanged |= Update(block);
        }
        while (isChanged);
    }

    /// <summary>The values that live at the start of a block, those that its phis join there not among them.</summary>
    public IReadOnlySet<Value> AtStart(Block block) => _atStart[block];

    private bool Update(Block block)
    {
        var live = new HashSet<Value>(ReferenceEqualityComparer.Instance);
        foreach (var successor in block.Terminator!.Successors)
        {
            live.UnionWith(_atStart[successor]);
            for (var way = 0; way < successor.Predecessors.Count; way++)
            {
                if (successor.Predecessors[way] == block)
                    live.UnionWith(successor.Phis.Select(phi => phi.Operands[way]));
            }
        }
        live.UnionWith(Verifier.UsedBy(block.Terminator));
        foreach (var operation in Enumerable.Reverse(block.Operations))
        {
            live.Remove(operation);
            live.UnionWith(operation.Operands);
        }
        live.ExceptWith(block.Phis);
        live.RemoveWhere(value => value is Constant);
        if (live.Count == _atStart[block].Count) return false;
        _atStart[block] = live;
        return true;
    }
}
