using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>The ways out of a region, with the values that are used behind it.</summary>
internal sealed class ParseResults
{
    private readonly ParseRegion _region;
    private readonly Dominators _dominators;
    private readonly Dictionary<Value, Block> _blockOf = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<(Block From, Block To), (int Code, List<Value> Used)> _ways = [];

    /// <summary>Looks at the ways out of a region.</summary>
    public ParseResults(Function function, ParseRegion region)
    {
        (_region, _dominators) = (region, new Dominators(function));
        var blocks = function.Blocks();
        var used = UsedBehind(blocks);
        Values = [.. used.Keys];
        foreach (var from in blocks.Where(region.Contains))
        {
            foreach (var to in from.Terminator!.Successors.Where(to => !region.Contains(to)))
            {
                var operands = OperandsFrom(from, to);
                var code = Exits.FindIndex(exit => exit.To == to && exit.Operands.Zip(operands)
                    .All(pair => Constant.AreSame(pair.First, pair.Second)));
                if (code < 0) Exits.Add((from, to, operands));
                _ways[(from, to)] = (
                    code < 0 ? Exits.Count : code + 1,
                    [.. Values.Where(value =>
                        operands.Contains(value) || used[value].Contains(to) && Reaches(value, from))]);
            }
        }
        Code = new Constant(Interval.Of((UInt128)Exits.Count).Width, 0);
    }

    /// <summary>Some of the results.</summary>
    private ParseResults(ParseResults all, List<Value> values)
    {
        (_region, _dominators, _blockOf, Exits, Code) =
            (all._region, all._dominators, all._blockOf, all.Exits, all.Code);
        Values = values;
        foreach (var (way, (code, used)) in all._ways) _ways[way] = (code, used.FindAll(values.Contains));
    }

    /// <summary>
    /// The ways out, those that do the same once: their numbers count from 1. Each has the operands of the phis to
    /// which it leads.
    /// </summary>
    public List<(Block From, Block To, List<Value> Operands)> Exits { get; } = [];

    /// <summary>The values that are used behind the region.</summary>
    public List<Value> Values { get; }

    /// <summary>The results in two parts of about as many bits, where those of different ways out share them.</summary>
    public List<ParseResults> Halves()
    {
        List<List<Value>> one = [], other = [];
        int BitsOf(List<List<Value>> fields) => fields.Sum(field => field.Max(value => value.Width));
        foreach (var field in Fields(value => value.Width, most: 0))
            (BitsOf(one) <= BitsOf(other) ? one : other).Add(field);
        List<List<List<Value>>> halves = [one, other];
        return halves.ConvertAll(half => new ParseResults(this, [.. half.SelectMany(field => field)]));
    }

    /// <summary>The number of no way.</summary>
    public Constant Code { get; }

    /// <summary>The number of a way.</summary>
    public Constant CodeOf(Block from, Block to) => new(Code.Width, (UInt128)_ways[(from, to)].Code);

    /// <summary>The values that are used behind a way.</summary>
    public IReadOnlyList<Value> UsedAt(Block from, Block to) => _ways[(from, to)].Used;

    /// <summary>
    /// The values in fields of the fold's result: one each, or, where these would have more bits than there are, one
    /// for several that no way out needs together (register allocation by colouring; Chaitin and others 1981).
    /// </summary>
    /// <param name="widthOf">The bits of a value.</param>
    /// <param name="most">The most bits of all fields.</param>
    public List<List<Value>> Fields(Func<Value, int> widthOf, int most)
    {
        if (Values.Sum(widthOf) <= most) return Values.ConvertAll<List<Value>>(value => [value]);
        var fields = new List<List<Value>>();
        foreach (var value in Values.OrderByDescending(widthOf))
        {
            if (fields.Find(field => !field.Exists(other => AreNeededTogether(value, other))) is { } field)
                field.Add(value);
            else
                fields.Add([value]);
        }
        return fields;
    }

    private bool AreNeededTogether(Value value, Value other) =>
        _ways.Values.GroupBy(way => way.Code).Any(ways =>
            ways.Any(way => way.Used.Contains(value)) && ways.Any(way => way.Used.Contains(other)));

    private static List<Value> OperandsFrom(Block from, Block to) =>
        to.Phis.ConvertAll(phi => phi.Operands[to.Predecessors.IndexOf(from)]);

    private bool Reaches(Value value, Block block) => _dominators.Dominates(_blockOf[value], block);

    /// <summary>
    /// The region's values that are used behind it, each with the blocks at whose begin it is needed.
    /// </summary>
    private Dictionary<Value, HashSet<Block>> UsedBehind(List<Block> blocks)
    {
        foreach (var block in blocks.Where(_region.Contains))
        {
            foreach (var value in block.Phis.Concat<Value>(block.Operations)) _blockOf[value] = block;
        }
        var used = new Dictionary<Value, HashSet<Block>>(ReferenceEqualityComparer.Instance);
        void Use(Value value, Block at)
        {
            if (!_blockOf.ContainsKey(value)) return;
            if (!used.TryGetValue(value, out var needed)) used[value] = needed = [];
            var open = new Stack<Block>([at]);
            while (open.TryPop(out var block))
            {
                if (_region.Contains(block) || !needed.Add(block)) continue;
                foreach (var from in block.Predecessors) open.Push(from);
            }
        }
        foreach (var block in blocks.Where(block => !_region.Contains(block)))
        {
            foreach (var phi in block.Phis)
            {
                foreach (var (operand, from) in phi.Operands.Zip(block.Predecessors)) Use(operand, from);
            }
            foreach (var operand in block.Operations.SelectMany(operation => operation.Operands)) Use(operand, block);
            foreach (var operand in Verifier.UsedBy(block.Terminator)) Use(operand, block);
        }
        return used;
    }
}
