using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// Moves reads of the frame at computed places in front of accesses to state (code hoisting): a header is parsed, a
/// table asked, and the header read on. So all reads of a parser stand together. What a frame holds does not depend
/// on state, and a read does nothing.
/// </summary>
internal static class EarlyReads
{
    /// <summary>Moves the reads.</summary>
    /// <param name="function">The function; blocks behind a side exit are left as they are.</param>
    /// <returns>True if there were any.</returns>
    public static bool Run(Function function)
    {
        var changed = false;
        foreach (var block in PathDivision.FastBlocks(function))
        {
            foreach (var read in block.Operations.FindAll(IsComputed)) changed |= Move(function.Entry, block, read);
        }
        return changed;
    }

    private static bool IsComputed(Operation operation) =>
        operation is { Opcode: Opcode.FrameRead, Operands: [not Constant] };

    /// <summary>
    /// Moves one read, with what computes its place, in front of the first access to state that it may pass.
    /// </summary>
    private static bool Move(Block entry, Block block, Operation read)
    {
        var moved = new List<(Block Block, Operation Operation)>();
        var needed = new HashSet<Value>(ReferenceEqualityComparer.Instance) { read };
        (Block Block, Operation Before, int Moved)? to = null;
        for (var at = block; ; at = at.Predecessors[0])
        {
            var first = at == block ? at.Operations.IndexOf(read) : at.Operations.Count - 1;
            for (var i = first; i >= 0; i--)
            {
                var operation = at.Operations[i];
                if (needed.Contains(operation))
                {
                    if (!ByteLoop.OnlyComputes(operation)) return MoveTo(to, moved);
                    moved.Add((at, operation));
                    needed.UnionWith(operation.Operands);
                    continue;
                }
                if (operation.WritesFrame || operation.Opcode is Opcode.Wait or Opcode.Call) return MoveTo(to, moved);
                if (!Asks(operation)) continue;
                to = (at, operation, moved.Count);
            }
            if (at == entry || at.Predecessors is not [var above] || at.Phis.Exists(needed.Contains)
                || above.Terminator is Branch branch && !IsDecidedByState(branch.Condition))
                return MoveTo(to, moved);
        }
    }

    /// <summary>
    /// True if a branch is decided by accesses to state, so that it does not say whether the bytes are in the frame:
    /// all that is compared is compared with state.
    /// </summary>
    private static bool IsDecidedByState(Value condition) => condition switch
    {
        Constant => true,
        Operation { Opcode: Opcode.And or Opcode.Or or Opcode.Xor or Opcode.Select, Width: 1 } logic =>
            logic.Operands.TrueForAll(IsDecidedByState),
        _ => Dependence.IsOn(condition, Asks),
    };

    private static bool Asks(Operation operation) =>
        operation.State.Count > 0 && !CountPromotion.IsCount(operation) && operation.Fold is null;

    private static bool MoveTo(
        (Block Block, Operation Before, int Moved)? to, List<(Block Block, Operation Operation)> moved)
    {
        if (to is not var (block, before, count)) return false;
        foreach (var (from, operation) in moved.Take(count)) from.Operations.Remove(operation);
        block.Operations.InsertRange(
            block.Operations.IndexOf(before), moved.Take(count).Select(each => each.Operation).Reverse());
        return true;
    }
}
