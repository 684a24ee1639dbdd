using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Makes searches of reads behind a move by a distance that the header says, as of the packet inside a tunnel whose
/// headers have options: what is read where the bytes are now is looked for where they came.
/// </summary>
/// <remarks>
/// Where the frame was filled up afterwards, a frame that has not all the bytes is deferred. A checksum over few of the
/// bytes is written out, as the words that it adds.
/// </remarks>
internal sealed class MovedReads
{
    /// <summary>The reason of an exit of frames whose bytes are not all where they are looked for.</summary>
    public const string MayBeFilled = "bytes are looked at with which the frame may have been filled up";

    /// <summary>The bits in which places and lengths are compared: more than any has.</summary>
    private const int FormBits = 32;

    /// <summary>The most bytes of a checksum that is written out: a header with options.</summary>
    private const int MostSummed = 60;

    private readonly Function _function;
    private readonly PathRanges _facts;
    private readonly Dominators _dominators;
    private readonly List<Block> _blocks;
    private readonly HashSet<Block> _repeated;

    private MovedReads(Compilation compilation)
    {
        _function = compilation.Process;
        _facts = compilation.PathRangesOf(_function);
        _dominators = new Dominators(_function);
        _blocks = PathDivision.FastBlocks(_function);
        _repeated = Loop.All(_function).SelectMany(loop => loop.Body).ToHashSet();
    }

    /// <summary>
    /// A move of all bytes from a computed place on, and the change of length that takes off the rest.
    /// </summary>
    /// <param name="Block">Its block.</param>
    /// <param name="Operation">The move.</param>
    /// <param name="CutBlock">The block of the change of length.</param>
    /// <param name="Cut">The change of length.</param>
    private sealed record Shift(Block Block, Operation Operation, Block CutBlock, Operation Cut)
    {
        public Value From => Operation.Operands[0];

        public UInt128 To => ((Constant)Operation.Operands[1]).Bits;
    }

    /// <summary>Makes searches of all that can be.</summary>
    /// <param name="compilation">The service; blocks behind a side exit are left as they are.</param>
    /// <returns>True if there were any.</returns>
    public static bool Run(Compilation compilation)
    {
        if (!MayHaveShifts(compilation) || new MovedReads(compilation).Shifts().Count == 0) return false;
        var changed = new MovedReads(compilation).PartJoined() | new MovedReads(compilation).WriteOutSums();
        if (changed) FrameForwarding.Run(compilation.Process);
        while (new MovedReads(compilation).TryMoveOne()) changed = true;
        return changed;
    }

    /// <summary>The reads and checksums behind moves by a distance that the header says.</summary>
    public static HashSet<Value> Of(Compilation compilation)
    {
        if (!MayHaveShifts(compilation)) return [];
        var reads = new MovedReads(compilation);
        var shifts = reads.Shifts();
        return shifts.Count == 0 ? [] :
        [
            .. reads._blocks.SelectMany(block => block.Operations.FindAll(read =>
                (IsRead(read) || read is { Opcode: Opcode.FrameSum, Operands: [Constant, _] })
                && shifts.Exists(shift => reads.IsBehind(shift, block, read)))),
        ];
    }

    private static bool MayHaveShifts(Compilation compilation) => compilation.Process.Blocks()
        .Exists(block => block.Operations.Exists(IsByComputed));

    private static bool IsByComputed(Operation operation) =>
        operation is { Opcode: Opcode.FrameMove, Operands: [not Constant, Constant, _] };

    private List<Shift> Shifts() =>
    [
        .. _blocks.Where(block => !_repeated.Contains(block)).SelectMany(block => block.Operations
            .Select(operation => ShiftOf(block, operation)).OfType<Shift>()),
    ];

