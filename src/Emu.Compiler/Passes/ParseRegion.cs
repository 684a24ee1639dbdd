using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// The part of a function from the first read of the frame at a computed place up to the last one: blocks that only
/// compute and read the frame, which are entered at one place.
/// </summary>
internal sealed class ParseRegion
{
    private readonly HashSet<Block> _body;
    private readonly List<Loop> _loops;
    private readonly Dictionary<Value, int> _order = new(ReferenceEqualityComparer.Instance);

    private ParseRegion(Block entry, HashSet<Block> body, int capacity)
    {
        _body = body;
        foreach (var block in body.ToList()) SplitAtReads(block);
        Before = Edges.Join(entry, from => !_body.Contains(from));
        Root = Edges.Split(Before, 0);
        Before.Terminator = new Jump(Root);
        Root.Predecessors.Add(Before);
        // A step is done at a place of its own, so there are no more than places.
        Counts = new CountPromotion(new Function("", Root).Blocks().FindAll(_body.Contains), [Root], capacity + 1);
        _loops = Loop.All(new Function("", Root).Blocks());
        foreach (var value in new Function("", Root).Blocks().Where(_body.Contains)
            .SelectMany(block => block.Phis.Concat<Value>(block.Operations)))
            _order[value] = _order.Count;
    }

    /// <summary>The block that all ways into it pass: the values that it begins with are known there.</summary>
    public Block Before { get; }

    /// <summary>The block behind that, which does nothing but go on to the first of the region's.</summary>
    public Block Root { get; }

    /// <summary>The counts of it, which are added to the counters where it is left.</summary>
    public CountPromotion Counts { get; }

    /// <summary>The region that is entered by a block, or by the outermost loop around it; null for none.</summary>
    /// <param name="compilation">The service.</param>
    /// <param name="first">A block with a read of the frame at a computed place.</param>
    /// <param name="isKnown">True of blocks whose reads need no region.</param>
    /// <param name="begins">Blocks with which another walk begins.</param>
    public static ParseRegion? Of(
        Compilation compilation, Block first, Predicate<Block> isKnown, HashSet<Block> begins)
    {
        var function = compilation.Process;
        var entry = Loop.Outermost(function).Find(loop => loop.Body.Contains(first))?.Header ?? first;
        if (entry == first && first.Operations.FindIndex(IsComputed) is var at and > 0)
        {
            // What is done in front of the read is no part of it.
            entry = Edges.Split(first, at);
            first.Terminator = new Jump(entry);
            entry.Predecessors.Add(first);
        }
        var written = ConstantState.Written(compilation.Functions);
        var reading = Reading(entry, begins, written);
        while (Above(function, entry, reading) is { } above && Reading(above, begins, written) is var more
            && more.IsSupersetOf(reading) && more.Count(HasRead) > reading.Count(HasRead))
            (entry, reading) = (above, more);
        if (!reading.Contains(entry) || !reading.Any(block => HasRead(block) && !isKnown(block))) return null;
        // Of a loop that does more than read, no turn is a walk: a frame has one.
        if (Loop.Outermost(function).Exists(loop => loop.Body.Contains(entry) && !loop.Body.All(reading.Contains)))
            return null;
        foreach (var last in reading.Where(block => !block.Terminator!.Successors.Any(reading.Contains)))
            if (last.Operations.FindIndex(CountPromotion.IsCount) is var end and >= 0) SplitAt(last, end);
        return new ParseRegion(entry, reading, compilation.Capacity);
    }

    /// <summary>
    /// The region with what is only computed behind it, up to where something is done, so that less is used behind
    /// that (a cut where the live set is small; Dai, Huang, Li and Harrison 2005, <em>Automatically partitioning packet
    /// processing applications for pipelined architectures</em>). Null if there is nothing of the kind.
    /// </summary>
    /// <param name="compilation">The service.</param>
    /// <param name="begins">Blocks with which another walk begins.</param>
    public ParseRegion? Grown(Compilation compilation, HashSet<Block> begins)
    {
        Counts.Set(isPromoted: false);
        var written = ConstantState.Written(compilation.Functions);
        var body = _body.ToHashSet();
        int EndOf(Block block) => block.Operations.FindIndex(operation =>
            !ByteLoop.OnlyComputes(operation) && !ConstantLookup.Is(operation, written));
        bool CanTake(Block block) => !body.Contains(block) && !begins.Contains(block)
            && block.Terminator is Jump or Branch && block.Predecessors.TrueForAll(body.Contains)
            && EndOf(block) != 0 && !HasRead(block);
        while (body.SelectMany(block => block.Terminator!.Successors).FirstOrDefault(CanTake) is { } next)
        {
            if (EndOf(next) is var end and > 0) SplitAt(next, end);
            body.Add(next);
        }
        return body.Count == _body.Count
            ? null
            : new ParseRegion(Root.Terminator!.Successors.Single(), body, compilation.Capacity);
    }

    /// <summary>
    /// A place in front of some blocks and of another that reads where they say, and to which a way past them leads;
    /// null if there is no such block.
    /// </summary>
    private static Block? Above(Function function, Block entry, HashSet<Block> reading)
    {
        var defined = reading.SelectMany(block => block.Phis.Concat<Value>(block.Operations))
            .ToHashSet<Value>(ReferenceEqualityComparer.Instance);
        var dominators = new Dominators(function);
        var other = PathDivision.FastBlocks(function).Find(block =>
            !reading.Contains(block) && !dominators.Dominates(entry, block)
            && block.Operations.Exists(read => IsComputed(read) && DependsOn(read.Operands[0], defined)));
        if (other is null) return null;
        var above = dominators.Immediate(entry);
        while (above is not null && !dominators.Dominates(above, other)) above = dominators.Immediate(above);
        if (above?.Terminator is not Branch) return null;
        var at = 1 + above.Operations.FindLastIndex(operation =>
            IsComputed(operation) || !ByteLoop.OnlyComputes(operation));
        return SplitAt(above, at);
    }

