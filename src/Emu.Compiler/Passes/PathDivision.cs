using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>The two parts of a function with a <see cref="SideExit"/>, each as a function of its own.</summary>
internal static class PathDivision
{
    /// <summary>The blocks that are reached without a <see cref="SideExit"/>, each after its dominators.</summary>
    public static List<Block> FastBlocks(Function function)
    {
        var fast = new HashSet<Block> { function.Entry };
        // Each after one from which it is reached.
        return function.Blocks().FindAll(block =>
        {
            if (!fast.Contains(block)) return false;
            if (block.Terminator is not SideExit) fast.UnionWith(block.Terminator!.Successors);
            return true;
        });
    }

    /// <summary>True if a frame may leave from a block, or a copy of it.</summary>
    public static bool Leaves(Block block) =>
        block.Terminator is Return end && !Constant.Is(end.Egress, 0)
        || block.Operations.Exists(operation => operation.Opcode == Opcode.Send);

    /// <summary>True if the header alone decides which events are deferred, as far as that is plain.</summary>
    public static bool DefersByHeader(Function fast)
    {
        var defers = Deferring(FastBlocks(fast));
        return !defers.SelectMany(block => block.Operations).Any(EarlyExits.IsLate);
    }

    /// <summary>
    /// The blocks from which a side exit is reached, of some in the order of <see cref="FastBlocks"/>.
    /// </summary>
    private static HashSet<Block> Deferring(List<Block> fast)
    {
        var defers = new HashSet<Block>();
        foreach (var block in Enumerable.Reverse(fast))
        {
            if (block.Terminator is SideExit || block.Terminator!.Successors.Any(defers.Contains)) defers.Add(block);
        }
        return defers;
    }

    /// <summary>
    /// The part that a pipeline does: deferred events are left alone.
    /// Returns the function itself when none is deferred.
    /// </summary>
    public static Function Fast(Function function)
    {
        if (!FastBlocks(function).Exists(b => b.Terminator is SideExit)) return function;
        var fast = GraphCopy.Of(function);
        foreach (var block in FastBlocks(fast))
        {
            if (block.Terminator is not SideExit { Target: { } target } defer) continue;
            Edges.Remove(block, target);
            block.Terminator = defer with { Target = null };
        }
        Edges.ForgetUnreachable(fast);
        return fast;
    }

    /// <summary>
    /// The function for deferred events, from their start; null when none is deferred.
    /// </summary>
    /// <param name="function">The function with side exits.</param>
    /// <param name="takesAll">True if any event may come to it; else only those that reach a side exit.</param>
    public static Function? Slow(Function function, bool takesAll)
    {
        if (!FastBlocks(function).Exists(b => b.Terminator is SideExit)) return null;
        var slow = GraphCopy.Of(function);
        if (!takesAll) ForbidOthers(slow);
        foreach (var block in slow.Blocks())
        {
            if (block.Terminator is SideExit { Target: { } target }) block.Terminator = new Jump(target);
        }
        Edges.ForgetUnreachable(slow);
        return slow;
    }

    /// <summary>Ends the ways by which an event does not reach a side exit.</summary>
    private static void ForbidOthers(Function slow)
    {
        var fast = FastBlocks(slow);
        var after = new HashSet<Block>(
            fast.Select(b => b.Terminator).OfType<SideExit>().SelectMany(d => new Function("", d.Target!).Blocks()));
        var defers = Deferring(fast);
        foreach (var block in fast.Where(defers.Contains))
        {
            if (block.Terminator is Branch branch && !after.Contains(block))
            {
                foreach (var other in branch.Successors.Where(s => !defers.Contains(s)).ToList()) Forbid(block, other);
            }
        }
    }

    /// <summary>
    /// Branches of which one way is never taken become jumps, when what follows from that has been used.
    /// </summary>
    public static void Trust(Function slow)
    {
        foreach (var block in slow.Blocks())
        {
            if (block.Terminator is not Branch branch
                || branch.Successors.FirstOrDefault(s => s.Terminator is SideExit) is not { } never)
                continue;
            Edges.Remove(block, never);
            block.Terminator = new Jump(branch.Then == never ? branch.Else : branch.Then);
        }
        Edges.ForgetUnreachable(slow);
    }

    private static void Forbid(Block from, Block to)
    {
        var never = new Block { Terminator = new SideExit("such events are not deferred", null, null) };
        Edges.Remove(from, to);
        from.Terminator = Edges.Retarget(from.Terminator!, to, never);
        never.Predecessors.Add(from);
    }
}
