using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// Bounds loops of which the ranges of values say how many turns they take at most, such as one over the records of a
/// message that has been found to have no more than 25: a test by a constant stands in front of theirs, and so they
/// are written out (maximum trip counts, from symbolic ranges; Blume and Eigenmann 1995).
/// </summary>
internal sealed class TripCounts
{
    /// <summary>The most turns of such a loop.</summary>
    private const int MostTurns = 64;

    /// <summary>The most operations of all turns: of a loop that is larger, the circuit is as well.</summary>
    private const int MostOperations = 2000;

    /// <summary>
    /// The most writes of memories in all turns: a pipeline has no more places for those of one. Where each turn has
    /// another column of a row, the array is taken apart (<see cref="Delinearisation"/>).
    /// </summary>
    private const int MostWrites = 8;

    private readonly PathRanges _facts;
    private readonly Dominators _dominators;

    /// <summary>The state that a loop which is one operation goes over, or that a selector chooses.</summary>
    private readonly Lazy<HashSet<StateElement>> _whole;

    /// <param name="compilation">The service; what it does with a frame is looked at as it is now.</param>
    public TripCounts(Compilation compilation)
    {
        _facts = compilation.PathRangesOf(compilation.Process);
        _dominators = new Dominators(compilation.Process);
        _whole = new(() => [.. compilation.Functions.SelectMany(function => function.Blocks())
            .SelectMany(block => block.Operations).Where(IsOfWhole).SelectMany(operation => operation.State)]);
    }

    private static bool IsOfWhole(Operation operation) =>
        operation.Opcode is not (Opcode.MemoryRead or Opcode.MemoryWrite) || operation.State.Count > 1;

    /// <summary>Bounds loops.</summary>
    /// <param name="compilation">The service; what it does with a frame is changed.</param>
    /// <param name="isTaken">True of a loop that is to be bounded if it can be; it may remove what cannot be.</param>
    /// <param name="mostTurns">The most turns of one.</param>
    /// <returns>True if there were any.</returns>
    public static bool Run(Compilation compilation, Predicate<Loop> isTaken, int mostTurns = MostTurns)
    {
        var function = compilation.Process;
        var counts = new TripCounts(compilation);
        var loops = Loop.All(function).FindAll(loop => counts.EndOf(loop)?.Turns <= mostTurns && isTaken(loop));
        if (loops.Count == 0) return false;
        Edges.ForgetUnreachable(function);
        counts = new TripCounts(compilation);
        foreach (var end in loops.Select(counts.EndOf).OfType<End>().ToList()) Bound(end);
        Verifier.Verify(function, "loops have a constant bound");
        return true;
    }

    /// <summary>True if a loop can be bounded.</summary>
    public bool IsBounded(Loop loop) => EndOf(loop) is not null;

    /// <summary>The test that ends a loop first of all; null where none says when.</summary>
    private End? EndOf(Loop loop)
    {
        var latches = loop.Header.Predecessors.FindAll(loop.Body.Contains);
        End? first = null;
        foreach (var block in loop.Body)
        {
            if (block.Terminator is not Branch branch
                || !latches.TrueForAll(from => _dominators.Dominates(block, from)))
                continue;
            var staysIf = loop.Body.Contains(branch.Then);
            if (staysIf != loop.Body.Contains(branch.Else)
                && TurnsUpTo(loop, block, branch.Condition, staysIf) is { } turns && !(turns >= first?.Turns))
                first = new End(loop, block, staysIf ? branch.Else : branch.Then, turns);
        }
        return first is not null && IsSmall(first) ? first : null;
    }

    private bool IsSmall(End end)
    {
        var operations = end.Loop.Body.SelectMany(block => block.Operations).ToList();
        return end.Turns * operations.Count <= MostOperations
            && end.Turns * operations.Count(o => o.Opcode == Opcode.MemoryWrite && !IsInColumn(o, end)) <= MostWrites;
    }

    /// <summary>
    /// True if an index is that of a row and a column that the loop counts, with columns for all turns in a row.
    /// </summary>
    private bool IsInColumn(Operation write, End end)
    {
        if (_whole.Value.Contains(write.State[0])) return false;
        var index = write.Operands[0];
        var form = LinearForm.Of(index, index.Width, part => _facts.AtOperand(write, part), _ => null);
        var columns = form.StrideOf(value => !IsCounted(value));
        var step = form.StrideOf(IsCounted);
        return columns != 0 && step != 0 && step * (UInt128)end.Turns <= columns;

        bool IsCounted(Value value) =>
            value is Phi phi && phi.Block == end.Loop.Header && StepOf(end.Loop, phi) is { By: var by } && by == 1;
    }