    private static bool DependsOn(Value value, HashSet<Value> defined)
    {
        var (seen, open) = (new HashSet<Value>(ReferenceEqualityComparer.Instance), new Stack<Value>([value]));
        while (open.TryPop(out var next))
        {
            if (defined.Contains(next)) return true;
            if (!seen.Add(next)) continue;
            foreach (var operand in next is Phi phi ? phi.Operands : next is Operation made ? made.Operands : [])
                open.Push(operand);
        }
        return false;
    }

    /// <summary>True if a block has a read of the frame at a computed place.</summary>
    public static bool HasRead(Block block) => block.Operations.Exists(IsComputed);

    /// <summary>True if a block is in no loop in which another is not.</summary>
    public bool IsInLoopsOf(Block other, Block block) =>
        _loops.TrueForAll(loop => !loop.Body.Contains(block) || loop.Body.Contains(other));

    /// <summary>
    /// The block with which what a step leads to begins: the outermost loop that the step is not in. Null if both are
    /// in a loop, which cannot be two walks.
    /// </summary>
    public Block? BeginOf(Block root, Block to)
    {
        var around = _loops.FindAll(loop => loop.Body.Contains(to));
        if (around.Exists(loop => loop.Body.Contains(root))) return null;
        return around.MaxBy(loop => loop.Body.Count)?.Header ?? to;
    }

    /// <summary>The outermost loop that a step leads into at a read, and is not in; null for none.</summary>
    public Loop? LoopInto(Block root, Block to) =>
        _loops.FindAll(loop => loop.Body.Contains(to) && !loop.Body.Contains(root)).MaxBy(loop => loop.Body.Count);

    /// <summary>True if a block is one of it.</summary>
    public bool Contains(Block block) => _body.Contains(block);

    /// <summary>True if a value is computed in it.</summary>
    public bool Defines(Value value) => _order.ContainsKey(value);

    /// <summary>Of some values the one that is computed first.</summary>
    public Value? FirstOf(IEnumerable<Value> values) => values.Where(Defines).MinBy(value => _order[value]);

    /// <summary>True if a block begins with a read at a computed place, as every block with such a read does.</summary>
    public bool IsRead(Block block) =>
        _body.Contains(block) && block.Operations.Count > 0 && IsComputed(block.Operations[0]);

    /// <summary>True of a read of the frame at a computed place.</summary>
    public static bool IsComputed(Operation operation) =>
        operation is { Opcode: Opcode.FrameRead, Operands: [not Constant] };

    /// <summary>The blocks from one on that only compute; what follows a read and does more is split off.</summary>
    private static HashSet<Block> Computing(Block entry, HashSet<Block> begins, IReadOnlySet<StateElement> written)
    {
        var (body, open) = (new HashSet<Block>(), new Stack<Block>([entry]));
        while (open.TryPop(out var block))
        {
            if (body.Contains(block) || block.Terminator is not (Jump or Branch)) continue;
            if (block != entry && begins.Contains(block)) continue;
            var end = block.Operations.FindIndex(operation =>
                !ByteLoop.OnlyComputes(operation) && !CountPromotion.IsCount(operation)
                && !ConstantLookup.Is(operation, written));
            if (end >= 0 && !block.Operations.Take(end).Any(IsComputed)) continue;
            body.Add(block);
            if (end >= 0) SplitAt(block, end);
            else foreach (var to in block.Terminator.Successors) open.Push(to);
        }
        return body;
    }

    /// <summary>Leaves out blocks as long as there is one of a kind.</summary>
    private static void LeaveOut(HashSet<Block> body, Predicate<Block> isLeftOut)
    {
        while (body.RemoveWhere(isLeftOut) > 0)
        {
        }
    }

    /// <summary>
    /// The blocks from one on, to which no way past it leads, that only compute and are on a way to a read.
    /// </summary>
    private static HashSet<Block> Reading(Block entry, HashSet<Block> begins, IReadOnlySet<StateElement> written)
    {
        var body = Computing(entry, begins, written);
        LeaveOut(body, block => block != entry && !block.Predecessors.TrueForAll(body.Contains));
        LeaveOut(body, block => !HasRead(block) && !block.Terminator!.Successors.Any(body.Contains));
        return Reaching(body);
    }

    /// <summary>The blocks that are on a way to a read.</summary>
    private static HashSet<Block> Reaching(HashSet<Block> body)
    {
        var reaching = body.Where(HasRead).ToHashSet();
        var open = new Stack<Block>(reaching);
        while (open.TryPop(out var block))
        {
            foreach (var from in block.Predecessors.Where(body.Contains).Where(reaching.Add)) open.Push(from);
        }
        return reaching;
    }

    /// <summary>Splits a block so that each read at a computed place begins one, which has no phis.</summary>
    private void SplitAtReads(Block block)
    {
        for (var at = block.Operations.Count - 1; at >= 0; at--)
        {
            if (IsComputed(block.Operations[at]) && (at > 0 || block.Phis.Count > 0)) _body.Add(SplitAt(block, at));
        }
    }

    private static Block SplitAt(Block block, int index)
    {
        var rest = Edges.Split(block, index);
        block.Terminator = new Jump(rest);
        rest.Predecessors.Add(block);
        return rest;
    }
}
