using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>A way from a copied block to another, with what the phis there get.</summary>
internal sealed record Edge(Block From, Block To, List<Value> Operands);

/// <summary>
/// Copies of some blocks with one entry, made beside them with what is known on the way there,
/// until it is clear that they are of use.
/// </summary>
/// <param name="function">The function that they are in.</param>
/// <param name="header">The entry.</param>
/// <param name="body">All of the blocks.</param>
/// <param name="written">The state that is not constant; null if that is not known.</param>
internal abstract class RegionCopy(
    Function function, Block header, IReadOnlySet<Block> body, IReadOnlySet<StateElement>? written)
    : FoldingBuilder
{
    /// <summary>The place of the last definition of each value.</summary>
    private readonly NodeTable<Value, int> _definitions = new();

    /// <summary>All definitions, each with the place of the one before it of the same value; -1 for none.</summary>
    private readonly List<(Block Block, Value Copy, int Before)> _log = [];

    protected Function Function => function;

    protected Block Header => header;

    /// <summary>The ways out of the copies.</summary>
    protected List<Edge> Exits { get; } = [];

    /// <summary>The copy that is being made.</summary>
    protected Block Current { get; set; } = function.Entry;

    /// <summary>The operations that all copies have.</summary>
    protected int Operations { get; private set; }

    protected override Value Intern(Operation operation)
    {
        Current.Operations.Add(operation);
        Operations++;
        return operation;
    }

    /// <summary>The ways into the blocks from outside.</summary>
    protected List<Edge> Entries() =>
        [.. header.Predecessors.Where(p => !body.Contains(p)).Select(p => EdgeOf(p, header, p, value => value))];

    protected static Edge EdgeOf(Block before, Block to, Block from, Func<Value, Value> of)
    {
        var way = to.Predecessors.IndexOf(before);
        return new Edge(from, to, [.. to.Phis.Select(phi => of(phi.Operands[way]))]);
    }

    /// <summary>Notes that the copy of a block holds, for a value that the block defines, this one.</summary>
    protected void Define(Value original, Value copy)
    {
        _log.Add((Current, copy, _definitions.GetValueOrDefault(original, -1)));
        _definitions[original] = _log.Count - 1;
    }

    /// <summary>The definitions of a value, by the blocks that they are in; of two in one the last.</summary>
    private Dictionary<Block, Value> AtEnds(Value value)
    {
        var atEnds = new Dictionary<Block, Value>();
        for (var place = _definitions[value]; place >= 0; place = _log[place].Before)
            atEnds.TryAdd(_log[place].Block, _log[place].Copy);
        return atEnds;
    }

    protected Value CopyOf(Operation operation, Func<Value, Value> of)
    {
        var copy = new Operation(operation.Opcode, operation.Width, operation.Operands.Select(of))
        {
            Input = operation.Input,
            Low = operation.Low,
            State = operation.State,
            Fold = operation.Fold,
            Text = operation.Text,
            Callee = operation.Callee,
            Location = operation.Location,
        };
        if (written is not null && ConstantState.Value(copy, written) is { } bits)
            return new Constant(copy.Width, bits);
        return operation.IsEffect || operation.ReadsState ? Intern(copy) : Make(copy);
    }

    protected static Terminator Kept(Terminator terminator, Func<Value, Value> of) => terminator switch
    {
        Branch branch when of(branch.Condition) is Constant condition =>
            new Jump(condition.Bits != 0 ? branch.Then : branch.Else),
        Branch branch => branch with { Condition = of(branch.Condition) },
        Return end => new Return(of(end.Start), of(end.Length), of(end.Egress)),
        _ => terminator,
    };

    protected static Terminator Targeted(Terminator terminator, Func<Block, Block> copy) => terminator switch
    {
        Jump jump => new Jump(copy(jump.Target)),
        SideExit { Target: { } target } defer => defer with { Target = copy(target) },
        Branch branch => branch with { Then = copy(branch.Then), Else = copy(branch.Else) },
        _ => terminator,
    };

    /// <summary>Leads into the copies instead of the originals, and out of them.</summary>
    protected void Replace(List<Edge> entries, List<Block> copies)
    {
        Join();
        foreach (var block in body)
        {
            foreach (var exit in block.Terminator!.Successors.Where(s => !body.Contains(s))) Edges.Remove(block, exit);
        }
        foreach (var (entry, copy) in entries.Zip(copies))
        {
            entry.From.Terminator = Edges.Retarget(entry.From.Terminator!, header, copy);
            Edges.Remove(entry.From, header);
        }
        Repair(except: null);
    }

    /// <summary>Leads the ways out of the copies to where they go on.</summary>
    protected void Join()
    {
        foreach (var exit in Exits)
        {
            exit.To.Predecessors.Add(exit.From);
            for (var i = 0; i < exit.Operands.Count; i++) exit.To.Phis[i].Operands.Add(exit.Operands[i]);
        }
    }

    /// <summary>
    /// Gives values that have several definitions now their phis:
    /// they were defined in the originals and are used behind them.
    /// </summary>
    /// <param name="except">Blocks in which each use has the definition that it had; null for none.</param>
    /// <param name="alsoPhis">False if that is not so of their phis.</param>
    protected void Repair(IReadOnlySet<Block>? except, bool alsoPhis = true)
    {
        var variables = new NodeTable<Value, Definitions>();
        Definitions Variable(Value value) =>
            variables.TryGetValue(value, out var known)
                ? known
                : variables[value] = new Definitions(value.Width, AtEnds(value));

        foreach (var block in function.Blocks())
        {
            var isExcepted = except?.Contains(block) == true;
            if (isExcepted && alsoPhis) continue;
            foreach (var phi in block.Phis.ToList())
            {
                for (var i = 0; i < phi.Operands.Count; i++)
                {
                    if (_definitions.ContainsKey(phi.Operands[i]))
                        phi.Operands[i] = Variable(phi.Operands[i]).AtEnd(block.Predecessors[i]);
                }
            }
            if (isExcepted) continue;
            foreach (var operation in block.Operations)
            {
                for (var i = 0; i < operation.Operands.Count; i++)
                {
                    if (_definitions.ContainsKey(operation.Operands[i]))
                        operation.Operands[i] = Variable(operation.Operands[i]).AtStart(block);
                }
            }
            var known = new Substitution();
            foreach (var value in Verifier.UsedBy(block.Terminator).Where(_definitions.ContainsKey))
                known.Add(value, Variable(value).AtStart(block));
            block.Terminator = known.Of(block.Terminator!);
        }
    }
}
