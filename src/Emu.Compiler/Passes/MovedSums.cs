using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Takes checksums over bytes that have moved, or that the frame was filled up with, as many as is computed, in front
/// of that: of a tunnel's or an error's payload behind headers that were made. What was put in front of the bytes is
/// added as it is written, and the rest is summed where it came, as the frame passes (a checksum is that of its parts,
/// RFC 1071 §2).
/// </summary>
internal sealed class MovedSums
{
    private const int WordBits = 16;

    private readonly Function _function;
    private readonly PathRanges _facts;
    private readonly UInt128 _capacity;
    private readonly int _bits;

    private MovedSums(Compilation compilation)
    {
        (_function, _capacity) = (compilation.Process, (UInt128)compilation.Capacity);
        _bits = Interval.Of(_capacity).Width;
        _facts = compilation.PathRangesOf(_function);
    }

    /// <summary>A move of all bytes behind an offset by a constant, or a change of length that may fill up.</summary>
    /// <param name="Block">Its block.</param>
    /// <param name="Operation">The move, or the change.</param>
    /// <param name="First">The block of the first of the changes of length that a move comes with.</param>
    /// <param name="Before">The number of that in its block, or of the move or change that is alone.</param>
    private sealed record Shift(Block Block, Operation Operation, Block First, int Before)
    {
        public bool IsMove => Operation.Opcode == Opcode.FrameMove;

        public UInt128 From => IsMove ? ((Constant)Operation.Operands[0]).Bits : 0;

        public UInt128 To => IsMove ? ((Constant)Operation.Operands[1]).Bits : 0;
    }

    /// <summary>A checksum behind a move or a change of length.</summary>
    /// <param name="Block">Its block.</param>
    /// <param name="Operation">The checksum.</param>
    /// <param name="Start">The first of its bytes that have moved, where it is now.</param>
    /// <param name="Between">The values from those changes of length up to the checksum.</param>
    /// <param name="MayPassEnd">True if it may cover bytes with which the frame was filled up.</param>
    private sealed record Sum(
        Block Block, Operation Operation, UInt128 Start, HashSet<Value> Between, bool MayPassEnd)
    {
        public UInt128 First => ((Constant)Operation.Operands[0]).Bits;

        public Value Count => Operation.Operands[1];
    }

    /// <summary>Moves all that can be; true if there were any.</summary>
    /// <param name="compilation">The service; blocks behind a side exit are left as they are.</param>
    public static bool Run(Compilation compilation)
    {
        var changed = false;
        while (new MovedSums(compilation).MoveOne()) changed = true;
        return changed;
    }

    private bool MoveOne()
    {
        foreach (var block in PathDivision.FastBlocks(_function))
        {
            foreach (var operation in block.Operations.FindAll(each => IsByConstant(each) || MayFill(each, block)))
            {
                var (first, before) = FirstChange(block, operation);
                var shift = new Shift(block, operation, first, before);
                if (SumBehind(shift) is { } sum && TryMove(shift, sum)) return true;
            }
        }
        return false;
    }

    private static bool IsByConstant(Operation operation) =>
        operation is { Opcode: Opcode.FrameMove, Operands: [Constant from, Constant to, _] } && from.Bits != to.Bits;

    private bool MayFill(Operation operation, Block block) =>
        operation is { Opcode: Opcode.FrameResize, Operands: [var old, var length] }
        && Form(old, block).Minus(Form(length, block)) is var less
        && !(less.IsNumber && less.Number < (UInt128.One << _bits) - _capacity);

    /// <summary>
    /// The first of the changes of length that are in front of a move, on the one way that leads to it, with nothing
    /// between but writes of bytes that do not move; or the operation alone.
    /// </summary>
    private static (Block Block, int Index) FirstChange(Block block, Operation operation)
    {
        var first = (block, block.Operations.IndexOf(operation));
        if (operation is not { Opcode: Opcode.FrameMove, Operands: [Constant { Bits: var from }, ..] }) return first;
        for (var (at, index) = first; at is not null; at = OnlyBefore(at), index = at?.Operations.Count ?? 0)
        {
            while (--index >= 0)
            {
                if (at.Operations[index].Opcode == Opcode.FrameResize) first = (at, index);
                else if (!IsBeside(at.Operations[index]) && !IsInFront(at.Operations[index], from)) return first;
            }
        }
        return first;
    }

