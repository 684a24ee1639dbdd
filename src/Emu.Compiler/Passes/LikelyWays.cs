using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// The ways that a program likely goes. What it has found in the payload or in a table is found in order to be used; so
/// of two ways that one is unlikely on which some of that is dead which the other uses, and no more is used: the way
/// out of a method that could not read what it was to read, or did not find it (static branch prediction; Ball and
/// Larus 1993, <em>Branch prediction for free</em>).
/// </summary>
/// <remarks>
/// That something is one number or another is no such use: it says which way is taken, as one flag behind the other
/// does, and the first of them is not the unlikely one.
/// </remarks>
internal sealed class LikelyWays
{
    private static readonly HashSet<Value> s_nothing = new(ReferenceEqualityComparer.Instance);

    private readonly HashSet<Value> _carried = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Value, HashSet<Value>> _findings = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Block, HashSet<Value>> _live = [];
    private readonly Dictionary<Block, IReadOnlyList<Block>> _from = [];

    /// <summary>Of a function.</summary>
    public LikelyWays(Function function)
    {
        var blocks = function.Blocks();
        FindCarried(blocks);
        Repeat(blocks, Trace);
        foreach (var block in blocks) _live[block] = [];
        Repeat([.. Enumerable.Reverse(blocks)], Update);
        foreach (var block in blocks.Where(block => !_from.ContainsKey(block))) Decide(block);
    }

    /// <summary>The blocks to which an event likely goes on from one.</summary>
    public IReadOnlyList<Block> From(Block block) => _from[block];

    /// <summary>The blocks from which one of a kind is likely reached without an exit.</summary>
    /// <param name="blocks">Those to look at, each after its dominators.</param>
    /// <param name="isOfKind">True of those of the kind.</param>
    public HashSet<Block> Reaching(IReadOnlyList<Block> blocks, Func<Block, bool> isOfKind)
    {
        var reaching = blocks.Where(isOfKind).ToHashSet();
        Repeat([.. Enumerable.Reverse(blocks)], block =>
            block.Terminator is not SideExit && From(block).Any(reaching.Contains) && reaching.Add(block));
        return reaching;
    }

    /// <summary>Goes over blocks until nothing changes any more.</summary>
    private static void Repeat(List<Block> blocks, Predicate<Block> changes)
    {
        bool isChanged;
        do
        {
            isChanged = false;
            foreach (var block in blocks) isChanged |= changes(block);
        }
        while (isChanged);
    }

    /// <summary>
    /// Compares the ways out of a block and of those that only decide further, as of one choice among several.
    /// </summary>
    private void Decide(Block first)
    {
        var (decisions, ways) = (new List<Block> { first }, new List<(Block From, Block To)>());
        for (var i = 0; i < decisions.Count; i++)
        {
            foreach (var to in decisions[i].Terminator!.Successors)
            {
                if (OnlyDecides(to)) decisions.Add(to);
                else ways.Add((decisions[i], to));
            }
        }
        var live = ways.ConvertAll(way => IsOwnGuard(way.To) ? s_nothing : LiveOn(way.From, way.To));
        var likely = ways.Where((_, i) => !live.Exists(live[i].IsProperSubsetOf)).ToHashSet();
        foreach (var block in Enumerable.Reverse(decisions))
        {
            _from[block] = [.. block.Terminator!.Successors.Where(to =>
                likely.Contains((block, to)) || decisions.Contains(to) && _from[to].Count > 0)];
        }
    }

    /// <summary>
    /// True of an exit that the program does not ask for, but a loop that is a fold: whatever is used behind it, what
    /// is done without it is the same.
    /// </summary>
    private static bool IsOwnGuard(Block block) => block.Terminator is SideExit
    {
        Reason: ParseGraphs.LeavesGraph or FoldedLoop.ReadsAhead or MovedReads.MayBeFilled,
    };