    private Shift? ShiftOf(Block block, Operation move)
    {
        if (!IsByComputed(move)) return null;
        // It may be asked in between whether there is room for the new length.
        var (at, cut) = (block, FirstWrite(block.Operations.Skip(block.Operations.IndexOf(move) + 1)));
        while (cut is null && Edges.OnlyNext(at) is { } next) (at, cut) = (next, FirstWrite(next.Operations));
        if (cut is not { Opcode: Opcode.FrameResize, Operands: [var before, var length] }) return null;
        var (from, whole) = (Form(at, move.Operands[0]), Form(at, before));
        var isAll = whole.Minus(from) == Form(at, move.Operands[2])
            && Form(at, length) == whole.Minus(from).Plus(Form(at, move.Operands[1]));
        return isAll && new HeaderValues(phi => phi.Operands.Zip(phi.Block.Predecessors)).Has(move.Operands[0])
            ? new Shift(block, move, at, cut)
            : null;
    }

    private static Operation? FirstWrite(IEnumerable<Operation> operations) =>
        operations.FirstOrDefault(each => each.WritesFrame);

    /// <summary>
    /// Reads on each way what is read where ways join by which bytes have moved in different ways: behind each it is
    /// known where they came (partial redundancy elimination's translation through a phi).
    /// </summary>
    private bool PartJoined()
    {
        var (shifts, changed, known) = (Shifts(), false, new Substitution());
        foreach (var block in _blocks.Where(block => !_repeated.Contains(block)))
        {
            foreach (var read in block.Operations.FindAll(IsRead))
            {
                if (JoinOf(block, read) is not { } join || shifts.Exists(shift => IsBehind(shift, block, read))
                    || !shifts.Exists(shift => join.Predecessors.Exists(from => IsBehind(shift, from, read))))
                    continue;
                known.Add(read, Parted(join, read));
                block.Operations.Remove(read);
                changed = true;
            }
        }
        known.Apply(_function);
        return changed;
    }

    /// <summary>
    /// The block where the ways to a read join, if nothing changes its bytes from there on; null if something may.
    /// </summary>
    private static Block? JoinOf(Block block, Operation read)
    {
        var (first, bytes) = (((Constant)read.Operands[0]).Bits, (UInt128)(read.Width / 8));
        bool MayChange(Operation operation) => Changes(operation)
            && (operation.Opcode != Opcode.FrameWrite || !IsBeside(operation, first, bytes));
        if (block.Operations.TakeWhile(operation => operation != read).Any(MayChange)) return null;
        while (block.Predecessors is [var above] && !above.Operations.Exists(MayChange)) block = above;
        return block.Predecessors.Count > 1 ? block : null;
    }

    private static bool Changes(Operation operation) =>
        operation.WritesFrame || operation.Opcode is Opcode.Wait or Opcode.Call;

    /// <summary>The bytes of a read as they are on each way to a block.</summary>
    private static Phi Parted(Block block, Operation read)
    {
        var joined = new Phi(read.Width, block);
        foreach (var from in block.Predecessors)
        {
            from.Operations.Add(new Operation(read.Opcode, read.Width, read.Operands) { Location = read.Location });
            joined.Operands.Add(from.Operations[^1]);
        }
        block.Phis.Add(joined);
        return joined;
    }

    /// <summary>Writes out the sums over few bytes that have moved.</summary>
    private bool WriteOutSums()
    {
        var changed = false;
        var known = new Substitution();
        foreach (var shift in Shifts())
        {
            foreach (var block in _blocks)
            {
                foreach (var sum in block.Operations.FindAll(IsSmallSum).FindAll(sum => IsBehind(shift, block, sum)))
                {
                    WriteOut(block, sum, known);
                    changed = true;
                }
            }
        }
        known.Apply(_function);
        return changed;
    }

    private static bool IsSmallSum(Operation operation) =>
        operation is { Opcode: Opcode.FrameSum, Operands: [Constant, Constant count] } && count.Bits <= MostSummed;

