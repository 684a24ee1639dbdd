using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>Cuts reads and writes of the frame into pieces of so many bytes as a beat has.</summary>
internal static class FrameAccess
{
    public static void Run(Function function, int maxBytes)
    {
        var known = new Substitution();
        foreach (var block in function.Blocks())
        {
            var operations = new List<Operation>();
            foreach (var operation in block.Operations)
            {
                if (operation.Opcode == Opcode.FrameRead && operation.Width > 8 * maxBytes)
                    known.Add(operation, Read(operation, maxBytes, operations));
                else if (operation.Opcode == Opcode.FrameWrite && operation.Operands[1].Width > 8 * maxBytes)
                    Write(operation, maxBytes, operations);
                else operations.Add(operation);
            }
            block.Operations.Clear();
            block.Operations.AddRange(operations);
        }
        known.Apply(function);
    }

    private static Value Read(Operation read, int maxBytes, List<Operation> operations)
    {
        Value? whole = null;
        for (var done = 0; done < read.Width / 8; done += maxBytes)
        {
            var count = Math.Min(maxBytes, read.Width / 8 - done);
            var piece = Add(
                operations, new Operation(Opcode.FrameRead, 8 * count, Offset(read, done, operations))
                {
                    Location = read.Location,
                });
            whole = whole is null ? piece : Add(
                operations,
                new Operation(Opcode.Concat, whole.Width + piece.Width, whole, piece) { Location = read.Location });
        }
        return whole!;
    }

    private static void Write(Operation write, int maxBytes, List<Operation> operations)
    {
        var data = write.Operands[1];
        for (var done = 0; done < data.Width / 8; done += maxBytes)
        {
            var count = Math.Min(maxBytes, data.Width / 8 - done);
            var piece = Add(
                operations, new Operation(Opcode.Extract, 8 * count, data)
                {
                    Low = data.Width - 8 * (done + count),
                    Location = write.Location,
                });
            Add(
                operations, new Operation(Opcode.FrameWrite, 1, Offset(write, done, operations), piece)
                {
                    Location = write.Location,
                });
        }
    }

    private static Value Offset(Operation access, int by, List<Operation> operations)
    {
        var offset = access.Operands[0];
        if (by == 0) return offset;
        if (offset is Constant constant) return new Constant(constant.Width, constant.Bits + (UInt128)by);
        return Add(
            operations, new Operation(Opcode.Add, offset.Width, offset, new Constant(offset.Width, (UInt128)by))
            {
                Location = access.Location,
            });
    }

    private static Operation Add(List<Operation> operations, Operation operation)
    {
        operations.Add(operation);
        return operation;
    }
}
