using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Writes divisions and wide products out as operations that a cycle has time for, so that stages or states can come
/// between them.
/// </summary>
internal sealed class OperatorDecomposition : WideArithmetic
{
    private readonly Substitution _known = new();
    private List<Operation> _operations = [];

    private OperatorDecomposition()
    {
    }

    /// <summary>Writes them out.</summary>
    /// <param name="function">The function in which they are.</param>
    /// <param name="divisor">The number by which the time is divided beside the function; null for none.</param>
    public static void Run(Function function, ulong? divisor)
    {
        var pass = new OperatorDecomposition();
        foreach (var block in function.Blocks()) pass.Run(block, divisor);
        pass._known.Apply(function);
    }

    /// <inheritdoc />
    protected override Value Intern(Operation operation)
    {
        _operations.Add(operation);
        return operation;
    }

    private void Run(Block block, ulong? divisor)
    {
        _operations = [];
        foreach (var operation in block.Operations)
        {
            Location = operation.Location;
            // A part of an operation that is written out is taken of what it is now.
            for (var i = 0; i < operation.Operands.Count; i++) operation.Operands[i] = _known.Of(operation.Operands[i]);
            var isBeside = TimeDivision.Is(operation) && TimeDivision.DivisorOf(operation) == divisor;
            if (!isBeside && Decomposed(operation) is { } value) _known.Add(operation, value);
            else _operations.Add(operation);
        }
        block.Operations.Clear();
        block.Operations.AddRange(_operations);
    }

    private Value? Decomposed(Operation operation)
    {
        if (operation.Operands.Count != 2) return null;
        var (a, b) = (operation.Operands[0], operation.Operands[1]);
        return operation.Opcode switch
        {
            Opcode.Multiply => Product(a, b),
            Opcode.DivideUnsigned => Quotient(a, b),
            Opcode.RemainderUnsigned => Remainder(a, b),
            Opcode.DivideSigned => Signed(Quotient, a, b, isQuotient: true),
            Opcode.RemainderSigned => Signed(Remainder, a, b, isQuotient: false),
            _ => null,
        };
    }
}
