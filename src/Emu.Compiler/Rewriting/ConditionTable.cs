using System.Numerics;
using System.Runtime.InteropServices;
using Emu.Compiler.IR;

namespace Emu.Compiler.Rewriting;

/// <summary>The conditions under which blocks without loops are run.</summary>
internal sealed class ConditionTable
{
    /// <summary>
    /// From so many ways on a choice is a tree; of fewer a chain is no deeper and has less to compute.
    /// </summary>
    private const int LeastWaysOfTree = 5;

    private readonly FoldingBuilder _n;
    private readonly Func<Value, Value> _of;
    private readonly Dominators _dominators;
    private readonly Dominators _postDominators;
    private readonly Dictionary<Block, Dictionary<Block, Value>> _relative = [];
    private readonly Dictionary<Block, Value> _steps = [];
    private readonly Dictionary<(Block Block, string Joins), List<Way>> _ways = [];
    private readonly Dictionary<Block, List<Join>> _joins = [];
    private readonly Lazy<Dictionary<Block, Block?>> _frontiers;
    private readonly Block _entry;
    private readonly Dictionary<Block, int> _order;

    /// <param name="builder">Makes the conditions.</param>
    /// <param name="region">The blocks, in the order of their function; the first dominates all others.</param>
    /// <param name="dominators">Of the function.</param>
    /// <param name="of">Gives what stands for a value that a branch asks for.</param>
    public ConditionTable(
        FoldingBuilder builder, IReadOnlyList<Block> region, Dominators dominators, Func<Value, Value> of)
    {
        (_n, _of, _dominators, _entry) = (builder, of, dominators, region[0]);
        _postDominators = Dominators.Backwards(region);
        _order = region.Select((block, at) => (block, at)).ToDictionary(e => e.block, e => e.at);
        _frontiers = new(FindFrontiers);
    }

    /// <summary>The condition under which a block is run; its predecessors' branch conditions must be known.</summary>
    public Value Of(Block block) => Relative(block, _entry);

    /// <summary>The value of the way by which a block is entered.</summary>
    /// <param name="block">The block.</param>
    /// <param name="operand">Gives the value of each way, by its number.</param>
    public Value Choose(Block block, Func<int, Value> operand)
    {
        var ways = WaysTo(block, [.. JoinsAt(block).SelectMany(join => Parted(block, join, operand))
            .OrderBy(join => _order[block.Predecessors[join.Numbers[0]]])]);
        if (ways.Count >= LeastWaysOfTree)
        {
            var choices = Runs(ways.Select(way => (way.Condition, operand(way.Number))));
            return Tree(CollectionsMarshal.AsSpan(choices)).Value;
        }
        var chosen = operand(ways[^1].Number);
        for (var i = ways.Count - 2; i >= 0; i--)
            chosen = _n.Select(ways[i].Condition, operand(ways[i].Number), chosen);
        return chosen;
    }

    /// <summary>
    /// The first of some choices whose condition holds, as a balanced tree, and whether there is one: of two halves the
    /// first counts if one of its conditions holds.
    /// </summary>
    private (Value Any, Value Value) Tree(ReadOnlySpan<(Value Condition, Value Value)> choices)
    {
        if (choices.Length == 1) return choices[0];
        var half = choices.Length / 2;
        var (one, other) = (Tree(choices[..half]), Tree(choices[half..]));
        return (_n.Or(one.Any, other.Any), _n.Select(one.Any, one.Value, other.Value));
    }

    /// <summary>The choices with one for each run of those that follow one another and have the same value.</summary>
    private List<(Value Condition, Value Value)> Runs(IEnumerable<(Value Condition, Value Value)> choices)
    {
        var runs = new List<(List<Value> Conditions, Value Value)>();
        foreach (var (condition, value) in choices)
        {
            if (runs.Count > 0 && Constant.AreSame(runs[^1].Value, value)) runs[^1].Conditions.Add(condition);
            else runs.Add(([condition], value));
        }
        return runs.ConvertAll(run => (_n.ReduceOr(run.Conditions), run.Value));
    }

