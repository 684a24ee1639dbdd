using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// Moves reads of the frame at computed places in front of accesses to state, and of writes of other bytes (code
/// hoisting): a header is parsed, a table asked, a port changed, and the header read on. So all reads of a parser stand
/// together. What a frame holds does not depend on state, and a read does nothing.
/// </summary>
internal sealed class EarlyReads
{
    private readonly Function _function;
    private readonly PathRanges _facts;

    private EarlyReads(Compilation compilation)
    {
        _function = compilation.Process;
        _facts = compilation.PathRangesOf(_function);
    }

    /// <summary>Moves the reads.</summary>
    /// <param name="compilation">The service; blocks behind a side exit are left as they are.</param>
    /// <returns>True if there were any.</returns>
    public static bool Run(Compilation compilation)
    {
        var (changed, early) = (false, new EarlyReads(compilation));
        foreach (var block in PathDivision.FastBlocks(compilation.Process))
        {
            foreach (var read in block.Operations.FindAll(IsComputed)) changed |= early.Move(block, read);
        }
        return changed;
    }

    private static bool IsComputed(Operation operation) =>
        operation is { Opcode: Opcode.FrameRead, Operands: [not Constant] };

    /// <summary>
    /// Moves one read, with what computes its place, in front of the first access to state, or write of other bytes,
    /// that it may pass.
    /// </summary>
    private bool Move(Block block, Operation read)
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
                var isBeside = operation.Opcode == Opcode.FrameWrite && moved.TrueForAll(
                    each => each.Operation.Opcode != Opcode.FrameRead || IsBeside(each.Operation, operation, block));
                if (!isBeside && (operation.WritesFrame || operation.Opcode is Opcode.Wait or Opcode.Call))
                    return MoveTo(to, moved);
                if (isBeside || Asks(operation)) to = (at, operation, moved.Count);
            }
            if (at == _function.Entry || at.Predecessors is not [var above] || at.Phis.Exists(needed.Contains)
                || above.Terminator is Branch branch && !IsDecidedByState(branch.Condition))
                return MoveTo(to, moved);
        }
    }

    /// <summary>True if a read has no byte of a write.</summary>
    private bool IsBeside(Operation read, Operation write, Block block) =>
        write.Operands[0] is Constant { Bits: var at }
            ? _facts.At(block, read.Operands[0]).Min >= at + (UInt128)(write.Operands[1].Width / 8)
            : FramePlace.AreDisjoint(read, write);

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
