using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Tests;

/// <summary>Makes operations, and computes them for the bits of a number.</summary>
/// <param name="bits">The bits that are read.</param>
internal sealed class EvaluatingBuilder(int bits) : FoldingBuilder
{
    /// <summary>The values that stand for the bits.</summary>
    public List<Value> Inputs { get; } = [.. Enumerable.Range(0, bits).Select(_ => new Phi(1, new Block()))];

    /// <summary>The bits, the first input in the lowest.</summary>
    public int Number { get; set; }

    /// <summary>The bits of a value made of the inputs.</summary>
    public UInt128 Evaluate(Value value)
    {
        if (value is Constant constant) return constant.Bits;
        if (value is not Operation o) return (UInt128)(Number >> Inputs.IndexOf(value) & 1);
        UInt128 Of(int operand) => operand < o.Operands.Count ? Evaluate(o.Operands[operand]) : 0;
        return Arithmetic.Compute(o, Of(0), Of(1), Of(2));
    }

    /// <inheritdoc/>
    protected override Value Intern(Operation operation) => operation;
}
