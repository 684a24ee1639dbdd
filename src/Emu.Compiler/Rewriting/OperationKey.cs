using Emu.Compiler.IR;

namespace Emu.Compiler.Rewriting;

/// <summary>The identity of a pure operation: everything but the C# that it comes from.</summary>
internal readonly struct OperationKey(Operation operation) : IEquatable<OperationKey>
{
    private readonly Operation _operation = operation;

    public bool Equals(OperationKey other)
    {
        var (a, b) = (_operation, other._operation);
        if (a.Opcode != b.Opcode || a.Width != b.Width || a.Low != b.Low
            || a.Input != b.Input || a.Fold != b.Fold || a.Operands.Count != b.Operands.Count)
            return false;
        for (var i = 0; i < a.Operands.Count; i++)
        {
            if (!Constant.AreSame(a.Operands[i], b.Operands[i])) return false;
        }
        return a.State.SequenceEqual(b.State);
    }

    public override bool Equals(object? obj) => obj is OperationKey other && Equals(other);

    public override int GetHashCode()
    {
        var hash = new HashCode();
        hash.Add(_operation.Opcode);
        hash.Add(_operation.Width);
        hash.Add(_operation.Low);
        hash.Add(_operation.Input);
        // Reads of registers differ by nothing else.
        if (_operation.State is [var first, ..])
            hash.Add(System.Runtime.CompilerServices.RuntimeHelpers.GetHashCode(first));
        foreach (var operand in _operation.Operands)
            hash.Add(operand is Constant c
                ? c.Bits.GetHashCode()
                : (int)operand.Hash);
        return hash.ToHashCode();
    }
}