    private static void WriteOut(Block block, Operation sum, Substitution known)
    {
        var made = new List<Operation>();
        var n = new OperationList(made) { Location = sum.Location };
        var (first, end) = ((int)((Constant)sum.Operands[0]).Bits, (int)((Constant)sum.Operands[1]).Bits);
        end += first;
        Value total = FoldingBuilder.Zero(32);
        for (var at = first; at < end; at += 2)
        {
            var count = Math.Min(2, end - at);
            var word = new Operation(Opcode.FrameRead, 8 * count, new Constant(32, (UInt128)at))
            {
                Location = sum.Location,
            };
            made.Add(word);
            total = n.Add(total, n.Resize(count == 2 ? word : n.Concat(word, FoldingBuilder.Zero(8)), 32));
        }
        known.Add(sum, n.Make(Opcode.OnesSum, 16, total));
        var place = block.Operations.IndexOf(sum);
        block.Operations.RemoveAt(place);
        block.Operations.InsertRange(place, made);
    }

    private bool TryMoveOne()
    {
        foreach (var shift in Shifts())
        {
            foreach (var block in _blocks.Where(block => !_repeated.Contains(block)))
            {
                foreach (var read in block.Operations)
                    if (IsRead(read) && IsBehind(shift, block, read) && TryMove(shift, block, read)) return true;
            }
        }
        return false;
    }

    private static bool IsRead(Operation operation) =>
        operation is { Opcode: Opcode.FrameRead, Operands: [Constant] };

    /// <summary>True if an operation always comes behind a move, and looks at bytes that have moved.</summary>
    private bool IsBehind(Shift shift, Block block, Operation operation) =>
        ((Constant)operation.Operands[0]).Bits >= shift.To && (block == shift.CutBlock
            ? !block.Operations.TakeWhile(each => each != shift.Cut).Contains(operation)
            : _dominators.Dominates(shift.CutBlock, block));

    private bool TryMove(Shift shift, Block block, Operation read)
    {
        var (first, bytes) = (((Constant)read.Operands[0]).Bits, (UInt128)(read.Width / 8));
        if (ChangesBetween(shift, block, read) is not { } changes
            || !changes.TrueForAll(each => IsBeside(each.Change, first, bytes)))
            return false;
        var least = _facts.At(shift.Block, shift.From).Min + first - shift.To;
        if (least < WrittenBefore(shift)) return false;
        var lengths = changes.Where(each => each.Change.Opcode == Opcode.FrameResize)
            .SelectMany(each => LengthsOf(each.Block, each.Change)).Distinct()
            .Where(length => _facts.At(block, length).Min < first + bytes).ToList();
        if (!lengths.TrueForAll(length => IsKnown(length, block, read))) return false;
        Replace(shift, block, read, least, lengths);
        return true;
    }

    /// <summary>
    /// The changes of the frame on the ways from a move to an operation; null if bytes are moved once more.
    /// </summary>
    private static List<(Block Block, Operation Change)>? ChangesBetween(Shift shift, Block block, Operation operation)
    {
        var ways = Reached(block, at => at == shift.CutBlock ? [] : at.Predecessors);
        var changes = ways.SelectMany(at => at.Operations.Select(change => (Block: at, Change: change)))
            .Where(each => Changes(each.Change))
            .Where(each => each.Block != shift.CutBlock
                || each.Block.Operations.IndexOf(each.Change) > each.Block.Operations.IndexOf(shift.Cut))
            .Where(each => each.Block != block
                || each.Block.Operations.IndexOf(each.Change) < block.Operations.IndexOf(operation)).ToList();
        return changes.Exists(each => each.Change.Opcode is not (Opcode.FrameWrite or Opcode.FrameResize))
            ? null
            : changes;
    }

    private static HashSet<Block> Reached(Block from, Func<Block, IEnumerable<Block>> next)
    {
        var (reached, open) = (new HashSet<Block> { from }, new Stack<Block>([from]));
        while (open.TryPop(out var block))
            foreach (var other in next(block)) if (reached.Add(other)) open.Push(other);
        return reached;
    }

    /// <summary>True if a change writes none of some bytes.</summary>
    private static bool IsBeside(Operation change, UInt128 first, UInt128 bytes) => change switch
    {
        { Opcode: Opcode.FrameResize } => true,
        { Opcode: Opcode.FrameWrite, Operands: [Constant { Bits: var at }, var data] } =>
            at >= first + bytes || at + (UInt128)(data.Width / 8) <= first,
        _ => false,
    };

