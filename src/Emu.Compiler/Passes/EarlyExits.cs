using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Moves exits that the header decides in front of checksums and accesses to state (guard hoisting): a checksum is
/// tested, then the type says that a cold method answers. Such a frame is deferred by its header, and the slow path
/// tests the checksum; one that is damaged is deferred as well, which costs time and changes nothing.
/// </summary>
internal static class EarlyExits
{
    /// <summary>Moves the exits of a copy of a function.</summary>
    /// <returns>The copy; null if there is nothing to move.</returns>
    public static Function? Of(Function function)
    {
        var early = GraphCopy.Of(function);
        // Each move makes blocks anew.
        var isChanged = false;
        while (Find(early) is var (block, place, moved))
        {
            Move(block, place, moved);
            Edges.ForgetUnreachable(early);
            isChanged = true;
        }
        if (!isChanged) return null;
        Verifier.Verify(early, "exits are early");
        return early;
    }

    /// <summary>True of an operation whose outcome is not of the header.</summary>
    public static bool IsLate(Operation operation) =>
        operation.State.Count > 0 || operation.Opcode is Opcode.FrameSum or Opcode.FrameFold;

    /// <summary>The first branch to an exit that can be decided earlier.</summary>
    private static (Block Block, Place Place, List<(Block Block, Operation Operation)> Moved)? Find(Function function)
    {
        var blocks = PathDivision.FastBlocks(function);
        var leaving = new HashSet<Block>(blocks.Where(PathDivision.Leaves));
        for (var count = -1; count != leaving.Count;)
        {
            count = leaving.Count;
            leaving.UnionWith(blocks.Where(block =>
                block.Terminator is not SideExit && block.Terminator!.Successors.Any(leaving.Contains)));
        }
        foreach (var block in blocks)
        {
            if (ExitOf(block) is not null && PlaceFor(function.Entry, block, leaving) is var (place, moved))
                return (block, place, moved);
        }
        return null;
    }

    /// <summary>The exit to which one way of a branch leads at once.</summary>
    private static Block? ExitOf(Block block) =>
        block.Terminator is Branch branch
            ? branch.Successors.FirstOrDefault(to => to is { Terminator: SideExit, Operations.Count: 0 })
            : null;

    /// <summary>
    /// The place in front of all that is late before a branch, with what computes its condition; null if nothing is.
    /// It may be passed by frames only that come to the branch, or are dropped.
    /// </summary>
    private static (Place Place, List<(Block Block, Operation Operation)> Moved)? PlaceFor(
        Block entry, Block block, HashSet<Block> leaving)
    {
        var needed = new HashSet<Value>(ReferenceEqualityComparer.Instance) { ((Branch)block.Terminator!).Condition };
        var moved = new List<(Block Block, Operation Operation)>();
        (Place Place, int Moved)? to = null;
        for (var at = block; ; at = at.Predecessors[0])
        {
            for (var i = at.Operations.Count - 1; i >= 0; i--)
            {
                var operation = at.Operations[i];
                if (needed.Contains(operation))
                {
                    if (!ByteLoop.OnlyComputes(operation)) return Found();
                    moved.Add((at, operation));
                    needed.UnionWith(operation.Operands);
                }
                else if (operation.WritesFrame || operation.Opcode is Opcode.Wait or Opcode.Call) return Found();
                else if (IsLate(operation)) to = (new Place(at, operation), moved.Count);
            }
            if (at == entry || at.Predecessors is not [var above] || at.Phis.Exists(needed.Contains)
                || above.Terminator!.Successors.Any(other => other != at && leaving.Contains(other))
                || above.Terminator is Branch branch && !Dependence.IsOn(branch.Condition, IsLate))
                return Found();
        }

        (Place, List<(Block, Operation)>)? Found() =>
            to is var (place, count) ? (place, moved[..count]) : null;
    }

    /// <summary>Takes the exit at an earlier place, and no more behind the branch.</summary>
    private static void Move(Block block, Place place, List<(Block Block, Operation Operation)> moved)
    {
        var (branch, exit) = ((Branch)block.Terminator!, ExitOf(block)!);
        var defer = (SideExit)exit.Terminator!;
        foreach (var (from, operation) in moved) from.Operations.Remove(operation);
        var index = place.Block.Operations.IndexOf(place.Before);
        place.Block.Operations.InsertRange(index, moved.Select(each => each.Operation).Reverse());
        index += moved.Count;
        var goesOn = branch.Condition;
        if (branch.Then == exit)
        {
            goesOn = new Operation(Opcode.Xor, 1, branch.Condition, FoldingBuilder.Bit(true))
            {
                Location = defer.Location,
            };
            place.Block.Operations.Insert(index++, (Operation)goesOn);
        }
        var rest = Edges.Split(place.Block, index);
        var (last, copy) = (block == place.Block ? rest : block, GraphCopy.Of(rest));
        Edges.Remove(last, exit);
        last.Terminator = new Jump(branch.Then == exit ? branch.Else : branch.Then);
        SideExits.Guard(place.Block, rest, goesOn, copy, defer.Reason, defer.Location);
    }

    /// <summary>In front of an operation of a block.</summary>
    private readonly record struct Place(Block Block, Operation Before);
}
