using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Divides a function in two: a part for a pipeline, without loops, with the frame accessed at constant offsets; and
/// what is not of that kind, to which it goes on by a <see cref="SideExit"/>: the rare case, such as a packet with
/// options, of which it decides as early as it can.
/// </summary>
/// <remarks>
/// An offset that depends on a small field, such as a header's length, is taken at the field's least number that the
/// checks before allow, which is the header without options; all others are deferred.
/// Then what follows is constant there.
/// </remarks>
internal sealed class SideExits
{
    /// <summary>Bits of a field of which a function may be specialised for one number.</summary>
    private const int MaxFieldBits = 8;

    /// <summary>Bits of a field of whose numbers each is taken.</summary>
    private const int MaxChosenBits = 4;

    /// <summary>
    /// The turns of a loop that sends copies which a pipeline does: each copy has a record of its own.
    /// </summary>
    private const int PeeledTurns = 4;

    /// <summary>The most operations of such a turn.</summary>
    private const int MostPeeledOperations = 100;

    /// <summary>The reason of an exit beside which another way always goes on.</summary>
    private const string LongHeader = "a header is longer than its least: an offset depends on it";

    private readonly Compilation _compilation;
    private readonly Function _function;

    /// <summary>
    /// The lines of accesses whose offset was made a constant: fields there are behind such a header.
    /// </summary>
    private readonly HashSet<SourceLocation> _fixed = [];

    /// <summary>True when parsers are folds: until then, what stands behind a field that varies may be one's.</summary>
    private bool _areParsed;

    private SideExits(Compilation compilation) => (_compilation, _function) = (compilation, compilation.Process);

    /// <summary>Specialises what a service does with a frame.</summary>
    /// <param name="compilation">The service, through the passes.</param>
    public static void Run(Compilation compilation)
    {
        var specialisation = new SideExits(compilation);
        if (SumComparison.Run(compilation)) compilation.Optimise();
        specialisation.FixOffsets(MaxChosenBits);
        LinearTables.Run(compilation, specialisation.FastBlocks().ToHashSet());
        if (DecidedWays.Run(compilation.Process)) compilation.Optimise();
        if (MovedReads.Run(compilation)) compilation.Optimise();
        EarlyReads.Run(compilation);
        if (SumDifferences.Run(compilation) | MovedSums.Run(compilation)) compilation.Optimise();
        if (StorePromotion.Run(compilation, specialisation.FastBlocks().ToHashSet())) compilation.Optimise();
        if (CountedLoops.Run(compilation, specialisation.FastBlocks().ToHashSet())) compilation.Optimise();
        if (PlacedReads.Run(compilation))
        {
            specialisation.Finish("reads near the frame's end are searches");
            compilation.Optimise();
        }
        if (ParseGraphs.Run(compilation)) compilation.Optimise();
        specialisation._areParsed = true;
        specialisation.FixOffsets(MaxFieldBits);
        specialisation.DeferColdMethods();
        specialisation.Finish("cold methods are deferred");
        specialisation.DeferDrops();
        LinearTables.Run(compilation, specialisation.FastBlocks().ToHashSet());
        if (FrameFolds.Run(compilation, specialisation.FastBlocks().ToHashSet())
            | PlacedSums.Run(compilation, specialisation.FastBlocks().ToHashSet()))
        {
            compilation.Optimise();
            // Only now does a loop that begins behind a header of any length say where it begins.
            FoldStart.Run(compilation);
            specialisation.FixOffsets(MaxFieldBits);
            if (SplitFolds.Run(compilation))
            {
                specialisation.Finish("loops over new bytes are split");
                compilation.Optimise();
            }
        }
        var fast = specialisation.FastBlocks().ToHashSet();
        if (StartChoice.Run(compilation, loop => fast.Contains(loop.Header))
            | TripCounts.Run(compilation, loop => fast.Contains(loop.Header)))
        {
            compilation.Optimise();
            specialisation.FixOffsets(MaxFieldBits);
        }
        specialisation.PeelLoops();
        specialisation.TestLoopsFirst();
        specialisation.DeferLoops();
        specialisation.Finish("loops are deferred");
        Simplification.Run(compilation.Process);
        specialisation.DeferAccesses();
        specialisation.Finish("accesses are deferred");
        specialisation.DeferLikelyDeferred();
        specialisation.DeferDrops();
        compilation.Optimise();
    }

