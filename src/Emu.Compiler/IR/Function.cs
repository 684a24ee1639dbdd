namespace Emu.Compiler.IR;

/// <summary>The program that a service runs for one event.</summary>
/// <param name="name">The method's.</param>
/// <param name="entry">The block where it begins; nothing goes back there.</param>
public sealed class Function(string name, Block entry)
{
    private static long s_walks;

    private readonly Lock _listing = new();

    /// <summary>The blocks that it had when they were last listed: about what it has now.</summary>
    private int _count;

    /// <summary>
    /// The blocks that <see cref="Blocks"/> has listed in all: how often passes went over it, without a clock.
    /// </summary>
    internal long Visits { get; private set; }

    /// <summary>The method's name.</summary>
    public string Name { get; } = name;

    /// <summary>The block where it begins.</summary>
    public Block Entry { get; } = entry;

    /// <summary>The blocks that can be reached, each after its dominators: reverse postorder.</summary>
    public List<Block> Blocks()
    {
        // Blocks are marked by the walk.
        lock (_listing) return List();
    }

    private List<Block> List()
    {
        var walk = Interlocked.Increment(ref s_walks);
        var order = new List<Block>(_count);
        // Depth first without recursion: unrolled code is deep.
        var stack = new Stack<(Block Block, int Next)>([(Entry, 0)]);
        Entry.Walk = walk;
        while (stack.TryPop(out var top))
        {
            if (Successor(top.Block.Terminator!, top.Next) is not { } next)
            {
                order.Add(top.Block);
                continue;
            }
            stack.Push((top.Block, top.Next + 1));
            if (next.Walk == walk) continue;
            next.Walk = walk;
            stack.Push((next, 0));
        }
        order.Reverse();
        (_count, Visits) = (order.Count, Visits + order.Count);
        return order;
    }

    /// <summary>One of <see cref="Terminator.Successors"/>; null behind the last.</summary>
    private static Block? Successor(Terminator terminator, int index) => terminator switch
    {
        Jump jump => index == 0 ? jump.Target : null,
        Branch branch => index switch { 0 => branch.Then, 1 => branch.Else, _ => null },
        _ => terminator.Successors.At(index),
    };

    /// <summary>True if it has an operation of this kind.</summary>
    internal bool Has(Opcode opcode) => Blocks().Exists(block => block.Operations.Exists(o => o.Opcode == opcode));

    /// <summary>Numbers blocks and values in the order in which they stand.</summary>
    public void Number() => Numbered();

    /// <summary>The same; returns the blocks.</summary>
    internal List<Block> Numbered()
    {
        var value = 0;
        var number = 0;
        var blocks = Blocks();
        foreach (var block in blocks)
        {
            block.Number = number++;
            foreach (var phi in block.Phis) phi.Number = value++;
            foreach (var operation in block.Operations) operation.Number = value++;
        }
        return blocks;
    }
}