    /// <summary>The ways of a join of their own, unless they all have one value.</summary>
    private static IEnumerable<Join> Parted(Block block, Join join, Func<int, Value> operand) =>
        join.Numbers.TrueForAll(way => Constant.AreSame(operand(way), operand(join.Numbers[0])))
            ? [join]
            : join.Numbers.Select(way => new Join(block.Predecessors[way], IsSure: false, [way]));

    /// <summary>
    /// The ways to a block in the order of the function. Exactly one is taken, so each is asked for only if none before
    /// it is, and the last needs no condition.
    /// </summary>
    private List<Way> WaysTo(Block block, List<Join> joins)
    {
        var key = (block, string.Join(' ', joins.Select(join => $"{join.Numbers[0]}+{join.Numbers.Count}")));
        if (_ways.TryGetValue(key, out var known)) return known;
        var above = _dominators.Immediate(block)!;
        if (joins.Count >= LeastWaysOfTree)
        {
            var conditions = Asked(block, joins, isRun: true);
            return _ways[key] = [.. joins.Zip(conditions, (join, condition) => new Way(join.Numbers[0], condition))];
        }
        var ways = new List<Way>();
        foreach (var join in joins)
        {
            var condition = Entered(join, block, above);
            ways.Add(new Way(
                join.Numbers[0], ways.Select(before => before.Condition).Aggregate(condition, WithoutOpposite)));
        }
        return _ways[key] = ways;
    }

    /// <summary>
    /// The ways to a block, in the order of the blocks that they come from. Those that part behind a block from which
    /// all ways lead there are one: a region with one way in and one out (Johnson, Pearson and Pingali 1994,
    /// <em>The program structure tree</em>), which is entered whatever is decided inside.
    /// </summary>
    private List<Join> JoinsAt(Block block)
    {
        if (_joins.TryGetValue(block, out var known)) return known;
        var above = _dominators.Immediate(block)!;
        var joins = new List<Join>();
        foreach (var number in Enumerable.Range(0, block.Predecessors.Count)
            .OrderBy(way => _order[block.Predecessors[way]]))
        {
            var from = block.Predecessors[number];
            Block? head = null;
            for (var at = from; at != above; at = _dominators.Immediate(at)!)
            {
                if (IsHead(at, block)) head = at;
            }
            if (head is not null && joins.Find(join => join.Head == head) is { } other) other.Numbers.Add(number);
            else joins.Add(new Join(head ?? from, head is not null, [number]));
        }
        return _joins[block] = joins;
    }

    /// <summary>
    /// True if every way from a block leads to another, and passes nothing to which other ways lead: of the blocks that
    /// it dominates, no way leads anywhere else.
    /// </summary>
    private bool IsHead(Block head, Block block) =>
        _frontiers.Value[head] == block && _postDominators.Dominates(block, head);

    /// <summary>
    /// For each block the one to which ways lead from those that it dominates; null if they lead to several (dominance
    /// frontiers; Cooper, Harvey and Kennedy 2001, <em>A simple, fast dominance algorithm</em>).
    /// </summary>
    private Dictionary<Block, Block?> FindFrontiers()
    {
        var frontiers = new Dictionary<Block, Block?>();
        foreach (var block in _order.Keys.Where(block => block != _entry && block.Predecessors.Count > 1))
        {
            var above = _dominators.Immediate(block)!;
            foreach (var from in block.Predecessors)
            {
                for (var at = from; at != above; at = _dominators.Immediate(at)!)
                {
                    if (!frontiers.TryAdd(at, block) && frontiers[at] != block) frontiers[at] = null;
                }
            }
        }
        return frontiers;
    }