    /// <summary>Ends a step: what it cut off is forgotten, and the rest must be right.</summary>
    private void Finish(string step)
    {
        Edges.ForgetUnreachable(_function);
        Verifier.Verify(_function, step);
    }

    /// <summary>Makes constants of offsets, as long as there is one that can be.</summary>
    private void FixOffsets(int mostBits)
    {
        while (TryChooseOffsets() || SumChoice.Run(_function, _compilation.Capacity) || TryFixField(mostBits))
        {
            Finish("an offset is constant");
            _compilation.Optimise();
            // Only now is it known where some bytes are written.
            if (FrameForwarding.Run(_function)) _compilation.Optimise();
        }
    }

    private bool TryChooseOffsets() => OffsetChoice.Run(_compilation, Varies);

    /// <summary>
    /// True if a field often has other numbers than its least: its author says so, or it stands itself behind a header
    /// whose length is fixed, so that little follows that hangs on it.
    /// </summary>
    private bool Varies(Operation field) =>
        field is { Opcode: Opcode.Extract, Width: <= MaxChosenBits, Operands: [var read] } && IsVaried(read);

    private bool IsVaried(Value value) => value switch
    {
        Operation { Opcode: Opcode.FrameRead, Location: { } at } => at.IsVaried || _fixed.Contains(at),
        Operation { Opcode: Opcode.Select } choice => choice.Operands.Skip(1).All(IsVaried),
        _ => false,
    };

    /// <summary>Fixes one field on which an offset depends.</summary>
    private bool TryFixField(int mostBits)
    {
        var facts = _compilation.PathRangesOf(_function);
        var dominators = new Dominators(_function);
        var blockOf = FastBlocks().SelectMany(b => b.Operations.Select(o => (Block: b, Operation: o)))
            .ToDictionary(e => e.Operation, e => e.Block);
        var repeated = Loop.All(_function).SelectMany(loop => loop.Body).ToHashSet();
        var sets = new ValueSets(OffsetChoice.MaxOffsets);
        var (refused, moved) = (Refused(facts), MovedReads.Of(_compilation));
        bool IsMovedSum(Operation operation) =>
            _areParsed && operation.Opcode == Opcode.FrameSum && refused.Contains(operation);
        foreach (var block in FastBlocks())
        {
            foreach (var (access, operand) in block.Operations
                .Where(each => HasComputedOffset(each) || moved.Contains(each) || IsMovedSum(each))
                .SelectMany(Computed))
            {
                if (IsComputedChange(access) && !refused.Contains(access)) continue;
                if (FieldOf(access.Operands[operand], sets, mostBits) is not { } field) continue;
                if (!_areParsed && Varies(field) && !moved.Contains(field.Operands[0])) continue;
                var least = facts.At(block, field).Min;
                var at = block;
                while (at != blockOf[field] && dominators.Immediate(at) is { } above
                    && facts.At(above, field).Min == least)
                    at = above;
                // An access in a loop is deferred with the loop;
                // and a copy of a loop's end would go back into the loop.
                var made = new List<Operation>();
                if (repeated.Contains(at) || With(access.Operands[operand], field, least, made) is not { } offset)
                    continue;
                var index = block.Operations.IndexOf(access);
                block.Operations.InsertRange(index, made);
                Guard(at, at == block ? index : at.Operations.Count, field, least, access.Location);
                access.Operands[operand] = offset;
                if (access.Location is { } line) _fixed.Add(line);
                return true;
            }
        }
        return false;
    }

