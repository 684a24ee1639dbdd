using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Writes out what goes over many bytes of the frame: as reads and writes where the number is known,
/// as a loop elsewhere.
/// </summary>
internal static class FrameLoops
{
    /// <summary>The most bytes that are written out.</summary>
    private const int MaxBytes = 256;

    /// <summary>The bytes of one read or write.</summary>
    private const int PieceBytes = Value.MaxWidth / 8;

    /// <summary>Writes out those of a constant, small number of bytes.</summary>
    public static void RunConstant(Function function)
    {
        foreach (var block in function.Blocks().Where(b => b.Operations.Exists(IsSmall)))
        {
            var operations = block.Operations.ToList();
            block.Operations.Clear();
            foreach (var operation in operations)
            {
                if (IsSmall(operation)) WriteOut(operation, block.Operations);
                else block.Operations.Add(operation);
            }
        }
    }

    /// <summary>Makes loops of all.</summary>
    public static void Run(Function function)
    {
        foreach (var start in function.Blocks())
        {
            var block = start;
            while (block.Operations.FindIndex(IsOne) is var index and >= 0)
            {
                var operation = block.Operations[index];
                var rest = Edges.Split(block, index);
                rest.Operations.RemoveAt(0);
                Loop(operation, block, rest);
                block = rest;
            }
        }
    }

    private static bool IsOne(Operation operation) =>
        operation.Opcode is Opcode.FrameMove or Opcode.FrameResize or Opcode.FrameLoad;

    private static bool IsSmall(Operation operation) => IsOne(operation) && Count(operation) <= MaxBytes;

    /// <summary>
    /// The number of bytes written, if it is known. A cut has none, since later passes still have to see it.
    /// </summary>
    private static int? Count(Operation operation) => operation.Operands switch
    {
        [_, _, Constant { Bits: var count }] when operation.Opcode == Opcode.FrameMove =>
            (int)UInt128.Min(count, int.MaxValue),
        [Constant { Bits: var from }, Constant { Bits: var to }]
            when operation.Opcode == Opcode.FrameResize && from <= to =>
            (int)UInt128.Min(to - from, int.MaxValue),
        _ => null,
    };

    /// <summary>Writes the operation out as reads and writes of bytes: all are read before any is written.</summary>
    private static void WriteOut(Operation operation, List<Operation> operations)
    {
        Operation Add(Opcode opcode, int width, params Value[] operands)
        {
            operations.Add(new Operation(opcode, width, operands) { Location = operation.Location });
            return operations[^1];
        }
        Value At(Value start, int offset) => start is Constant known ? Number(known.Bits + (UInt128)offset)
            : offset == 0 ? start : Add(Opcode.Add, start.Width, start, Number((UInt128)offset));
        var (count, isMove) = (Count(operation)!.Value, operation.Opcode == Opcode.FrameMove);
        var writes = new List<(int Offset, Value Data)>();
        for (var done = 0; done < count; done += PieceBytes)
        {
            var width = 8 * Math.Min(PieceBytes, count - done);
            writes.Add((done, isMove
                ? Add(Opcode.FrameRead, width, At(operation.Operands[0], done))
                : FoldingBuilder.Zero(width)));
        }
        foreach (var (offset, data) in writes)
            Add(Opcode.FrameWrite, 1, At(operation.Operands[isMove ? 1 : 0], offset), data);
    }

    private static Constant Number(UInt128 number) => new(32, number);

    /// <summary>A number with as many bits as a place has.</summary>
    private static Value Wide(Block block, Value value)
    {
        if (value.Width == 32) return value;
        if (value is Constant constant) return Number(constant.Bits);
        block.Operations.Add(new Operation(Opcode.ZeroExtend, 32, value));
        return block.Operations[^1];
    }

    /// <summary>Byte by byte; from the end where the destination may begin inside the source.</summary>
    private static void Loop(Operation operation, Block before, Block after)
    {
        var isResize = operation.Opcode == Opcode.FrameResize;
        var (from, to) = (operation.Operands[0], operation.Operands[1]);
        var (header, body) = (new Block(), new Block());
        Operation Add(Block block, Opcode opcode, int width, params Value[] operands)
        {
            block.Operations.Add(new Operation(opcode, width, operands) { Location = operation.Location });
            return block.Operations[^1];
        }
        var end = isResize ? to : operation.Operands[2];
        var index = new Phi(32, header);
        header.Phis.Add(index);
        if (operation.Opcode == Opcode.FrameMove)
        {
            var isDown = Add(before, Opcode.LessUnsigned, 1, from, to);
            var last = Add(before, Opcode.Subtract, 32, end, Number(1));
            var at = Add(body, Opcode.Select, 32, isDown, Add(body, Opcode.Subtract, 32, last, index), index);
            var octet = Add(body, Opcode.FrameRead, 8, Add(body, Opcode.Add, 32, from, at));
            Add(body, Opcode.FrameWrite, 1, Add(body, Opcode.Add, 32, to, at), octet);
        }
        else if (isResize)
        {
            Add(body, Opcode.FrameWrite, 1, index, FoldingBuilder.Zero(8));
        }
        else
        {
            var word = new Operation(Opcode.MemoryRead, 8, Add(body, Opcode.Add, 32, Wide(before, to), index))
            {
                State = operation.State,
                Location = operation.Location,
            };
            body.Operations.Add(word);
            Add(body, Opcode.FrameWrite, 1, Add(body, Opcode.Add, 32, Wide(before, from), index), word);
            end = Wide(before, end);
        }
        header.Terminator = new Branch(Add(header, Opcode.LessUnsigned, 1, index, end), body, after);
        index.Operands.AddRange([isResize ? from : Number(0), Add(body, Opcode.Add, 32, index, Number(1))]);
        (before.Terminator, body.Terminator) = (new Jump(header), new Jump(header));
        header.Predecessors.AddRange([before, body]);
        body.Predecessors.Add(header);
        after.Predecessors.Add(header);
    }
}
