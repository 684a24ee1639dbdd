using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Splits a loop over all bytes of a frame and some that were put behind it, as a checksum over a new trailer (index
/// set splitting; Griebl, Feautrier and Lengauer 2000): the bytes that came are gone over as they pass, in front of
/// where the frame grows, and the few turns over new bytes are written out behind that.
/// </summary>
internal sealed class SplitFolds
{
    /// <summary>The most turns that are written out.</summary>
    private const int MostTurns = 16;

    /// <summary>The bits in which places are compared: more than any length has.</summary>
    private const int FormBits = 32;

    private readonly Function _function;
    private readonly PathRanges _facts;
    private readonly HashSet<Block> _repeated;
    private readonly WrittenState _written;

    private SplitFolds(Compilation compilation)
    {
        _function = compilation.Process;
        _facts = compilation.PathRangesOf(_function);
        _repeated = Loop.All(_function).SelectMany(loop => loop.Body).ToHashSet();
        _written = new WrittenState(_function);
    }

    /// <summary>The change of length behind which a loop goes over new bytes.</summary>
    /// <param name="Block">The block of the change.</param>
    /// <param name="Resize">The operation.</param>
    /// <param name="Octets">The new bytes that the loop goes over.</param>
    private sealed record Growth(Block Block, Operation Resize, IReadOnlyList<Value> Octets);

    /// <summary>Splits the loops.</summary>
    /// <param name="compilation">The service; blocks behind a side exit are left as they are.</param>
    /// <returns>True if there were any.</returns>
    public static bool Run(Compilation compilation)
    {
        var blocks = PathDivision.FastBlocks(compilation.Process);
        bool Has(Opcode opcode) => blocks.Exists(block => block.Operations.Exists(o => o.Opcode == opcode));
        return Has(Opcode.FrameFold) && Has(Opcode.FrameResize) && new SplitFolds(compilation).Split(blocks);
    }

    private bool Split(List<Block> blocks)
    {
        var known = new Substitution();
        var changed = false;
        foreach (var block in blocks.Where(block => !_repeated.Contains(block)))
        {
            foreach (var fold in block.Operations.FindAll(IsSimple))
            {
                if (GrowthOf(block, fold) is not { } growth) continue;
                Split(block, fold, growth, known);
                changed = true;
            }
        }
        known.Apply(_function);
        return changed;
    }

    /// <summary>True of a loop that ends at its bound alone, and begins with constants.</summary>
    private static bool IsSimple(Operation operation) =>
        operation is { Opcode: Opcode.FrameFold, Fold: { Bytes: 1, Bounds: 1, Found: 0, Words: 0, IsWalk: false } fold }
        && !fold.UsesOffset && fold.Turn.IsLeft == fold.BoundParameters[0]
        && operation.Operands.Index().All(operand => operand.Index == 1 || operand.Item is Constant);

    /// <summary>The change of length in front of a loop that goes over new bytes; null if there is none.</summary>
    private Growth? GrowthOf(Block block, Operation fold)
    {
        var writes = new List<(Block Block, Operation Write)>();
        for (var at = block; ; at = at.Predecessors[0])
        {
            var first = at == block ? at.Operations.IndexOf(fold) : at.Operations.Count;
            for (var i = first - 1; i >= 0; i--)
            {
                var operation = at.Operations[i];
                if (operation.Opcode == Opcode.FrameResize) return GrowthOf(block, fold, at, operation, writes);
                if (operation.Opcode == Opcode.FrameWrite) writes.Add((at, operation));
                else if (operation.WritesFrame || operation.Opcode is Opcode.Wait or Opcode.Call) return null;
            }
            if (at.Predecessors is not [var above] || _repeated.Contains(above)) return null;
        }
    }

    private Growth? GrowthOf(
        Block block, Operation fold, Block at, Operation resize, List<(Block Block, Operation Write)> writes)
    {
        var before = _written.AtStart(at);
        foreach (var operation in at.Operations.TakeWhile(operation => operation != resize)) before.Note(operation);
        if (!before.IsFirst(fold)) return null;
        // Bytes behind the frame are 0 until they are written.
        var end = FormOf(at, resize.Operands[0]);
        if (_facts.At(at, resize.Operands[0]).Min < ((Constant)fold.Operands[0]).Bits) return null;
        var turns = FormOf(block, fold.Operands[1]).Minus(end);
        if (!turns.IsNumber || turns.Number == 0 || turns.Number > MostTurns) return null;
        var octets = Enumerable.Repeat<Value>(FoldingBuilder.Zero(8), (int)turns.Number).ToList();
        return Enumerable.Reverse(writes).All(each => Put(each, end, octets)) ? new Growth(at, resize, octets) : null;
    }

    /// <summary>Puts written bytes among new ones; false if it is not known that they are behind the frame.</summary>
    private bool Put((Block Block, Operation Write) each, LinearForm end, List<Value> octets)
    {
        var place = FormOf(each.Block, each.Write.Operands[0]).Minus(end);
        if (!place.IsNumber || place.Number > MostTurns) return false;
        var data = each.Write.Operands[1];
        for (var i = 0; i < data.Width / 8 && (int)place.Number + i < octets.Count; i++)
        {
            var octet = new Operation(Opcode.Extract, 8, data)
            {
                Low = data.Width - 8 * (i + 1),
                Location = each.Write.Location,
            };
            each.Block.Operations.Insert(each.Block.Operations.IndexOf(each.Write), octet);
            octets[(int)place.Number + i] = octet;
        }
        return true;
    }

    private LinearForm FormOf(Block block, Value value) => LinearForm.Of(
        value, FormBits, part => _facts.AtChoice(block, part), _ => null);

    private static void Split(Block block, Operation fold, Growth growth, Substitution known)
    {
        var made = new List<Operation>();
        var n = new OperationList(made) { Location = fold.Location };
        var end = n.Resize(growth.Resize.Operands[0], FrameFold.OffsetBits);
        var front = new Operation(
            Opcode.FrameFold, fold.Width, [fold.Operands[0], end, .. fold.Operands.Skip(2)])
        {
            Fold = fold.Fold,
            Location = fold.Location,
        };
        made.Add(front);
        growth.Block.Operations.InsertRange(growth.Block.Operations.IndexOf(growth.Resize), made);
        var behind = new List<Operation>();
        n = new OperationList(behind) { Location = fold.Location };
        var turn = fold.Fold!;
        var invariants = fold.Operands.Skip(2).Take(turn.Invariants).ToList();
        var state = turn.StateParameters.Select(
            (part, number) => n.Extract(front, turn.LowOf(number), part.Width)).ToList();
        foreach (var octet in growth.Octets)
        {
            var copy = new TurnCopy(
                n, turn,
                [octet, FoldingBuilder.Zero(FrameFold.OffsetBits), FoldingBuilder.Bit(false), .. invariants, .. state]);
            state = [.. copy.Next];
        }
        var result = state.Aggregate(n.Concat);
        block.Operations.InsertRange(block.Operations.IndexOf(fold), behind);
        block.Operations.Remove(fold);
        known.Add(fold, result);
    }
}