    /// <summary>
    /// The operands of an access that are computed: its offset, of a checksum the length, of a move both offsets.
    /// </summary>
    private static IEnumerable<(Operation Access, int Operand)> Computed(Operation access) =>
        Enumerable.Range(0, access.Opcode is Opcode.FrameSum or Opcode.FrameMove ? 2 : 1)
            .Where(operand => access.Operands[operand] is not Constant).Select(operand => (access, operand));

    private static bool HasComputedOffset(Operation operation) =>
        IsAtComputedOffset(operation)
        || operation is { Opcode: Opcode.FrameMove, Operands: not [Constant, Constant, _] };

    private static bool IsAtComputedOffset(Operation operation) =>
        operation.Opcode is Opcode.FrameRead or Opcode.FrameWrite or Opcode.FrameSum or Opcode.FrameFold
            or Opcode.FrameMap
        && operation.Operands[0] is not Constant;

    /// <summary>
    /// The small field of the frame that decides a value, alone or with what is one of few constants; null if the value
    /// depends on more.
    /// </summary>
    private static Operation? FieldOf(Value value, ValueSets sets, int mostBits)
    {
        Operation? field = null;
        while (value is Operation { ReadsState: false } operation
            && operation.Operands.Where(o => sets.Of(o) is null).Distinct().ToList() is [var only])
        {
            if (operation.Opcode != Opcode.Input && operation.Width <= (field?.Width ?? mostBits))
                field = operation;
            value = only;
        }
        return value is Operation whole && IsOfFrame(whole)
            ? whole.Width <= (field?.Width - 1 ?? mostBits) ? whole : field
            : null;
    }

    /// <summary>True if a value is read of the frame, at one place or at one of several.</summary>
    public static bool IsOfFrame(Value value) =>
        value is Operation { Opcode: Opcode.FrameRead }
        || value is Operation { Opcode: Opcode.Select } choice && choice.Operands.Skip(1).All(IsOfFrame);

    /// <summary>
    /// A value that depends on a field, with a number in the field's place; null if it divides by 0 then.
    /// The operations that compute it, where it depends on more than the field, are added to those made.
    /// </summary>
    private static Value? With(Value value, Operation field, UInt128 number, List<Operation> made)
    {
        if (value == field) return new Constant(field.Width, number);
        if (value is not Operation operation || !IsOf(operation, field)) return value;
        var operands = operation.Operands.Select(o => With(o, field, number, made)).ToList();
        if (operands.Contains(null)) return null;
        var copy = new Operation(operation.Opcode, operation.Width, operands!)
        {
            Low = operation.Low,
            Location = operation.Location,
        };
        if (operands.TrueForAll(operand => operand is Constant)) return Folding.TryFold(copy);
        made.Add(copy);
        return copy;
    }

    private static bool IsOf(Value value, Operation field) =>
        value == field || value is Operation { Opcode: not Opcode.FrameRead } operation
            && operation.Operands.Any(operand => IsOf(operand, field));

    /// <summary>Passes a place in a block only with the number, and defers all others.</summary>
    private static void Guard(Block block, int index, Operation field, UInt128 number, SourceLocation? location)
    {
        var rest = Edges.Split(block, index);
        var isIt = new Operation(Opcode.Equal, 1, field, new Constant(field.Width, number)) { Location = location };
        block.Operations.Add(isIt);
        Guard(block, rest, isIt, GraphCopy.Of(rest), LongHeader, location);
    }

    /// <summary>Passes a place in a block only under a condition, and defers all others.</summary>
    /// <param name="block">The block.</param>
    /// <param name="index">The number of the operation in front of which the place is.</param>
    /// <param name="condition">The condition, which is known there.</param>
    /// <param name="copy">Does from there on what the block does.</param>
    /// <param name="reason">The reason to defer the others.</param>
    /// <param name="location">The C#.</param>
    public static void Guard(
        Block block, int index, Value condition, Block copy, string reason, SourceLocation? location) =>
        Guard(block, Edges.Split(block, index), condition, copy, reason, location);

