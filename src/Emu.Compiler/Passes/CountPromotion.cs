using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Counts in blocks with one entry are added up in a value, which goes to the counter where the blocks are left
/// (register promotion; Cooper and Lu 1997, <em>Register promotion in C programs</em>). So the blocks only compute.
/// </summary>
internal sealed class CountPromotion
{
    private readonly List<(List<Operation> Place, List<Operation> Other)> _operations = [];
    private readonly List<(Block Block, List<Phi> Phis)> _phis = [];
    private bool _isPromoted;

    /// <summary>Promotes the counts of some blocks.</summary>
    /// <param name="blocks">The blocks, in the order of the function: they do nothing but compute and count.</param>
    /// <param name="outside">The blocks from which they are entered.</param>
    /// <param name="turns">The most times that one of them is done from where they are entered to the end.</param>
    public CountPromotion(IReadOnlyList<Block> blocks, IReadOnlyList<Block> outside, int turns)
    {
        var counts = blocks.SelectMany(block => block.Operations).Where(IsCount)
            .GroupBy(operation => operation.State[0]).ToList();
        if (counts.Count == 0) return;
        var phis = blocks.ToDictionary(block => block, block => block.Phis.Count);
        var promoted = blocks.Where(block => block.Operations.Exists(IsCount))
            .ToDictionary(block => block, block => block.Operations.FindAll(operation => !IsCount(operation)));
        var exits = blocks.SelectMany(from => from.Terminator!.Successors.Distinct()
            .Where(to => !phis.ContainsKey(to)).Select(to => (From: from, To: to))).ToList();
        var sums = counts.ConvertAll(each => (each.Key, Value: SumOf([.. each], promoted, outside, turns)));
        foreach (var (from, to) in exits)
        {
            var added = sums.ConvertAll(sum => (sum.Key, Value: sum.Value.AtEnd(from)))
                .FindAll(sum => !Constant.Is(sum.Value, 0));
            if (added.Count == 0) continue;
            var join = Edges.Join(to, before => before == from);
            _operations.Add((join.Operations, added.ConvertAll(sum =>
                new Operation(Opcode.Count, 1, sum.Value) { State = [sum.Key] })));
        }
        foreach (var (block, operations) in promoted)
            _operations.Add((block.Operations, operations));
        foreach (var (block, count) in phis) _phis.Add((block, block.Phis[count..]));
        foreach (var (block, added) in _phis) block.Phis.RemoveRange(phis[block], added.Count);
        Set(isPromoted: true);
    }

    /// <summary>True of an addition to a counter.</summary>
    public static bool IsCount(Operation operation) => operation.Opcode == Opcode.Count;

    /// <summary>Takes the counts out of the blocks, or gives them back as they were.</summary>
    public void Set(bool isPromoted)
    {
        if (isPromoted == _isPromoted) return;
        _isPromoted = isPromoted;
        foreach (var (place, other) in _operations)
        {
            // What others have put there meanwhile stays with what it was put beside.
            List<Operation> before = [.. place];
            place.Clear();
            place.AddRange(other);
            other.Clear();
            other.AddRange(before);
        }
        foreach (var (block, phis) in _phis)
        {
            if (isPromoted) block.Phis.AddRange(phis);
            else block.Phis.RemoveAll(phis.Contains);
        }
    }

    /// <summary>The addends of a counter; the additions stand in the blocks' lists of operations.</summary>
    private static Definitions SumOf(
        List<Operation> counts, Dictionary<Block, List<Operation>> promoted, IEnumerable<Block> outside, int turns)
    {
        var width = WidthOf(counts, turns);
        var atEnd = outside.Distinct().ToDictionary<Block, Block, Value>(from => from, _ => FoldingBuilder.Zero(width));
        var first = new Dictionary<Block, Operation>();
        foreach (var (block, operations) in promoted)
        {
            foreach (var count in block.Operations.FindAll(counts.Contains))
            {
                var amount = new OperationList(operations) { Location = count.Location }
                    .Resize(count.Operands[0], width);
                var before = atEnd.GetValueOrDefault(block, amount);
                var sum = new Operation(Opcode.Add, width, before, amount) { Location = count.Location };
                operations.Add(sum);
                first.TryAdd(block, sum);
                atEnd[block] = sum;
            }
        }
        var definitions = new Definitions(width, atEnd);
        foreach (var (block, sum) in first) sum.Operands[0] = definitions.AtStart(block);
        return definitions;
    }

    /// <summary>The bits of the most that can be added, or of the counter, which loses what is above.</summary>
    private static int WidthOf(List<Operation> counts, int turns)
    {
        var counter = counts[0].State[0].Width;
        var width = counts.Max(count => count.Operands[0].Width)
            + Interval.Of((UInt128)turns * (UInt128)counts.Count).Width;
        return Math.Min(counter, width);
    }
}
