namespace Emu.Compiler;

/// <summary>When the blocks of a function without loops are run.</summary>
internal sealed class ConditionTable
{
    private readonly Netlist _n;
    private readonly Func<Value, Value> _of;
    private readonly Dominators _dominators;
    private readonly Dominators _postDominators;
    private readonly Dictionary<Block, Value> _conditions = [];
    private readonly Dictionary<Block, Dictionary<Block, Value>> _relative = [];
    private readonly Function _function;

    public ConditionTable(Netlist netlist, Function function, Func<Value, Value> of)
    {
        (_n, _of, _function) = (netlist, of, function);
        _dominators = new Dominators(function);
        _postDominators = Dominators.Backwards(function);
    }

    /// <summary>Whether a block is run; its predecessors' branch conditions must be known.</summary>
    public Value Of(Block block)
    {
        if (_conditions.TryGetValue(block, out var known)) return known;
        if (block == _function.Entry) return _conditions[block] = ValueFactory.Bit(true);
        var above = _dominators.Immediate(block)!;
        // Whoever comes to the one comes to the other.
        var condition = _postDominators.Dominates(block, above) ? Of(above) : _n.And(Of(above), Relative(block, above));
        return _conditions[block] = condition;
    }

    /// <summary>The value of the way by which a block is entered.</summary>
    public Value Choose(Block block, Func<int, Value> operand, int width)
    {
        var above = _dominators.Immediate(block)!;
        var ways = block.Predecessors.Select((from, way) => (Condition: Edge(from, block, above), Value: operand(way))).ToList();
        // Exactly one is taken, so the last needs no condition.
        return ways.SkipLast(1).Reverse().Aggregate(ways[^1].Value, (so, way) => _n.Select(way.Condition, way.Value, so));
    }

    /// <summary>Whether <paramref name="block"/> is run, given that <paramref name="above"/>, which dominates it, is.</summary>
    private Value Relative(Block block, Block above)
    {
        if (block == above) return ValueFactory.Bit(true);
        if (!_relative.TryGetValue(above, out var known)) _relative[above] = known = [];
        if (known.TryGetValue(block, out var condition)) return condition;
        var between = _dominators.Immediate(block)!;
        if (between != above && _postDominators.Dominates(block, between)) return known[block] = Relative(between, above);
        return known[block] = _n.Any(block.Predecessors.Select(from => Edge(from, block, above)));
    }

    private Value Edge(Block from, Block to, Block above)
    {
        var condition = Relative(from, above);
        if (from.Terminator is not Branch branch) return condition;
        var chosen = _of(branch.Condition);
        return _n.And(condition, branch.Then == to ? chosen : _n.Not(chosen));
    }
}