    /// <summary>A copy of what is done from the entry of a loop on.</summary>
    public static Block CopyOfEntry(Loop loop)
    {
        var join = Edges.Join(loop.Header, from => !loop.Body.Contains(from));
        var rest = Edges.Split(join, 0);
        join.Terminator = new Jump(rest);
        rest.Predecessors.Add(join);
        return GraphCopy.Of(rest);
    }

    /// <summary>Goes on from a block to the rest of it only under a condition, and defers all others.</summary>
    /// <param name="block">The block.</param>
    /// <param name="rest">What follows, which nothing leads to yet.</param>
    /// <param name="condition">The condition, which is known at the end of the block.</param>
    /// <param name="copy">Does what the rest does.</param>
    /// <param name="reason">The reason to defer the others.</param>
    /// <param name="location">The C#.</param>
    public static void Guard(
        Block block, Block rest, Value condition, Block copy, string reason, SourceLocation? location)
    {
        var deferred = new Block { Terminator = new SideExit(reason, location, copy) };
        copy.Predecessors.Add(deferred);
        block.Terminator = new Branch(condition, rest, deferred);
        rest.Predecessors.Add(block);
        deferred.Predecessors.Add(block);
    }

    /// <summary>
    /// Tests before a loop whether it is entered at all (loop inversion): an event that takes no turn need not be
    /// deferred.
    /// </summary>
    private void TestLoopsFirst()
    {
        var fast = FastBlocks().ToHashSet();
        var tested = Loop.Outermost(_function).FindAll(loop => fast.Contains(loop.Header))
            .ConvertAll(loop => (Loop: loop, Test: LoopTest.Of(loop))).FindAll(each => each.Test.Count > 0);
        if (tested.Count == 0) return;
        foreach (var (loop, test) in tested) new PeeledTurn(_function, loop, test).Peel();
        Finish("loops are tested before they are entered");
        _compilation.Optimise();
    }

    /// <summary>
    /// Takes the first turns of loops in front of them, where each turn does what a pipeline can, such as to send a
    /// copy: only events with more turns are deferred (loop peeling; Bacon, Graham and Sharp 1994, §6.3.6).
    /// </summary>
    private void PeelLoops()
    {
        var fast = FastBlocks().ToHashSet();
        var loops = Loop.Outermost(_function).FindAll(loop => fast.Contains(loop.Header) && IsOfFewTurns(loop));
        if (loops.Count == 0) return;
        foreach (var loop in loops)
            for (var turn = 0; turn < PeeledTurns; turn++) new PeeledTurn(_function, loop, loop.Body).Peel();
        Finish("the first turns of loops are taken in front of them");
        _compilation.Optimise();
    }

    /// <summary>
    /// True if a loop that sends copies is small, has none inside, and accesses neither frames nor state as walks do.
    /// </summary>
    private bool IsOfFewTurns(Loop loop)
    {
        var operations = loop.Body.SelectMany(block => block.Operations).ToList();
        return operations.Count <= MostPeeledOperations && operations.Exists(o => o.Opcode == Opcode.Send)
            && !operations.Exists(o => HasComputedOffset(o) || o.Opcode is Opcode.MemoryWrite or Opcode.RegisterWrite)
            && !Loop.All(_function).Exists(inner => inner.Header != loop.Header && loop.Body.Contains(inner.Header));
    }

    private void DeferLoops()
    {
        var fast = FastBlocks().ToHashSet();
        // An inner loop is deferred with the outermost: alone, its copy would go on into the outer one.
        foreach (var loop in Loop.Outermost(_function).Where(loop => fast.Contains(loop.Header))) Defer(loop);
        DeferCycles(_function);
    }

    /// <summary>Leaves whatever enters a cycle to the slow path, at each of its entries.</summary>
    internal static void DeferCycles(Function function)
    {
        while (Cycle.In(PathDivision.FastBlocks(function)) is { } cycle)
        {
            var entries = cycle.Where(block => block.Predecessors.Exists(from => !cycle.Contains(from))).ToList();
            foreach (var entry in entries) Defer(entry, cycle);
        }
    }

