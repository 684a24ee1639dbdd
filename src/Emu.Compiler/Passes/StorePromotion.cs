using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// State that a loop over the frame's bytes writes at one place is a value in the loop, and is written where the loop
/// is left, if a turn has written it (scalar replacement of elements whose stores are conditional; Carr and Kennedy
/// 1994, <em>Scalar replacement in the presence of conditional control flow</em>). So a loop that takes fields of a
/// message into a table's row only computes.
/// </summary>
internal sealed class StorePromotion
{
    private readonly Loop _loop;
    private readonly List<Operation> _writes;
    private readonly HashSet<Value> _defined;

    private StorePromotion(Loop loop)
    {
        _loop = loop;
        _defined = loop.Body.SelectMany(block => block.Phis.Concat<Value>(block.Operations))
            .ToHashSet<Value>(ReferenceEqualityComparer.Instance);
        _writes = [.. loop.Body.SelectMany(block => block.Operations).Where(IsWrite)];
    }

    /// <summary>Promotes what loops write that only compute then.</summary>
    /// <param name="compilation">The service; what it does with a frame is changed.</param>
    /// <param name="blocks">The blocks in which loops are looked for.</param>
    /// <returns>True if there were any.</returns>
    public static bool Run(Compilation compilation, IReadOnlySet<Block> blocks)
    {
        var function = compilation.Process;
        var written = ConstantState.Written(compilation.Functions);
        var changed = false;
        foreach (var loop in Loop.Outermost(function).Where(loop => blocks.Contains(loop.Header)))
        {
            if (!loop.Body.Any(ParseRegion.HasRead)) continue;
            var promotion = new StorePromotion(loop);
            if (!promotion.MayBe(written)) continue;
            promotion.Promote(function);
            changed = true;
        }
        if (changed) Verifier.Verify(function, "state that loops write is promoted");
        return changed;
    }

    private static bool IsWrite(Operation operation) => operation.Opcode is Opcode.RegisterWrite or Opcode.MemoryWrite;

    /// <summary>True if the loop only computes but for its writes, each part of the state at one place.</summary>
    private bool MayBe(IReadOnlySet<StateElement> written)
    {
        if (_writes.Count == 0) return false;
        bool IsAtOnePlace(Operation write) => write.State.Count == 1
            && write.Operands.SkipLast(1).All(index => !_defined.Contains(index))
            && _writes.FindAll(other => other.State[0] == write.State[0])
                .TrueForAll(other => write.Operands.SkipLast(1).Zip(other.Operands)
                    .All(pair => Constant.AreSame(pair.First, pair.Second)));
        return _writes.TrueForAll(IsAtOnePlace) && _loop.Body.All(block => block.Operations.TrueForAll(operation =>
            ByteLoop.OnlyComputes(operation) || CountPromotion.IsCount(operation)
            || ConstantLookup.Is(operation, written) || IsWrite(operation)));
    }

    private void Promote(Function function)
    {
        var body = function.Blocks().FindAll(_loop.Body.Contains);
        var before = Edges.Join(_loop.Header, from => !_loop.Body.Contains(from));
        var exits = body.SelectMany(from => from.Terminator!.Successors.Distinct()
            .Where(to => !_loop.Body.Contains(to)).Select(to => (From: from, To: to))).ToList();
        // What is written in the same blocks has been written by the same turns.
        var groups = _writes.GroupBy(write => write.State[0])
            .GroupBy(writes => string.Join(' ', body.Index()
                .Where(each => each.Item.Operations.Intersect(writes).Any()).Select(each => each.Index)))
            .Select(group => (
                IsWritten: IsWritten(body, group.First(), before),
                Parts: group.Select(writes => (Write: writes.First(), Value: ValueOf(writes, body, before))).ToList()))
            .ToList();
        foreach (var (from, to) in exits)
        {
            var at = Edges.Join(to, way => way == from);
            foreach (var (isWritten, parts) in groups)
                at = WriteBack(
                    at, isWritten.AtEnd(from), parts.ConvertAll(part => (part.Write, part.Value.AtEnd(from))));
        }
        foreach (var block in body) block.Operations.RemoveAll(IsWrite);
    }

    /// <summary>Finds the bit that is 1 once a turn has written.</summary>
    private static Definitions IsWritten(List<Block> body, IEnumerable<Operation> writes, Block before)
    {
        var atEnd = body.Where(block => block.Operations.Intersect(writes).Any())
            .ToDictionary<Block, Block, Value>(block => block, _ => FoldingBuilder.Bit(true));
        atEnd[before] = FoldingBuilder.Bit(false);
        return new Definitions(1, atEnd);
    }

    /// <summary>Finds the value that a part of the state was given last by the turns until then.</summary>
    private static Definitions ValueOf(IEnumerable<Operation> writes, List<Block> body, Block before)
    {
        var atEnd = body.Where(block => block.Operations.Intersect(writes).Any())
            .ToDictionary(block => block, block => block.Operations.Intersect(writes).Last().Operands[^1]);
        var width = atEnd.Values.First().Width;
        atEnd[before] = FoldingBuilder.Zero(width);
        return new Definitions(width, atEnd);
    }

    /// <summary>Writes values at the end of a block, if a condition holds; gives the block behind that.</summary>
    private static Block WriteBack(Block at, Value isWritten, List<(Operation Write, Value Value)> parts)
    {
        if (Constant.Is(isWritten, 0)) return at;
        var (to, rest) = (at, at);
        if (isWritten is not Constant)
        {
            rest = Edges.Split(at, at.Operations.Count);
            to = new Block { Terminator = new Jump(rest) };
            to.Predecessors.Add(at);
            rest.Predecessors.AddRange([to, at]);
            at.Terminator = new Branch(isWritten, to, rest);
        }
        foreach (var (write, value) in parts)
        {
            to.Operations.Add(new Operation(write.Opcode, write.Width, [.. write.Operands.SkipLast(1), value])
            {
                State = [.. write.State],
                Location = write.Location,
            });
        }
        return rest;
    }
}