    /// <summary>The most times that a test finds that a loop goes on; null where that is not known.</summary>
    private int? TurnsUpTo(Loop loop, Block block, Value condition, bool staysIf)
    {
        if (condition is not Operation { Opcode: Opcode.LessSigned or Opcode.LessUnsigned } less) return null;
        // While the count is less than the bound, or as long as the bound is not less than the count.
        var (counted, bound) = staysIf ? (less.Operands[0], less.Operands[1]) : (less.Operands[1], less.Operands[0]);
        if (SumOf(counted) is not { } sum || sum.Phi.Block != loop.Header || StepOf(loop, sum.Phi) is not { } step)
            return null;
        var start = OnWays(loop.Header, from => !loop.Body.Contains(from), way => sum.Phi.Operands[way]);
        // A loop that counts from one constant to another is unrolled, or was too large for that.
        if (bound is Constant && start.Min == start.Max) return null;
        var most = MostOf(loop, block, bound);
        var (least, end) = (start.Min + sum.Offset, staysIf ? most : most + 1);
        var turns = end <= least ? 0 : (end - least + step.By - 1) / step.By;
        if (turns > MostTurns) return null;
        // No test before that, and no turn, has lost bits, so each test compares what has been counted.
        var (last, highest) = (start.Max + turns * step.By, Arithmetic.Mask(
            less.Operands[0].Width - (less.Opcode == Opcode.LessSigned ? 1 : 0)));
        return last <= sum.Most && last + sum.Offset <= highest && most <= highest
            && (turns == 0 || last - step.By <= step.Most)
                ? (int)turns
                : null;
    }

    /// <summary>
    /// The constant by which a phi grows in every turn, and the most that it may be for that; null if there is none.
    /// </summary>
    private static (UInt128 By, UInt128 Most)? StepOf(Loop loop, Phi phi)
    {
        (UInt128 By, UInt128 Most)? step = null;
        for (var way = 0; way < phi.Operands.Count; way++)
        {
            if (!loop.Body.Contains(loop.Header.Predecessors[way])) continue;
            if (SumOf(phi.Operands[way]) is not { } next || next.Phi != phi || next.Offset == 0) return null;
            if (step is { } before && before.By != next.Offset) return null;
            step = (next.Offset, UInt128.Min(next.Most, step?.Most ?? next.Most));
        }
        return step;
    }

    /// <summary>
    /// A value as a phi and a constant, and the most that the phi may be for it; null for any other.
    /// </summary>
    private static (Phi Phi, UInt128 Offset, UInt128 Most)? SumOf(Value value)
    {
        // The room of a part, with what is added behind it.
        var (offset, rooms) = ((UInt128)0, new List<UInt128>());
        while (true)
        {
            value = AffineForm.WithoutZeros(value);
            rooms.Add(Arithmetic.Mask(value.Width) + offset);
            switch (value)
            {
                case Phi phi:
                    var most = rooms.Min();
                    return most >= offset ? (phi, offset, most - offset) : null;
                case Operation { Opcode: Opcode.Extract, Low: 0, Operands: [var whole] }:
                    value = whole;
                    break;
                case Operation { Opcode: Opcode.Add, Width: <= 64, Operands: [var from, Constant by] } sum
                    when by.Bits <= Arithmetic.Mask(sum.Width - 1):
                    (value, offset) = (from, offset + by.Bits);
                    break;
                default:
                    return null;
            }
        }
    }

    /// <summary>
    /// The most that a bound is where it is asked for: what is the same in all turns is what it was in front of them,
    /// and a phi is what comes by one of its ways.
    /// </summary>
    private UInt128 MostOf(Loop loop, Block block, Value bound)
    {
        var most = _facts.At(block, bound).Max;
        if (bound is Phi phi)
            most = UInt128.Min(most, OnWays(phi.Block, _ => true, way => phi.Operands[way]).Max);
        return loop.Body.Any(inside => ParseStep.Defines(inside, bound))
            ? most
            : UInt128.Min(most, OnWays(loop.Header, from => !loop.Body.Contains(from), _ => bound).Max);
    }

    /// <summary>The numbers that values can be that come to a block by some of its ways.</summary>
    private Interval OnWays(Block to, Predicate<Block> isTaken, Func<int, Value> valueOf) => to.Predecessors.Index()
        .Where(way => isTaken(way.Item)).Select(way => _facts.On(way.Item, to, valueOf(way.Index)))
        .Aggregate((a, b) => a.Join(b));

    /// <summary>Asks in front of a test whether there have been as many turns as there may be.</summary>
    private static void Bound(End end)
    {
        var (header, block) = (end.Loop.Header, end.Block);
        var width = Interval.Of((UInt128)end.Turns + 1).Width;
        var location = ((Branch)block.Terminator!).Condition is Operation condition ? condition.Location : null;
        var turn = new Phi(width, header);
        Operation Make(Opcode opcode, int bits, UInt128 by) =>
            new(opcode, bits, turn, new Constant(width, by)) { Location = location };
        var (next, isBefore) = (Make(Opcode.Add, width, 1), Make(Opcode.LessUnsigned, 1, (UInt128)end.Turns));
        foreach (var from in header.Predecessors)
            turn.Operands.Add(end.Loop.Body.Contains(from) ? next : new Constant(width, 0));
        header.Phis.Add(turn);
        header.Operations.InsertRange(0, [next, isBefore]);
        var test = Edges.Split(block, block.Operations.Count);
        block.Terminator = new Branch(isBefore, test, end.To);
        test.Predecessors.Add(block);
        var way = end.To.Predecessors.IndexOf(test);
        end.To.Predecessors.Add(block);
        foreach (var phi in end.To.Phis) phi.Operands.Add(phi.Operands[way]);
    }

    /// <summary>The test by which a loop ends.</summary>
    /// <param name="Loop">The loop.</param>
    /// <param name="Block">The block that ends with the test; each turn comes to it.</param>
    /// <param name="To">The block that the loop is left to.</param>
    /// <param name="Turns">How often the test may find that the loop goes on.</param>
    private sealed record End(Loop Loop, Block Block, Block To, int Turns);
}