    /// <summary>Leaves whatever enters a loop to the slow path.</summary>
    internal static void Defer(Loop loop) => Defer(loop.Header, loop.Body);

    private static void Defer(Block entry, IReadOnlySet<Block> body)
    {
        var at = body.SelectMany(b => b.Operations).Select(o => o.Location).FirstOrDefault(l => l is not null);
        End(Edges.Join(entry, from => !body.Contains(from)), 0, "a loop has no constant bound", at);
    }

    /// <summary>The moves and writes that have to be by constants.</summary>
    private HashSet<Operation> Refused(PathRanges facts)
    {
        var lengths = new FrameLengths(_compilation.Capacity, facts);
        var blocks = FastBlocks();
        if (!blocks.Exists(block => block.Operations.Exists(o => IsComputedChange(o) || o.Opcode == Opcode.FrameMove)))
            return [];
        foreach (var block in blocks)
        {
            lengths.Enter(block);
            foreach (var (i, operation) in block.Operations.Index())
            {
                if (operation.Opcode is Opcode.FrameRead or Opcode.FrameWrite || !IsAtComputedOffset(operation))
                    lengths.Note(operation, block.Operations.Skip(i + 1));
            }
            lengths.Leave(block);
        }
        return
        [
            .. lengths.Refused,
            .. lengths.Stopped.ToLookup(each => each.Move, each => each.Block)
                .Where(each => !LeavesWithout(
                    blocks.Find(block => block.Operations.Contains(each.Key))!, each.ToHashSet()))
                .Select(each => each.Key),
        ];
    }

    /// <summary>True if a frame may leave that comes from a block and passes none of some.</summary>
    private static bool LeavesWithout(Block from, HashSet<Block> others)
    {
        if (others.Contains(from)) return false;
        var (seen, open) = (new HashSet<Block>(others), new Stack<Block>([from]));
        while (open.TryPop(out var block))
        {
            if (PathDivision.Leaves(block)) return true;
            if (block.Terminator is IR.SideExit) continue;
            foreach (var to in block.Terminator!.Successors)
                if (EgressOf(block, to) is not Constant { Bits: var ports } || ports != 0)
                    if (seen.Add(to)) open.Push(to);
        }
        return false;
    }

    /// <summary>True of a move by a distance that is computed, and of a write at such an offset.</summary>
    private static bool IsComputedChange(Operation operation) => operation.Opcode switch
    {
        Opcode.FrameMove => operation.Operands is not [Constant, Constant, _],
        Opcode.FrameWrite => operation.Operands is not [Constant, _],
        _ => false,
    };

    private void DeferAccesses()
    {
        var lengths = new FrameLengths(_compilation.Capacity, _compilation.PathRangesOf(_function));
        var written = ConstantState.Written(FastBlocks());
        bool IsOfWritten(Operation operation) =>
            operation.Opcode == Opcode.FrameLoad && operation.State.Any(written.Contains);
        foreach (var block in FastBlocks())
        {
            // Nothing of it is passed when all that leads here is deferred.
            if (block != _function.Entry && !block.Predecessors.Exists(lengths.HasLeft)) continue;
            lengths.Enter(block);
            for (var i = 0; i < block.Operations.Count; i++)
            {
                var operation = block.Operations[i];
                var refused = IsOfWritten(operation)
                    ? "bytes come of a table that a frame writes"
                    : ReasonOf(operation);
                if ((refused ?? lengths.Note(operation, block.Operations.Skip(i + 1))) is { } reason)
                {
                    End(block, i, reason, operation.Location);
                    break;
                }
            }
            if (block.Terminator is Return end && !Constant.Is(end.Egress, 0) && lengths.AtReturn() is { } why)
                End(block, block.Operations.Count, why, null);
            if (block.Terminator is not IR.SideExit) lengths.Leave(block);
        }
        foreach (var (change, first, end) in lengths.Refilled)
            change.Operands.AddRange([new Constant(32, first), new Constant(32, end)]);
    }

