using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>Changes of the control flow, with the phis that depend on it.</summary>
internal static class Edges
{
    /// <summary>Forgets the way from <paramref name="from"/> to <paramref name="to"/>.</summary>
    public static void Remove(Block from, Block to)
    {
        var way = to.Predecessors.IndexOf(from);
        to.Predecessors.RemoveAt(way);
        foreach (var phi in to.Phis) phi.Operands.RemoveAt(way);
    }

    /// <summary>Forgets the ways out of blocks that cannot be reached.</summary>
    public static void ForgetUnreachable(Function function)
    {
        var reached = new HashSet<Block>(function.Blocks());
        foreach (var block in reached)
        {
            for (var way = block.Predecessors.Count - 1; way >= 0; way--)
            {
                if (reached.Contains(block.Predecessors[way])) continue;
                block.Predecessors.RemoveAt(way);
                foreach (var phi in block.Phis) phi.Operands.RemoveAt(way);
            }
        }
    }

    /// <summary>The terminator with one target in place of another.</summary>
    public static Terminator Retarget(Terminator terminator, Block before, Block after) => terminator switch
    {
        Jump jump when jump.Target == before => new Jump(after),
        Pause pause when pause.Target == before => pause with { Target = after },
        SideExit defer when defer.Target == before => defer with { Target = after },
        Branch branch => Simplified(branch with
        {
            Then = branch.Then == before ? after : branch.Then,
            Else = branch.Else == before ? after : branch.Else,
        }),
        _ => terminator,
    };

    /// <summary>Takes from a block what follows a place in it: a block that nothing leads to yet.</summary>
    public static Block Split(Block block, int index)
    {
        var rest = new Block { Terminator = block.Terminator };
        rest.Operations.AddRange(block.Operations[index..]);
        block.Operations.RemoveRange(index, block.Operations.Count - index);
        foreach (var successor in rest.Terminator!.Successors)
            successor.Predecessors[successor.Predecessors.IndexOf(block)] = rest;
        return rest;
    }

    /// <summary>The block behind one, from which no other way leads on but faults; null if there is none.</summary>
    public static Block? OnlyNext(Block block)
    {
        var next = block.Terminator!.Successors.Where(to => to.Terminator is not Fault).Distinct().ToList();
        return next is [{ Predecessors.Count: 1 } one] ? one : null;
    }

    /// <summary>Joins some of the ways to a block in a block of their own.</summary>
    public static Block Join(Block block, Predicate<Block> isJoined)
    {
        var join = new Block { Terminator = new Jump(block) };
        var ways = block.Predecessors.FindAll(isJoined);
        foreach (var phi in block.Phis)
        {
            var joined = new Phi(phi.Width, join);
            joined.Operands.AddRange(ways.Select(p => phi.Operands[block.Predecessors.IndexOf(p)]));
            join.Phis.Add(joined);
        }
        foreach (var from in ways)
        {
            Remove(from, block);
            from.Terminator = Retarget(from.Terminator!, block, join);
            join.Predecessors.Add(from);
        }
        block.Predecessors.Add(join);
        for (var i = 0; i < block.Phis.Count; i++) block.Phis[i].Operands.Add(join.Phis[i]);
        return join;
    }

    private static Terminator Simplified(Branch branch) => branch.Then == branch.Else ? new Jump(branch.Then) : branch;
}
