using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Makes one operation of a loop that copies bytes of a table into the frame, one after the other, and does nothing
/// else (loop idiom recognition): <see cref="Opcode.FrameLoad"/>, which is done as the frame leaves. The table is as
/// the constructor left it, or written by loops alone: by the slow path, since no pipeline does these.
/// </summary>
/// <param name="written">The state that a pipeline may write.</param>
/// <param name="facts">The numbers that values can be at each place.</param>
internal sealed class FrameLoads(IReadOnlySet<StateElement> written, PathRanges facts)
{
    /// <summary>Makes operations of all such loops in what a service does with a frame.</summary>
    /// <param name="compilation">The service, through the passes.</param>
    public static void Run(Compilation compilation)
    {
        var function = compilation.Process;
        var loops = Loop.Innermost(function);
        if (loops.Count == 0) return;
        var loads = new FrameLoads(WrittenOutsideLoops(function), compilation.PathRangesOf(function));
        var changed = false;
        foreach (var loop in loops) changed |= loads.Replace(function, loop);
        if (!changed) return;
        Edges.ForgetUnreachable(function);
        Simplification.Run(function);
    }

    private static HashSet<StateElement> WrittenOutsideLoops(Function function)
    {
        var repeated = Loop.All(function).SelectMany(loop => loop.Body).ToHashSet();
        return ConstantState.Written(function.Blocks().Where(block => !repeated.Contains(block)));
    }

    private bool Replace(Function function, Loop loop)
    {
        if (Parts(loop) is not var (index, count, write, read) || IsUsedOutside(function, loop)) return false;
        var (offset, word) = (write.Operands[0], read.Operands[0]);
        var isCopied = FormOf(loop, write.Operands[1]) == LinearForm.Itself(write.Operands[1].Width, read);
        if (!isCopied || !GrowsByOne(loop, offset, index) || !GrowsByOne(loop, word, index)) return false;
        var made = new List<Operation>();
        var first = new Substitution();
        foreach (var operation in loop.Header.Operations.Concat(BodyOf(loop).Operations))
        {
            if (operation.IsEffect || operation.ReadsState) continue;
            var copy = new Operation(
                operation.Opcode, operation.Width,
                operation.Operands.ConvertAll(value => value == index ? new Constant(index.Width, 0) : first.Of(value)))
            {
                Low = operation.Low,
                Location = operation.Location,
            };
            first.Add(operation, copy);
            made.Add(copy);
        }
        Value First(Value value) => value == index ? new Constant(index.Width, 0) : first.Of(value);
        made.Add(new Operation(Opcode.FrameLoad, 1, First(offset), First(word), count)
        {
            State = read.State,
            Location = write.Location,
        });
        var exit = ((Branch)loop.Header.Terminator!).Else;
        Edges.Remove(BodyOf(loop), loop.Header);
        Edges.Remove(loop.Header, BodyOf(loop));
        loop.Header.Phis.Clear();
        loop.Header.Operations.Clear();
        loop.Header.Operations.AddRange(made);
        loop.Header.Terminator = new Jump(exit);
        return true;
    }

    private static Block BodyOf(Loop loop) => ((Branch)loop.Header.Terminator!).Then;

    /// <summary>
    /// The index of a loop that counts from 0 up to a number, the number, the write of a byte and the read of it; null
    /// if it does more, or another thing.
    /// </summary>
    private (Phi Index, Value Count, Operation Write, Operation Read)? Parts(Loop loop)
    {
        if (loop is not { Header: { Phis: [var index], Terminator: Branch test }, Body.Count: 2 }
            || test.Condition is not Operation { Opcode: Opcode.LessUnsigned, Operands: [var number, var count] }
            || AffineForm.WithoutZeros(number) != index || !ByteLoop.IsIndex(loop, index)
            || !loop.Body.Contains(test.Then) || loop.Body.Contains(test.Else) || test.Then.Phis.Count > 0
            || Defines(loop, count))
            return null;
        var starts = index.Operands.Where((_, way) => !loop.Body.Contains(loop.Header.Predecessors[way]));
        var operations = loop.Body.SelectMany(block => block.Operations).ToList();
        return starts.All(start => Constant.Is(start, 0))
            && operations.FindAll(operation => operation.IsEffect) is
                [{ Opcode: Opcode.FrameWrite, Operands: [_, { Width: 8 }] } write]
            && operations.FindAll(operation => operation.ReadsState) is [{ Opcode: Opcode.MemoryRead } read]
            && operations.TrueForAll(operation => operation.Opcode != Opcode.Input)
            && read.State is [Memory { Width: 8 } table] && !written.Contains(table)
                ? (index, count, write, read)
                : null;
    }

    /// <summary>
    /// True if a place grows by one each turn: modulo a power of two, which is enough, since all of them are in the
    /// frame or in the table.
    /// </summary>
    private bool GrowsByOne(Loop loop, Value place, Phi index) =>
        FormOf(loop, place).Minus(LinearForm.Itself(place.Width, index)).IsOf(value => !Defines(loop, value));

    private LinearForm FormOf(Loop loop, Value value) =>
        LinearForm.Of(value, value.Width, part => facts.At(BodyOf(loop), part), _ => null);

    private static bool Defines(Loop loop, Value value) =>
        loop.Body.Any(block => block.Phis.Contains(value) || block.Operations.Contains(value));

    private static bool IsUsedOutside(Function function, Loop loop) => function.Blocks().Exists(block =>
        !loop.Body.Contains(block)
        && (block.Phis.Exists(phi => phi.Operands.Exists(value => Defines(loop, value)))
            || block.Operations.Exists(operation => operation.Operands.Exists(value => Defines(loop, value)))
            || Verifier.UsedBy(block.Terminator).Any(value => Defines(loop, value))));
}