    private static string? ReasonOf(Operation operation) => operation.Opcode switch
    {
        Opcode.Send when !Constant.Is(operation.Operands[0], 0) => "a copy is sent that does not begin with the frame",
        Opcode.Wait => "an event waits for a frame",
        not Opcode.FrameWrite when IsAtComputedOffset(operation) =>
            "the frame is accessed at an offset that is computed",
        _ => null,
    };

    /// <summary>Frames that are dropped end on ways of their own.</summary>
    private void SplitDrops()
    {
        var drop =
            new Block
            {
                Terminator = new Return(FoldingBuilder.Zero(32), FoldingBuilder.Zero(32), FoldingBuilder.Zero(64)),
            };
        foreach (var to in _function.Blocks())
        {
            foreach (var from in to.Predecessors.Distinct().ToList())
            {
                if (to == drop || EgressOf(from, to) is not Constant { Bits: var ports } || ports != 0) continue;
                Edges.Remove(from, to);
                from.Terminator = Edges.Retarget(from.Terminator!, to, drop);
                // Both ways of a branch may lead there now.
                if (!drop.Predecessors.Contains(from)) drop.Predecessors.Add(from);
            }
        }
    }

    /// <summary>
    /// The ports by which a frame leaves that goes from a block to another, if that does nothing but end.
    /// </summary>
    private static Value? EgressOf(Block from, Block to)
    {
        if (to.Operations.Count > 0) return null;
        var egress = to.Terminator switch
        {
            Return end => end.Egress,
            Jump jump when jump.Target != to => EgressOf(to, jump.Target),
            _ => null,
        };
        return egress is Phi phi && to.Phis.Contains(phi) ? phi.Operands[to.Predecessors.IndexOf(from)] : egress;
    }

    /// <summary>
    /// Leaves to a cold method whatever comes to where it first writes something. Only that stands where the method has
    /// it: other operations are shared with common paths.
    /// </summary>
    private void DeferColdMethods()
    {
        var repeated = Loop.All(_function).SelectMany(loop => loop.Body).ToHashSet();
        // The first on each way: what lies behind is deferred with it.
        while (FastBlocks().Find(block => !repeated.Contains(block) && FirstCold(block) >= 0) is { } block)
        {
            var first = FirstCold(block);
            End(block, first, "a method that it comes to is marked as cold", block.Operations[first].Location);
        }
    }

    private static int FirstCold(Block block) =>
        block.Operations.FindIndex(o => o is { IsEffect: true, Location.IsCold: true });

    /// <summary>
    /// Defers all frames of a block from which they are dropped or deferred and none leaves: the pipeline need not know
    /// why.
    /// </summary>
    private void DeferDrops()
    {
        // What leaves on the ways that are left may be a constant now.
        Simplification.Run(_function);
        SplitDrops();
        Finish("drops are split");
        // The first on each way: what lies behind is deferred with it.
        while (OnlyDrops() is var (block, exit))
        {
            End(block, 0, exit.Reason, exit.Location);
            Finish("drops are deferred");
        }
    }

    /// <summary>The first block from which frames are dropped or deferred and none leaves; null for none.</summary>
    private (Block Block, SideExit Exit)? OnlyDrops()
    {
        var blocks = FastBlocks();
        var repeated = Loop.All(_function).SelectMany(loop => loop.Body).ToHashSet();
        var leaves = Reaching(blocks, PathDivision.Leaves);
        // That a unit cannot do something is no reason to leave it to another.
        var exits = Reaching(
            blocks, block => block.Terminator is SideExit exit && !IsOfUnit(exit));
        var first = blocks.Find(block =>
            !leaves.Contains(block) && exits.Contains(block) && !repeated.Contains(block)
            && !(block.Terminator is SideExit && block.Operations.Count == 0));
        return first is null ? null : (first, Cause(ExitsBehind(first)));
    }