    /// <summary>
    /// The condition of each way, given that its immediate dominator is run and no way before it is taken.
    /// </summary>
    private IEnumerable<Value> Asked(Block block, List<Join> joins, bool isRun)
    {
        var places = joins.Index().SelectMany(join => join.Item.Numbers, (join, number) =>
            KeyValuePair.Create(block.Predecessors[number], join.Index)).ToDictionary();
        var latest = new LatestWays(block, places, _dominators, _order, isRun);
        return joins.Select((join, way) => Asked(join, block, latest, way));
    }

    /// <summary>The condition of a way, without what is sure where none of the ways before it is taken.</summary>
    private Value Asked(Join join, Block block, LatestWays latest, int way)
    {
        var above = _dominators.Immediate(block)!;
        var factors = new List<Value>();
        if (!join.IsSure && latest.Beside(join.Head) >= way) factors.Add(Taken(join.Head, block));
        for (var at = join.Head; at != above; at = _dominators.Immediate(at)!)
        {
            if (!IsSure(at) && latest.Around(at) >= way) factors.Add(Step(at));
        }
        factors.Reverse();
        return All(factors);
    }

    /// <summary>True if whoever comes to a block's immediate dominator comes to the block.</summary>
    private bool IsSure(Block block) => _postDominators.Dominates(block, _dominators.Immediate(block)!);

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
        if (!_relative.TryGetValue(above, out var known)) _relative[above] = known = [];
        if (known.TryGetValue(block, out var condition)) return condition;
        var steps = new List<Value>();
        for (var at = block; at != above; at = _dominators.Immediate(at)!)
        {
            if (!IsSure(at)) steps.Add(Step(at));
        }
        steps.Reverse();
        return known[block] = All(steps);
    }

    /// <summary>The condition under which a block is run, given that its immediate dominator is.</summary>
    private Value Step(Block block)
    {
        if (_steps.TryGetValue(block, out var known)) return known;
        var joins = JoinsAt(block);
        return _steps[block] = _n.ReduceOr(joins.Count > 2
            ? Asked(block, joins, isRun: false)
            : joins.Select(join => Entered(join, block, _dominators.Immediate(block)!)));
    }

    /// <summary>The condition under which a way to a block is taken, given that one above it is run.</summary>
    private Value Entered(Join join, Block block, Block above)
    {
        var isRun = Relative(join.Head, above);
        return join.IsSure ? isRun : _n.And(isRun, Taken(join.Head, block));
    }

    /// <summary>The condition under which a block goes on at another.</summary>
    private Value Taken(Block from, Block to)
    {
        if (from.Terminator is not Branch branch) return FoldingBuilder.Bit(true);
        var condition = _of(branch.Condition);
        return branch.Then == to ? condition : _n.Not(condition);
    }

    /// <summary>
    /// True if all conditions hold: a tree whose parts are shared by conditions that begin alike (Sklansky 1960).
    /// </summary>
    private Value All(List<Value> conditions)
    {
        Value Between(int from, int to)
        {
            if (to - from == 1) return conditions[from];
            var half = from + (int)BitOperations.RoundUpToPowerOf2((uint)(to - from)) / 2;
            return _n.And(Between(from, half), Between(half, to));
        }
        // Neighbours that fold do so before the tree would part them.
        for (var i = conditions.Count - 2; i >= 0; i--)
        {
            if (_n.And(conditions[i], conditions[i + 1]) is Operation { Opcode: Opcode.And }) continue;
            conditions[i] = _n.And(conditions[i], conditions[i + 1]);
            conditions.RemoveAt(i + 1);
        }
        return conditions.Count == 0 ? FoldingBuilder.Bit(true) : Between(0, conditions.Count);
    }

    /// <param name="Number">Its number among the predecessors, or that of the first of several.</param>
    /// <param name="Condition">
    /// The condition, given that the block is run and no way before it in the order is taken.
    /// </param>
    private sealed record Way(int Number, Value Condition);

    /// <param name="Head">The block from which the way, or all of them, come.</param>
    /// <param name="IsSure">True if every way from there leads to the block.</param>
    /// <param name="Numbers">The numbers of the ways among the predecessors.</param>
    private sealed record Join(Block Head, bool IsSure, List<int> Numbers);
}