    private static bool OnlyDecides(Block block) =>
        block is { Terminator: Branch, Predecessors.Count: 1, Phis.Count: 0 } && !block.Operations.Exists(IsUse);

    /// <summary>The values that something is done with besides a decision that they make alone.</summary>
    private void FindCarried(List<Block> blocks)
    {
        var open = new Stack<Value>();
        void Carry(Value value)
        {
            if (value is not Constant && _carried.Add(value)) open.Push(value);
        }
        foreach (var block in blocks)
        {
            foreach (var operation in block.Operations.Where(IsUse))
                operation.Operands.ForEach(Carry);
            if (block.Terminator is Return end) Verifier.UsedBy(end).ToList().ForEach(Carry);
        }
        while (open.TryPop(out var value))
        {
            foreach (var operand in Joined(value)) Carry(operand);
        }
    }

    /// <summary>The values that one is made of; what only decides which of them it is, is not among them.</summary>
    private static IEnumerable<Value> Joined(Value value) => value switch
    {
        Phi phi => phi.Operands,
        Operation { Opcode: Opcode.Select } choice => choice.Operands.Skip(1),
        Operation operation => operation.Operands,
        _ => [],
    };

    /// <summary>
    /// True if something is done with the operands: an effect, a look at something else, a comparison of two of them.
    /// </summary>
    private static bool IsUse(Operation operation) =>
        operation.IsEffect || operation.ReadsState
        || operation.Opcode is Opcode.FrameRead or Opcode.FrameFold
        || operation is
        {
            Opcode: Opcode.Equal or Opcode.LessSigned or Opcode.LessUnsigned, Operands: [not Constant, not Constant],
        };

    /// <summary>
    /// A word of a table, or a part of what a loop over the payload has found; bytes at a place are read, not found.
    /// </summary>
    private static bool IsFinding(Operation operation) =>
        operation is { Opcode: Opcode.MemoryRead }
        || operation is { Opcode: Opcode.Extract, Operands: [Operation { Opcode: Opcode.FrameFold, Fold: { } fold }] }
        && !FrameSearch.Is(fold);

    /// <summary>Follows what is found to the values that are computed of it; true if more has come to light.</summary>
    private bool Trace(Block block)
    {
        var isChanged = false;
        foreach (var value in block.Phis.Concat<Value>(block.Operations))
        {
            HashSet<Value> findings = [.. Joined(value).SelectMany(FindingsOf)];
            // Of what a way has brought a phi, it is known at the end of that way.
            if (value is Phi ? findings.Count > 0 : IsFinding((Operation)value)) findings = [value];
            if (findings.Count == FindingsOf(value).Count) continue;
            (_findings[value], isChanged) = (findings, true);
        }
        return isChanged;
    }

    private HashSet<Value> FindingsOf(Value value) => _findings.GetValueOrDefault(value, s_nothing);

    /// <summary>Findings in front of the end of a block that are used behind it, if another goes on there.</summary>
    private HashSet<Value> LiveOn(Block from, Block to)
    {
        var live = new HashSet<Value>(_live[to]);
        var way = to.Predecessors.IndexOf(from);
        live.UnionWith(to.Phis.Where(_carried.Contains).SelectMany(phi => FindingsOf(phi.Operands[way])));
        return live;
    }

    private bool Update(Block block)
    {
        HashSet<Value> live = [.. block.Terminator!.Successors.SelectMany(to => LiveOn(block, to))];
        if (block.Terminator is Return end) live.UnionWith(Verifier.UsedBy(end).SelectMany(FindingsOf));
        foreach (var operation in Enumerable.Reverse(block.Operations))
        {
            live.Remove(operation);
            if (_carried.Contains(operation) || IsUse(operation))
                live.UnionWith(Joined(operation).SelectMany(FindingsOf));
        }
        live.ExceptWith(block.Phis);
        if (live.Count == _live[block].Count) return false;
        _live[block] = live;
        return true;
    }
}
