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
internal sealed class BlockCopy(
    Function function, Block header, IReadOnlySet<Block> body, IReadOnlySet<StateElement>? written = null)
    : FoldingBuilder
{
    private const int MaxIterations = 256;
    private const int MaxOperations = 20_000;

    private readonly List<Block> _order = [.. function.Blocks().Where(body.Contains)];
    private readonly Dictionary<Value, Dictionary<Block, Value>> _definitions = new(ReferenceEqualityComparer.Instance);
    private readonly List<Edge> _exits = [];
    private Block _current = function.Entry;
    private int _operations;

    /// <summary>Copies a loop once for each iteration, if constants say where it ends.</summary>
    public bool TryUnroll()
    {
        var first = new Block();
        var entries = Entries();
        var copy = first;
        List<Edge>? ways = entries;
        for (var i = 0; ways is { Count: > 0 }; i++)
        {
            if (i == MaxIterations || _operations > MaxOperations) return false;
            var next = new Block();
            ways = Iterate(copy, ways, next);
            copy = next;
        }
        if (ways is null) return false;
        Replace(entries, [.. entries.Select(_ => first)]);
        return true;
    }

    /// <summary>Copies a block once for each way to it, if every way decides where it goes on.</summary>
    public bool TryThread()
    {
        var entries = Entries();
        var copies = new List<Block>();
        foreach (var entry in entries)
        {
            copies.Add(new Block());
            if (Iterate(copies[^1], [entry], header) is null) return false;
        }
        Replace(entries, copies);
        return true;
    }

    protected override Value Intern(Operation operation)
    {
        _current.Operations.Add(operation);
        _operations++;
        return operation;
    }

    private List<Edge> Entries() =>
        [.. header.Predecessors.Where(p => !body.Contains(p)).Select(p => EdgeOf(p, header, p, value => value))];

    private static Edge EdgeOf(Block before, Block to, Block from, Func<Value, Value> of)
    {
        var way = to.Predecessors.IndexOf(before);
        return new Edge(from, to, [.. to.Phis.Select(phi => of(phi.Operands[way]))]);
    }

    /// <summary>
    /// One iteration; gives the ways to the next, or null when no constant decided whether there is one,
    /// or it meets a loop inside.
    /// </summary>
    private List<Edge>? Iterate(Block copy, List<Edge> entries, Block next)
    {
        var values = new Dictionary<Value, Value>(ReferenceEqualityComparer.Instance);
        var copies = new Dictionary<Block, Block> { [header] = copy };
        var ways = new Dictionary<Block, List<Edge>> { [header] = entries };
        var again = new List<Edge>();
        var isDecided = false;
        Value Of(Value value) => values.GetValueOrDefault(value, value);
        foreach (var block in _order)
        {
            if (!ways.TryGetValue(block, out var from)) continue;
            _current = copies[block];
            Enter(block, from, values);
            foreach (var operation in block.Operations) Define(operation, CopyOf(operation, Of), values);
            var kept = Kept(block.Terminator!, Of);
            isDecided |= kept is Jump && block.Terminator is Branch
                && block.Terminator.Successors.Any(s => s == header || !body.Contains(s));
            foreach (var successor in kept.Successors)
            {
                var edge = EdgeOf(block, successor, _current, Of);
                if (successor == header) again.Add(edge);
                else if (!body.Contains(successor)) _exits.Add(edge);
                else if (_order.IndexOf(successor) <= _order.IndexOf(block)) return null;
                else if (ways.TryGetValue(successor, out var known)) known.Add(edge);
                else (ways[successor], copies[successor]) = ([edge], new Block());
            }
            _current.Terminator = Targeted(kept, s => s == header ? next : copies.GetValueOrDefault(s, s));
        }
        return isDecided ? again : null;
    }

    /// <summary>The predecessors and phis of a copy: a phi only where more than one value comes.</summary>
    private void Enter(Block block, List<Edge> ways, Dictionary<Value, Value> values)
    {
        _current.Predecessors.AddRange(ways.Select(way => way.From));
        for (var i = 0; i < block.Phis.Count; i++)
        {
            var value = ways[0].Operands[i];
            if (!ways.TrueForAll(way => Constant.AreSame(way.Operands[i], value)))
            {
                var phi = new Phi(value.Width, _current);
                phi.Operands.AddRange(ways.Select(way => way.Operands[i]));
                _current.Phis.Add(phi);
                value = phi;
            }
            Define(block.Phis[i], value, values);
        }
    }

    private void Define(Value original, Value copy, Dictionary<Value, Value> values)
    {
        values[original] = copy;
        if (!_definitions.TryGetValue(original, out var all)) _definitions[original] = all = [];
        all[_current] = copy;
    }

    private Value CopyOf(Operation operation, Func<Value, Value> of)
    {
        var copy = new Operation(operation.Opcode, operation.Width, operation.Operands.Select(of))
        {
            Input = operation.Input,
            Low = operation.Low,
            State = operation.State,
            Location = operation.Location,
        };
        if (written is not null && ConstantState.Value(copy, written) is { } bits)
            return new Constant(copy.Width, bits);
        return operation.IsEffect || operation.ReadsState ? Intern(copy) : Make(copy);
    }

    private static Terminator Kept(Terminator terminator, Func<Value, Value> of) => terminator switch
    {
        Branch branch when of(branch.Condition) is Constant condition =>
            new Jump(condition.Bits != 0 ? branch.Then : branch.Else),
        Branch branch => branch with { Condition = of(branch.Condition) },
        Return end => new Return(of(end.Start), of(end.Length), of(end.Egress)),
        _ => terminator,
    };

    private static Terminator Targeted(Terminator terminator, Func<Block, Block> copy) => terminator switch
    {
        Jump jump => new Jump(copy(jump.Target)),
        SideExit { Target: { } target } defer => defer with { Target = copy(target) },
        Branch branch => branch with { Then = copy(branch.Then), Else = copy(branch.Else) },
        _ => terminator,
    };

    /// <summary>Leads into the copies instead of the originals, and out of them.</summary>
    private void Replace(List<Edge> entries, List<Block> copies)
    {
        foreach (var exit in _exits)
        {
            exit.To.Predecessors.Add(exit.From);
            for (var i = 0; i < exit.Operands.Count; i++) exit.To.Phis[i].Operands.Add(exit.Operands[i]);
        }
        foreach (var block in body)
        {
            foreach (var exit in block.Terminator!.Successors.Where(s => !body.Contains(s))) Edges.Remove(block, exit);
        }
        foreach (var (entry, copy) in entries.Zip(copies))
        {
            entry.From.Terminator = Edges.Retarget(entry.From.Terminator!, header, copy);
            Edges.Remove(entry.From, header);
        }
        Repair();
    }

    /// <summary>
    /// Gives values that have several definitions now their phis:
    /// they were defined in the originals and are used behind them.
    /// </summary>
    private void Repair()
    {
        var variables = new Dictionary<Value, Definitions>(ReferenceEqualityComparer.Instance);
        Definitions Variable(Value value) =>
            variables.TryGetValue(value, out var known)
                ? known
                : variables[value] = new Definitions(value.Width, _definitions[value]);

        foreach (var block in function.Blocks())
        {
            foreach (var phi in block.Phis.ToList())
            {
                for (var i = 0; i < phi.Operands.Count; i++)
                {
                    if (_definitions.ContainsKey(phi.Operands[i]))
                        phi.Operands[i] = Variable(phi.Operands[i]).AtEnd(block.Predecessors[i]);
                }
            }
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
