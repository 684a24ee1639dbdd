using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// A copy of a loop's blocks in front of the loop: its first turn, or the test of whether there is one.
/// </summary>
/// <param name="function">The function that it is in.</param>
/// <param name="loop">The loop.</param>
/// <param name="copied">The blocks: all of the loop, or those of its <see cref="LoopTest"/>.</param>
internal sealed class PeeledTurn(Function function, Loop loop, IReadOnlySet<Block> copied)
    : RegionCopy(function, loop.Header, loop.Body, written: null)
{
    private readonly Dictionary<Block, Block> _blocks = [];
    private readonly Dictionary<Value, Value> _values = new(ReferenceEqualityComparer.Instance);

    /// <summary>
    /// Makes the copy; what goes round in it goes on in the loop, and what goes on to another block of the loop begins
    /// the loop, which tests again.
    /// </summary>
    public void Peel()
    {
        var body = Function.Blocks().FindAll(copied.Contains);
        foreach (var block in body) _blocks[block] = new Block();
        foreach (var block in body) Copy(block);
        foreach (var block in body) Connect(block);
        LeadIn();
        Join();
        foreach (var block in body) DefineOriginals(block);
        Repair(loop.Body);
    }

    private Value Of(Value value) => _values.GetValueOrDefault(value, value);

    private void Copy(Block block)
    {
        Current = _blocks[block];
        foreach (var phi in block.Phis)
        {
            var copy = new Phi(phi.Width, Current);
            Current.Phis.Add(copy);
            Define(phi, _values[phi] = copy);
        }
        foreach (var operation in block.Operations) Define(operation, _values[operation] = CopyOf(operation, Of));
    }

    /// <summary>The ways between the copies, and those out of them: out of the loop, and round to its header.</summary>
    private void Connect(Block block)
    {
        var copy = _blocks[block];
        copy.Terminator = Targeted(Substituted(block.Terminator!), Next);
        foreach (var to in block.Terminator!.Successors.Distinct())
        {
            if (to == Header || !loop.Body.Contains(to)) Exits.Add(EdgeOf(block, to, copy, Of));
            else if (!copied.Contains(to)) Exits.Add(new Edge(copy, Header, [.. Header.Phis.Select(Of)]));
        }
        if (block == Header) return;
        for (var way = 0; way < block.Predecessors.Count; way++)
        {
            copy.Predecessors.Add(_blocks[block.Predecessors[way]]);
            for (var i = 0; i < block.Phis.Count; i++) copy.Phis[i].Operands.Add(Of(block.Phis[i].Operands[way]));
        }
    }

    /// <summary>The block that a copy leads to where its original leads to another.</summary>
    private Block Next(Block to) =>
        to != Header && copied.Contains(to) ? _blocks[to] : loop.Body.Contains(to) ? Header : to;

    private Terminator Substituted(Terminator terminator) => terminator switch
    {
        Branch branch => branch with { Condition = Of(branch.Condition) },
        Return end => new Return(Of(end.Start), Of(end.Length), Of(end.Egress)),
        _ => terminator,
    };

    /// <summary>Leads the ways into the loop to the copy instead.</summary>
    private void LeadIn()
    {
        var copy = _blocks[Header];
        foreach (var entry in Entries())
        {
            entry.From.Terminator = Edges.Retarget(entry.From.Terminator!, Header, copy);
            Edges.Remove(entry.From, Header);
            copy.Predecessors.Add(entry.From);
            for (var i = 0; i < copy.Phis.Count; i++) copy.Phis[i].Operands.Add(entry.Operands[i]);
        }
    }

    private void DefineOriginals(Block block)
    {
        Current = block;
        foreach (var value in block.Phis.Concat<Value>(block.Operations)) Define(value, value);
    }
}