    /// <summary>
    /// Defers in front of loops over the payload behind which frames likely are deferred: a pipeline that has done them
    /// has done so for nothing.
    /// </summary>
    private void DeferLikelyDeferred()
    {
        while (LikelyDeferred() is var (block, exit))
        {
            End(block, 0, exit.Reason, exit.Location);
            Finish("what is likely deferred is deferred at once");
        }
    }

    /// <summary>The first block with a loop behind it from which frames likely end in an exit; null for none.</summary>
    private (Block Block, SideExit Exit)? LikelyDeferred()
    {
        var blocks = FastBlocks();
        if (!blocks.Exists(HasFold)) return null;
        var likely = new LikelyWays(_function);
        var ends = likely.Reaching(blocks, block => block.Terminator is Return);
        var exits = likely.Reaching(
            blocks, block => block.Terminator is SideExit exit && !IsOfUnit(exit));
        var folds = Reaching(blocks, HasFold);
        var first = blocks.Find(block => !ends.Contains(block) && exits.Contains(block) && folds.Contains(block));
        return first is null ? null : (first, Cause(ExitsBehind(first)));
    }

    /// <summary>
    /// True of an exit that a unit has because it cannot do something: no way of the program leads there.
    /// </summary>
    private static bool IsOfUnit(SideExit exit) => exit.Reason is ParseGraphs.LeavesGraph or MovedReads.MayBeFilled;

    private static bool HasFold(Block block) =>
        block.Operations.Exists(operation => operation.Opcode == Opcode.FrameFold);

    /// <summary>
    /// Of the exits to which all frames come that do not end elsewhere, the one that names why none goes on.
    /// </summary>
    public static SideExit Cause(IEnumerable<SideExit> exits)
    {
        var all = exits.ToList();
        return all.Find(exit => exit.Reason is not (LongHeader or ParseGraphs.LeavesGraph))
            ?? all.Find(exit => exit.Reason != LongHeader) ?? all[0];
    }

    /// <summary>The exits that a block leads to, the nearest first.</summary>
    private static IEnumerable<SideExit> ExitsBehind(Block block)
    {
        var (seen, waiting) = (new HashSet<Block>(), new Queue<Block>([block]));
        while (waiting.TryDequeue(out var at))
        {
            if (at.Terminator is SideExit exit) yield return exit;
            else foreach (var next in at.Terminator!.Successors.Where(seen.Add)) waiting.Enqueue(next);
        }
    }

    /// <summary>The blocks from which one of a kind is reached.</summary>
    private static HashSet<Block> Reaching(List<Block> blocks, Func<Block, bool> isOfKind)
    {
        var reaching = blocks.Where(isOfKind).ToHashSet();
        for (var count = -1; count != reaching.Count;)
        {
            count = reaching.Count;
            foreach (var block in Enumerable.Reverse(blocks))
            {
                if (block.Terminator is not SideExit && block.Terminator!.Successors.Any(reaching.Contains))
                    reaching.Add(block);
            }
        }
        return reaching;
    }

    /// <summary>The blocks that are reached without a <see cref="SideExit"/>, each after its dominators.</summary>
    private List<Block> FastBlocks() => PathDivision.FastBlocks(_function);

    /// <summary>SideExits what follows a place in a block, which must not be in a loop.</summary>
    private static void End(Block block, int index, string reason, SourceLocation? location) =>
        EndIn(block, Edges.Split(block, index), reason, location);

    /// <summary>
    /// Ends a block by deferring to what follows: to a copy of its own,
    /// so that what joins there is known of either part.
    /// </summary>
    private static void EndIn(Block block, Block rest, string reason, SourceLocation? location)
    {
        var copy = GraphCopy.Of(rest);
        copy.Predecessors.Add(block);
        block.Terminator = new SideExit(reason, location, copy);
    }
}
