using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>The conditions under which the blocks of a function without loops are run.</summary>
internal sealed class ConditionTable
{
    private readonly Netlist _n;
    private readonly Func<Value, Value> _of;
    private readonly Dominators _dominators;
    private readonly Dominators _postDominators;
    private readonly Dictionary<Block, Value> _conditions = [];
    private readonly Dictionary<Block, Dictionary<Block, Value>> _relative = [];
    private readonly Function _function;
    private readonly Dictionary<Block, int> _order;

    public ConditionTable(Netlist netlist, Function function, Func<Value, Value> of)
    {
        (_n, _of, _function) = (netlist, of, function);
        _dominators = new Dominators(function);
        _postDominators = Dominators.Backwards(function);
        _order = function.Blocks().Select((block, at) => (block, at)).ToDictionary(e => e.block, e => e.at);
    }

    /// <summary>The condition under which a block is run; its predecessors' branch conditions must be known.</summary>
    public Value Of(Block block)
    {
        if (_conditions.TryGetValue(block, out var known)) return known;
        if (block == _function.Entry) return _conditions[block] = FoldingBuilder.Bit(true);
        var above = _dominators.Immediate(block)!;
        // Whoever comes to the one comes to the other.
        var condition = _postDominators.Dominates(block, above) ? Of(above) : _n.And(Of(above), Relative(block, above));
        return _conditions[block] = condition;
    }

    /// <summary>The value of the way by which a block is entered.</summary>
    public Value Choose(Block block, Func<int, Value> operand, int width)
    {
        var above = _dominators.Immediate(block)!;
        var ways = block.Predecessors
            .Select((from, way) => (From: from, Condition: Edge(from, block, above), Value: operand(way)))
            .OrderBy(way => _order[way.From])
            .ToList();
        // Exactly one is taken, so the last needs no condition, and each is asked for only if none before it is.
        var asked = new List<Value>();
        foreach (var way in ways.SkipLast(1)) asked.Add(asked.Aggregate(way.Condition, WithoutOpposite));
        var chosen = ways[^1].Value;
        for (var i = ways.Count - 2; i >= 0; i--) chosen = _n.Select(asked[i], ways[i].Value, chosen);
        return chosen;
    }

    /// <summary>The rest of a condition, given that another is known not to hold.</summary>
    private Value WithoutOpposite(Value condition, Value other)
    {
        if (AreOpposite(condition, other)) return FoldingBuilder.Bit(true);
        return condition is Operation { Opcode: Opcode.And, Width: 1 } and
            ? _n.And(WithoutOpposite(and.Operands[0], other), WithoutOpposite(and.Operands[1], other))
            : condition;
    }

    /// <summary>
    /// True if one is the negation of the other; the negation of a conjunction may have been written as a disjunction.
    /// </summary>
    private bool AreOpposite(Value a, Value b)
    {
        if (_n.Not(a) == b) return true;
        if (a is not Operation { Width: 1 } x || b is not Operation { Width: 1 } y) return false;
        if ((x.Opcode, y.Opcode) is not ((Opcode.And, Opcode.Or) or (Opcode.Or, Opcode.And))) return false;
        return AreOpposite(x.Operands[0], y.Operands[0]) && AreOpposite(x.Operands[1], y.Operands[1])
            || AreOpposite(x.Operands[0], y.Operands[1]) && AreOpposite(x.Operands[1], y.Operands[0]);
    }

    /// <summary>
    /// The condition under which <paramref name="block"/> is run,
    /// given that its dominator <paramref name="above"/> is run.
    /// </summary>
    private Value Relative(Block block, Block above)
    {
        if (block == above) return FoldingBuilder.Bit(true);
        if (!_relative.TryGetValue(above, out var known)) _relative[above] = known = [];
        if (known.TryGetValue(block, out var condition)) return condition;
        var between = _dominators.Immediate(block)!;
        if (between != above)
        {
            var first = Relative(between, above);
            return known[block] = _postDominators.Dominates(block, between)
                ? first
                : _n.And(first, Relative(block, between));
        }
        return known[block] = _n.ReduceOr(block.Predecessors.Select(from => Edge(from, block, above)));
    }

    private Value Edge(Block from, Block to, Block above)
    {
        var condition = Relative(from, above);
        if (from.Terminator is not Branch branch) return condition;
        var chosen = _of(branch.Condition);
        return _n.And(condition, branch.Then == to ? chosen : _n.Not(chosen));
    }
}
