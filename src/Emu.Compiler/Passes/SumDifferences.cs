using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Takes writes at computed places out of the way of a checksum over them (finite differencing, Paige and Koenig 1982;
/// of checksums, RFC 1624): it is that of the bytes as they were, less the bytes that were there, and those that are
/// there now. So it is summed as the frame passes, wherever the write is.
/// </summary>
/// <remarks>
/// Less is the ones' complement more, so of the two zeros of that arithmetic it may be the other one. Where something
/// else that is not 0 is added before carries are folded, as a protocol's number and a length are, that makes no
/// difference; elsewhere it is left as it is.
/// </remarks>
internal sealed class SumDifferences
{
    private const int WordBits = 16;

    /// <summary>The most operations of a block that is copied.</summary>
    private const int MostOperations = 64;

    private readonly Function _function;
    private readonly PathRanges _facts;
    private readonly UInt128 _capacity;

    private SumDifferences(Compilation compilation)
    {
        (_function, _capacity) = (compilation.Process, (UInt128)compilation.Capacity);
        _facts = compilation.PathRangesOf(_function);
    }

    /// <summary>Makes the sums.</summary>
    /// <param name="compilation">The service; blocks behind a side exit are left as they are.</param>
    /// <returns>True if there were any.</returns>
    public static bool Run(Compilation compilation)
    {
        var changed = false;
        while (new SumDifferences(compilation).MakeOne()) changed = true;
        return changed;
    }

    private bool MakeOne()
    {
        foreach (var block in PathDivision.FastBlocks(_function))
        {
            foreach (var write in block.Operations.FindAll(IsComputed))
            {
                if (SumBehind(block, write) is not var (at, sum))
                {
                    if (JoinBehind(block) is not { } join) continue;
                    // Each way has a sum of its own (tail duplication).
                    new ThreadedBlock(_function, join).Duplicate();
                    return true;
                }
                if (!IsAddedToMore(at, sum)) continue;
                Make(block, write, at, sum);
                return true;
            }
        }
        return false;
    }

    private static bool IsComputed(Operation operation) =>
        operation is { Opcode: Opcode.FrameWrite, Operands: [not Constant, _] };

    /// <summary>
    /// The checksum that looks at bytes of a write first, on the one way from it that does not end in a fault; null if
    /// the bytes are looked at or written before, or moved.
    /// </summary>
    private (Block Block, Operation Sum)? SumBehind(Block block, Operation write)
    {
        var least = _facts.At(block, write.Operands[0]).Min;
        var first = block.Operations.IndexOf(write) + 1;
        for (var at = block; at is not null; at = Edges.OnlyNext(at))
        {
            foreach (var operation in at.Operations.Skip(first))
            {
                switch (operation)
                {
                    case { Opcode: Opcode.FrameSum, Operands: [Constant, Constant] } when EndOf(operation) <= least:
                    case { Opcode: Opcode.FrameRead or Opcode.FrameWrite, Operands: [Constant, ..] }
                        when EndOf(operation) <= least:
                        break;
                    case { Opcode: Opcode.FrameWrite, Operands: [not Constant, _] }
                        when IsBeside(write, operation, at):
                        break;
                    case { Opcode: Opcode.FrameSum, Operands: [Constant, not Constant] }:
                        return (at, operation);
                    case { Opcode: Opcode.FrameRead or Opcode.FrameSum or Opcode.FrameFold or Opcode.Send }:
                    case { WritesFrame: true } or { Opcode: Opcode.Wait or Opcode.Call }:
                        return null;
                }
            }
            first = 0;
        }
        return null;
    }

    private static UInt128 EndOf(Operation access) => ((Constant)access.Operands[0]).Bits + (
        access.Opcode == Opcode.FrameSum ? ((Constant)access.Operands[1]).Bits
        : (UInt128)((access.Opcode == Opcode.FrameWrite ? access.Operands[1].Width : access.Width) / 8));

    /// <summary>True if two writes at computed places have no byte in common.</summary>
    private bool IsBeside(Operation write, Operation other, Block block)
    {
        LinearForm Form(Value value) => LinearForm.Of(
            value, Interval.Of(_capacity).Width, part => _facts.At(block, part), _ => null);
        var apart = Form(other.Operands[0]).Minus(Form(write.Operands[0]));
        if (!apart.IsNumber) return false;
        var whole = UInt128.One << Interval.Of(_capacity).Width;
        return apart.Number >= (UInt128)(write.Operands[1].Width / 8)
            && whole - apart.Number >= (UInt128)(other.Operands[1].Width / 8);
    }

    /// <summary>
    /// A block with a checksum that several ways lead to, one of them from a block without a choice; null if there is
    /// none.
    /// </summary>
    private Block? JoinBehind(Block block)
    {
        while (Edges.OnlyNext(block) is { } next) block = next;
        return block.Terminator is Jump { Target: { Predecessors.Count: > 1 } join }
            && join.Operations.Count <= MostOperations
            && join.Operations.Exists(operation =>
                operation is { Opcode: Opcode.FrameSum, Operands: [Constant, not Constant] })
            && Loop.All(_function).TrueForAll(loop => !loop.Body.Contains(join))
                ? join
                : null;
    }

    /// <summary>
    /// True if a sum is used only where it is added to what is not 0, before carries are folded.
    /// </summary>
    private bool IsAddedToMore(Block block, Operation sum)
    {
        var alone = new HashSet<Value>(ReferenceEqualityComparer.Instance) { sum };
        var added = new HashSet<Value>(ReferenceEqualityComparer.Instance);
        bool IsPart(Value value) => alone.Contains(value) || added.Contains(value);
        foreach (var at in _function.Blocks())
        {
            if (at.Phis.Exists(phi => phi.Operands.Exists(IsPart)) || Verifier.UsedBy(at.Terminator).Any(IsPart))
                return false;
            foreach (var use in at.Operations.Where(operation => operation.Operands.Exists(IsPart)))
            {
                switch (use)
                {
                    case { Opcode: Opcode.Concat, Operands: [Constant { Bits: var zeros }, var low] } when zeros == 0:
                        (added.Contains(low) ? added : alone).Add(use);
                        break;
                    case { Opcode: Opcode.Add, Operands: [var a, var b] } when OnesComplementSums.Terms(use).Count > 1
                        && (added.Contains(a) || added.Contains(b)
                            || _facts.At(block, alone.Contains(a) ? b : a).Min > 0):
                        added.Add(use);
                        break;
                    case { Opcode: Opcode.OnesSum, Operands: [var all] } when added.Contains(all):
                        break;
                    default:
                        return false;
                }
            }
        }
        return added.Count > 0;
    }

    /// <summary>Writes behind the sum, to which the difference is added.</summary>
    private void Make(Block block, Operation write, Block at, Operation sum)
    {
        var (place, data) = (write.Operands[0], write.Operands[1]);
        var index = block.Operations.IndexOf(write);
        var was = new Operation(Opcode.FrameRead, data.Width, place) { Location = write.Location };
        block.Operations[index] = was;
        var made = new List<Operation>();
        var n = new OperationList(made) { Location = sum.Location };
        var before = new Operation(Opcode.FrameSum, sum.Width, sum.Operands) { Location = sum.Location };
        var bits = Math.Max(sum.Operands[0].Width, Math.Max(place.Width, sum.Operands[1].Width));
        var first = n.Subtract(n.Resize(place, bits), n.Resize(sum.Operands[0], bits));
        var length = n.Resize(sum.Operands[1], bits + 1);
        Value Words(Value bytes)
        {
            var octets = Enumerable.Range(0, data.Width / 8).Select(i => n.Select(
                n.Less(n.Add(n.Resize(first, length.Width), new Constant(length.Width, (UInt128)i)), length),
                n.Extract(bytes, data.Width - 8 * (i + 1), 8), FoldingBuilder.Zero(8))).ToList();
            if (octets.Count % 2 == 1) octets.Add(FoldingBuilder.Zero(8));
            return octets.Chunk(2).Select(pair => n.Concat(pair[0], pair[1])).Aggregate((a, b) => Sum(n, a, b));
        }
        var (less, more) = (Words(was), Words(data));
        var difference = Sum(n, n.Not(less), more);
        // At an odd place the bytes of a word are the other way round.
        var turned = n.Concat(n.Extract(difference, 0, 8), n.Extract(difference, 8, 8));
        difference = n.Select(n.Extract(first, 0, 1), turned, difference);
        var total = Sum(n, before, difference);
        var behind = at.Operations.IndexOf(sum);
        at.Operations[behind] = before;
        at.Operations.InsertRange(behind + 1, [write, .. made]);
        var known = new Substitution();
        known.Add(sum, total);
        known.Apply(_function);
    }

    private static Value Sum(OperationList n, Value a, Value b) =>
        n.Make(Opcode.OnesSum, WordBits, n.Add(n.Resize(a, WordBits + 1), n.Resize(b, WordBits + 1)));
}
