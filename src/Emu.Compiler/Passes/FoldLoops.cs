using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>Writes each <see cref="FrameFold"/>, and each map, as a loop again, for an engine.</summary>
internal static class FoldLoops
{
    /// <summary>Makes loops of all.</summary>
    /// <param name="function">The function.</param>
    /// <param name="capacity">The bytes of the frame's memory.</param>
    public static void Run(Function function, int capacity)
    {
        var known = new Substitution();
        foreach (var start in function.Blocks())
        {
            var block = start;
            while (block.Operations.FindIndex(operation => operation.Fold is not null) is var index and >= 0)
            {
                var operation = block.Operations[index];
                var rest = Edges.Split(block, index);
                rest.Operations.RemoveAt(0);
                var result = Loop(operation, block, rest, capacity);
                if (!operation.IsEffect) known.Add(operation, result!);
                block = rest;
            }
        }
        known.Apply(function);
    }

    /// <summary>
    /// A loop from one block to another; gives the result, which is there in the second; null for a map.
    /// </summary>
    private static Value? Loop(Operation operation, Block before, Block after, int capacity)
    {
        var (fold, body) = (operation.Fold!, new Block());
        var n = new OperationList(body.Operations) { Location = operation.Location };
        var states = operation.Operands.Skip(fold.FirstState).ToList();
        // An engine goes by the turns that a walk passes over at once.
        var passes = fold is { IsWalk: true, HidesState: true };
        Phi Round(Value first)
        {
            var phi = new Phi(first.Width, body);
            phi.Operands.Add(first);
            body.Phis.Add(phi);
            return phi;
        }
        var first = operation.Operands[0];
        if (passes)
            first = PassedFrom(new OperationList(before.Operations) { Location = n.Location }, first, states[0]);
        var offset = Round(first);
        List<Value> state = passes
            ? [FoldingBuilder.Zero(states[0].Width), .. states.Skip(1).Select(Round)]
            : [.. states.Select(Round)];
        var bytes = Enumerable.Range(0, fold.Bytes)
            .Select(i => Byte(n, body, n.Add(offset, Number(i)), operation, capacity));
        var reached = operation.Operands.Skip(1).Take(fold.Bounds).Select(limit => n.Not(n.Less(offset, limit)));
        var invariants = operation.Operands.Skip(1 + fold.Bounds).Take(fold.Invariants);
        var words = fold.PlacesOf(operation.Operands).Zip(
            operation.State, (place, memory) => Word(n, body, n.Add(place, n.Resize(offset, place.Width)), memory));
        var turn = new TurnCopy(n, fold, [.. bytes, offset, .. reached, .. invariants, .. words, .. state]);
        n.Location = operation.Location;
        // Behind the frame's memory the loop has been left, whatever its bounds are.
        var isLeft = n.Or(turn.IsLeft, n.Not(n.Less(offset, Number(capacity))));
        var result = operation.IsEffect ? null : turn.Found.Concat(fold.HidesState ? [] : state).Aggregate(n.Concat);
        var behind = n.Add(offset, Number(1));
        offset.Operands.Add(passes ? PassedFrom(n, behind, turn.Next[0]) : behind);
        foreach (var (value, next) in state.Zip(turn.Next)) (value as Phi)?.Operands.Add(next);
        before.Terminator = new Jump(body);
        var round = operation.IsEffect ? Written(operation, offset, turn.Found[0], body) : body;
        body.Terminator = new Branch(isLeft, after, round);
        body.Predecessors.AddRange([before, round]);
        after.Predecessors.Add(body);
        return result;
    }

    private static Value PassedFrom(OperationList n, Value offset, Value turns) =>
        n.Add(offset, n.Resize(turns, FrameFold.OffsetBits));

    /// <summary>A block behind a turn of a map that does not leave it: writes the byte, and goes round.</summary>
    private static Block Written(Operation map, Phi offset, Value octet, Block body)
    {
        var block = new Block { Terminator = new Jump(body) };
        block.Predecessors.Add(body);
        var n = new OperationList(block.Operations) { Location = map.Location };
        var at = n.Resize(offset, 32);
        block.Operations.Add(new Operation(Opcode.FrameWrite, 1, at, octet) { Location = map.Location });
        return block;
    }

    /// <summary>A byte of the frame, or any that is there where the offset is behind its memory.</summary>
    private static Operation Byte(OperationList n, Block body, Value offset, Operation fold, int capacity)
    {
        var inside = n.Select(n.Less(offset, Number(capacity)), offset, Number(0));
        var read = new Operation(Opcode.FrameRead, 8, n.Resize(inside, 32)) { Location = fold.Location };
        body.Operations.Add(read);
        return read;
    }

    /// <summary>A word of a memory, or any that is there where the index is behind its last.</summary>
    private static Operation Word(OperationList n, Block body, Value index, StateElement element)
    {
        var depth = new Constant(index.Width, (UInt128)((Memory)element).Depth);
        var inside = n.Select(n.Less(index, depth), index, FoldingBuilder.Zero(index.Width));
        var read = new Operation(Opcode.MemoryRead, element.Width, inside) { State = [element] };
        body.Operations.Add(read);
        return read;
    }

    private static Constant Number(int number) => new(FrameFold.OffsetBits, (UInt128)number);
}