    /// <summary>
    /// The block in front of one, from which all ways that end in no fault lead there; null if none is.
    /// </summary>
    private static Block? OnlyBefore(Block block) =>
        block.Predecessors is [var before] && Edges.OnlyNext(before) == block ? before : null;

    /// <summary>True if an operation writes bytes in front of an offset, and no others.</summary>
    private static bool IsInFront(Operation operation, UInt128 offset) =>
        operation is { Opcode: Opcode.FrameWrite, Operands: [Constant { Bits: var place }, var data] }
        && place + (UInt128)(data.Width / 8) <= offset;

    private static bool IsBeside(Operation operation) =>
        !operation.WritesFrame && operation.Opcode is not (Opcode.Send or Opcode.Wait or Opcode.Call);

    /// <summary>
    /// The first checksum of a computed length behind a move, on all ways that do not end in a fault, if from the last
    /// byte on that was written behind the move it covers moved bytes only; null else.
    /// </summary>
    private Sum? SumBehind(Shift shift)
    {
        var between = new HashSet<Value>(ReferenceEqualityComparer.Instance);
        var written = UInt128.Zero;
        var length = LengthInFront(shift);
        var first = shift.Before;
        var (isBehind, changes) = (false, 0);
        foreach (var (block, isOnEachWay) in Ways(shift.First))
        {
            if (block != shift.First) between.UnionWith(block.Phis);
            foreach (var operation in block.Operations.Skip(first))
            {
                switch (operation)
                {
                    case { Opcode: Opcode.FrameSum or Opcode.FrameResize } when !isOnEachWay:
                        return null;
                    case { Opcode: Opcode.FrameSum, Operands: [Constant { Bits: var offset }, not Constant] }
                        when isBehind:
                        var start = UInt128.Max(offset, shift.To);
                        var isAll = shift.IsMove && length is not null && IsEndOf(shift, length, block);
                        return (isAll || !shift.IsMove || changes == 1 && TakesAll(shift))
                            && written <= start && IsAtLeast(operation.Operands[1], start - offset, block)
                                ? new Sum(block, operation, start, between, !isAll)
                                : null;
                    case { Opcode: Opcode.FrameWrite, Operands: [Constant, _] } when !isBehind:
                        break;
                    case { Opcode: Opcode.FrameWrite, Operands: [Constant { Bits: var place }, var data] }:
                        written = UInt128.Max(written, place + (UInt128)(data.Width / 8));
                        break;
                    case { Opcode: Opcode.FrameResize } when shift.IsMove:
                        length = operation.Operands[1];
                        if (isBehind) changes++;
                        break;
                    case var _ when operation == shift.Operation:
                        isBehind = true;
                        break;
                    case var _ when !IsBeside(operation):
                        return null;
                }
                between.Add(operation);
            }
            first = 0;
        }
        return null;
    }

    /// <summary>
    /// The blocks behind one on the ways that do not end in a fault, as far as these come together again, and whether
    /// each of them passes a block: a byte is written with one of two numbers.
    /// </summary>
    private static IEnumerable<(Block Block, bool IsOnEachWay)> Ways(Block first)
    {
        for (Block? block = first; block is not null;)
        {
            yield return (block, true);
            var next = Edges.OnlyNext(block);
            if (next is null && block.Terminator is Branch branch)
            {
                var ways = branch.Successors.Where(to => to.Predecessors.Count == 1).ToList();
                var ends = branch.Successors.Select(to => ways.Contains(to) ? (to.Terminator as Jump)?.Target : to);
                if (ends.Distinct().ToList() is [{ Predecessors.Count: 2 } join])
                {
                    foreach (var way in ways) yield return (way, false);
                    next = join;
                }
            }
            block = next;
        }
    }

    /// <summary>The length that the frame has in front of the changes of length; null if they do not say.</summary>
    private static Value? LengthInFront(Shift shift) =>
        shift.First.Operations[shift.Before] is { Opcode: Opcode.FrameResize } change ? change.Operands[0] : null;