    /// <summary>
    /// The lengths behind which bytes are 0 after a change: the new one, and the old one where it may grow.
    /// </summary>
    private IEnumerable<Value> LengthsOf(Block block, Operation change)
    {
        yield return change.Operands[1];
        var less = Form(block, change.Operands[0]).Minus(Form(block, change.Operands[1]));
        if (!(less.Least(value => _facts.At(block, value)) >= 0)) yield return change.Operands[0];
    }

    private bool IsKnown(Value value, Block block, Operation read) => value is Constant
        || _blocks.Find(at => ParseStep.Defines(at, value)) is { } made && (made == block
            ? value is Phi || block.Operations.IndexOf((Operation)value) < block.Operations.IndexOf(read)
            : _dominators.Dominates(made, block));

    /// <summary>Behind the last byte that may have been changed before a move.</summary>
    private static UInt128 WrittenBefore(Shift shift)
    {
        var before = Reached(shift.Block, block => block.Predecessors);
        return before.SelectMany(block => block == shift.Block
                ? block.Operations.TakeWhile(operation => operation != shift.Operation)
                : block.Operations)
            .Where(Changes)
            .Select(change => change is { Opcode: Opcode.FrameWrite, Operands: [Constant { Bits: var at }, var data] }
                ? at + (UInt128)(data.Width / 8)
                : UInt128.MaxValue)
            .Append(UInt128.Zero).Max();
    }

    /// <summary>Puts a search in the place of a read, and defers frames in which the bytes may not be.</summary>
    private void Replace(Shift shift, Block block, Operation read, UInt128 least, List<Value> lengths)
    {
        var (first, count) = (((Constant)read.Operands[0]).Bits, read.Width / 8);
        var search = Search(shift, first, count, least, read.Location);
        if (lengths.Count > 0) block = Guarded(block, read, first + (UInt128)count, lengths);
        block.Operations.Remove(read);
        var known = new Substitution();
        known.Add(read, search);
        known.Apply(_function);
    }

    /// <summary>
    /// Puts a guard in front of a read, with what the frame's lengths say; a frame that is deferred is read as it is.
    /// </summary>
    /// <returns>The block of the read, behind the guard.</returns>
    private static Block Guarded(Block block, Operation read, UInt128 end, List<Value> lengths)
    {
        var rest = Edges.Split(block, block.Operations.IndexOf(read));
        var guard = new OperationList(block.Operations) { Location = read.Location };
        var behind = new Constant(FormBits, end);
        var hasAll = lengths.Select(length => guard.Not(guard.Less(guard.Resize(length, FormBits), behind)))
            .Aggregate(guard.And);
        SideExits.Guard(block, rest, hasAll, GraphCopy.Of(rest), MayBeFilled, read.Location);
        return rest;
    }

    /// <summary>The search for some bytes in front of a move: one that is there, or another.</summary>
    private Operation Search(Shift shift, UInt128 first, int count, UInt128 least, SourceLocation? location)
    {
        var operations = shift.Block.Operations;
        var form = Form(shift.Block, shift.From).Plus(first - shift.To);
        if (operations.Find(other => other.Fold is { } fold && fold.Bytes == count && FrameSearch.Is(fold)
            && Form(shift.Block, other.Operands[1]) == form) is { } same)
            return same;
        var made = new List<Operation>();
        var n = new OperationList(made) { Location = location };
        var from = n.Resize(shift.From, FrameFold.OffsetBits);
        made.Add(FrameSearch.For(
            least, n.Add(from, new Constant(FrameFold.OffsetBits, first - shift.To)), count, location));
        operations.InsertRange(operations.IndexOf(shift.Operation), made);
        return made[^1];
    }

    private LinearForm Form(Block block, Value value) =>
        LinearForm.Of(value, FormBits, part => _facts.AtChoice(block, part), _ => null);
}
