namespace Emu.Compiler.IR;

/// <summary>
/// The results of the pure operations: the one definition that the interpreter and constant folding share.
/// </summary>
public static class Arithmetic
{
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
        var width = operation.Operands[0].Width;
        return Mask(operation.Width) & operation.Opcode switch
        {
            Opcode.Add => a + b,
            Opcode.Subtract => a - b,
            Opcode.Multiply => a * b,
            Opcode.DivideUnsigned => a / b,
            Opcode.DivideSigned => (UInt128)(ToSigned(a, width) / ToSigned(b, width)),
            Opcode.RemainderUnsigned => a % b,
            Opcode.RemainderSigned => (UInt128)(ToSigned(a, width) % ToSigned(b, width)),
            Opcode.And => a & b,
            Opcode.Or => a | b,
            Opcode.Xor => a ^ b,
            Opcode.ShiftLeft => b < (UInt128)width ? a << (int)b : 0,
            Opcode.ShiftRight => b < (UInt128)width ? a >> (int)b : 0,
            Opcode.ShiftRightSigned => (UInt128)(ToSigned(a, width) >> (int)UInt128.Min(b, (UInt128)(width - 1))),
            Opcode.Equal => Bit(a == b),
            Opcode.LessUnsigned => Bit(a < b),
            Opcode.LessSigned => Bit(ToSigned(a, width) < ToSigned(b, width)),
            Opcode.ZeroExtend or Opcode.Truncate => a,
            Opcode.SignExtend => (UInt128)ToSigned(a, width),
            Opcode.Extract => a >> operation.Low,
            Opcode.Concat => a << operation.Operands[1].Width | b,
            Opcode.Select => a != 0 ? b : c,
            Opcode.PopCount => UInt128.PopCount(a),
            Opcode.LeadingZeros => UInt128.LeadingZeroCount(a) - (UInt128)(Value.MaxWidth - width),
            Opcode.TrailingZeros => a == 0 ? (UInt128)width : UInt128.TrailingZeroCount(a),
            Opcode.OnesSum => OnesSum(a),
            _ => throw new InvalidOperationException($"{operation.Opcode} is not pure"),
        };
    }

    private static UInt128 OnesSum(UInt128 words)
    {
        while (words > ushort.MaxValue) words = (words & ushort.MaxValue) + (words >> 16);
        return words;
    }

    private static UInt128 Bit(bool value) => value ? UInt128.One : UInt128.Zero;
}