    /// <summary>True if the frame ends where the bytes end that were moved.</summary>
    private bool IsEndOf(Shift shift, Value length, Block block) =>
        Form(length, block) == Form(shift.Operation.Operands[2], block).Plus(shift.To);

    /// <summary>
    /// True if a move takes all bytes behind its place that the frame had in front of changes of length.
    /// </summary>
    private bool TakesAll(Shift shift) => LengthInFront(shift) is { } length
        && Form(length, shift.Block) == Form(shift.Operation.Operands[2], shift.Block).Plus(shift.From);

    private bool IsAtLeast(Value count, UInt128 least, Block block) =>
        _facts.At(block, count).Min >= least
        || Form(count, block).Minus(LinearForm.Of(_bits, least)).Least(part => _facts.AtChoice(block, part)) >= 0;

    private LinearForm Form(Value value, Block block) =>
        LinearForm.Of(value, _bits, part => _facts.AtChoice(block, part), _ => null);

    private bool TryMove(Shift shift, Sum sum)
    {
        var made = new List<Operation>();
        var n = new OperationList(made) { Location = sum.Operation.Location };
        if (Again(sum.Count, sum.Between, n) is not { } count) return false;
        var headers = sum.Start - sum.First;
        var start = sum.Start - shift.To + shift.From;
        var rest = n.Subtract(count, new Constant(count.Width, headers));
        var offset = sum.Operation.Operands[0];
        var before = new Operation(
            Opcode.FrameSum, WordBits, new Constant(offset.Width, start), Within(shift, start, rest, sum.MayPassEnd, n))
        {
            Location = sum.Operation.Location,
        };
        made.Add(before);
        shift.First.Operations.InsertRange(shift.Before, made);
        var behind = new List<Operation>();
        var total = headers == 0 ? before : Added(new OperationList(behind), sum, headers, before);
        var at = sum.Block.Operations.IndexOf(sum.Operation);
        sum.Block.Operations.RemoveAt(at);
        sum.Block.Operations.InsertRange(at, behind);
        var known = new Substitution();
        known.Add(sum.Operation, total);
        known.Apply(_function);
        return true;
    }

    /// <summary>
    /// A number of bytes from an offset on, or as many of them as the frame has: what it was filled up with is 0.
    /// </summary>
    private Value Within(Shift shift, UInt128 start, Value count, bool mayPassEnd, OperationList n)
    {
        if (LengthInFront(shift) is not { } length || !mayPassEnd && TakesAll(shift)) return count;
        var there = n.Resize(length, count.Width);
        var first = new Constant(count.Width, start);
        var most = n.Select(n.Less(there, first), FoldingBuilder.Zero(count.Width), n.Subtract(there, first));
        return n.Select(n.Less(most, count), most, count);
    }

    /// <summary>A value computed once more from those of before; null if it depends on what is read since.</summary>
    private static Value? Again(Value value, HashSet<Value> between, OperationList n)
    {
        if (!between.Contains(value)) return value;
        if (value is not Operation { ReadsState: false } operation) return null;
        var operands = operation.Operands.ConvertAll(operand => Again(operand, between, n));
        return operands.Contains(null) ? null : n.Make(
            new Operation(operation.Opcode, operation.Width, operands!)
            {
                Low = operation.Low,
                Input = operation.Input,
                Location = operation.Location,
            });
    }

    /// <summary>
    /// The sum of the headers that were made, and of the rest. Behind an odd number of bytes those of each word of the
    /// rest are the other way round, and so are those of its sum (RFC 1071 §2 (B)).
    /// </summary>
    private static Value Added(OperationList n, Sum sum, UInt128 headers, Value rest)
    {
        n.Location = sum.Operation.Location;
        const int Half = WordBits / 2;
        if (headers % 2 == 1) rest = n.Concat(n.Extract(rest, 0, Half), n.Extract(rest, Half, Half));
        var offset = sum.Operation.Operands[0];
        var first = n.Make(new Operation(Opcode.FrameSum, WordBits, offset, new Constant(sum.Count.Width, headers))
        {
            Location = sum.Operation.Location,
        });
        return n.Make(
            Opcode.OnesSum, WordBits, n.Add(n.Resize(first, WordBits + 1), n.Resize(rest, WordBits + 1)));
    }
}
