namespace Emu.Compiler.IR;

/// <summary>
/// The results of the pure operations: the one definition that the interpreter and constant folding share.
/// </summary>
public static class Arithmetic
{
    /// <summary>The greatest number that divides two; one of them if the other is 0 (Euclid).</summary>
    internal static UInt128 GreatestCommonDivisor(UInt128 a, UInt128 b) =>
        b == 0 ? a : GreatestCommonDivisor(b, a % b);

    /// <summary>The numbers of a width: 2^width - 1.</summary>
    public static UInt128 Mask(int width) => width == Value.MaxWidth ? UInt128.MaxValue : (UInt128.One << width) - 1;

    /// <summary>A number of a width as a signed one.</summary>
    public static Int128 ToSigned(UInt128 bits, int width) =>
        (Int128)(bits << (Value.MaxWidth - width)) >> (Value.MaxWidth - width);

    /// <summary>The result of a pure operation.</summary>
    /// <param name="operation">Pure: neither effect, nor input, nor read of state.</param>
    /// <param name="a">The first operand.</param>
    /// <param name="b">The second; 0 when there is none.</param>
    /// <param name="c">The third; 0 when there is none.</param>
    public static UInt128 Compute(Operation operation, UInt128 a, UInt128 b, UInt128 c)
    {
        ArgumentNullException.ThrowIfNull(operation);
        var evaluate = OpcodeTable.Of(operation.Opcode).Evaluate
            ?? throw new InvalidOperationException($"{operation.Opcode} is not pure");
        return Mask(operation.Width) & evaluate(operation, a, b, c);
    }
}
