namespace Emu.Compiler;

/// <summary>Writes checksums over the frame out as loops of 16-bit words.</summary>
internal static class SumLoops
{
    public static void Run(Function function)
    {
        foreach (var block in function.Blocks())
        {
            var at = block;
            while (at.Operations.FindIndex(o => o.Opcode == Opcode.FrameSum) is >= 0 and var index) at = Expand(function, at, index);
        }
    }

    /// <summary>Divides a block at a sum: before, a loop over words, a last byte, after. Gives what is left behind it.</summary>
    private static Block Expand(Function function, Block block, int index)
    {
        var sum = block.Operations[index];
        var (offset, length) = (sum.Operands[0], sum.Operands[1]);
        var b = new Builder(sum.Location);
        var (header, body, end, odd, after) = (new Block(), new Block(), new Block(), new Block(), new Block { Terminator = block.Terminator });
        after.Operations.AddRange(block.Operations[(index + 1)..]);
        foreach (var successor in after.Terminator!.Successors) successor.Predecessors[successor.Predecessors.IndexOf(block)] = after;

        block.Operations.RemoveRange(index, block.Operations.Count - index);
        var stop = b.Add(block, Opcode.Add, 32, offset, b.Add(block, Opcode.And, 32, length, new Constant(32, uint.MaxValue - 1)));
        Go(block, header);

        var (place, total) = (Phi(header, 32), Phi(header, 16));
        var isAtEnd = b.Add(header, Opcode.Equal, 1, place, stop);
        header.Terminator = new Branch(isAtEnd, end, body);
        end.Predecessors.Add(header);
        body.Predecessors.Add(header);

        var added = b.OnesSum(body, total, b.Add(body, Opcode.FrameRead, 16, place));
        var next = b.Add(body, Opcode.Add, 32, place, new Constant(32, 2));
        Go(body, header);
        place.Operands.AddRange([offset, next]);
        total.Operands.AddRange([new Constant(16, 0), added]);

        var isOdd = new Operation(Opcode.Extract, 1, length) { Location = sum.Location };
        end.Operations.Add(isOdd);
        end.Terminator = new Branch(isOdd, odd, after);
        odd.Predecessors.Add(end);
        var last = b.Add(odd, Opcode.Concat, 16, b.Add(odd, Opcode.FrameRead, 8, place), new Constant(8, 0));
        var withLast = b.OnesSum(odd, total, last);
        after.Predecessors.Add(end);
        Go(odd, after);
        var result = Phi(after, 16);
        result.Operands.AddRange([total, withLast]);
        var known = new Substitution();
        known.Add(sum, result);
        known.Apply(function);
        return after;
    }

    private static Phi Phi(Block block, int width)
    {
        var phi = new Phi(width, block);
        block.Phis.Add(phi);
        return phi;
    }

    private static void Go(Block from, Block to)
    {
        from.Terminator = new Jump(to);
        to.Predecessors.Add(from);
    }

    private sealed class Builder(SourceLocation? location)
    {
        public Operation Add(Block block, Opcode opcode, int width, params Value[] operands)
        {
            var operation = new Operation(opcode, width, operands) { Location = location };
            block.Operations.Add(operation);
            return operation;
        }

        /// <summary>The sum of two words with its carry added: at most all ones again, as 0 only if both are.</summary>
        public Operation OnesSum(Block block, Value a, Value b)
        {
            var wide = Add(block, Opcode.Add, 17, Add(block, Opcode.ZeroExtend, 17, a), Add(block, Opcode.ZeroExtend, 17, b));
            var carry = new Operation(Opcode.Extract, 1, wide) { Low = 16, Location = location };
            block.Operations.Add(carry);
            return Add(block, Opcode.Add, 16, Add(block, Opcode.Truncate, 16, wide), Add(block, Opcode.ZeroExtend, 16, carry));
        }
    }
}
