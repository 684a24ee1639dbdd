namespace Emu.Compiler.IR;

/// <summary>A known number.</summary>
/// <param name="width">The width in bits.</param>
/// <param name="bits">The number; bits above the width are cut off.</param>
public sealed class Constant(int width, UInt128 bits) : Value(width)
{
    /// <summary>The number, below 2^width.</summary>
    public UInt128 Bits { get; } = bits & Arithmetic.Mask(width);

    /// <summary>True if a value is the constant <paramref name="number"/>.</summary>
    public static bool Is(Value value, UInt128 number) => value is Constant constant && constant.Bits == number;

    /// <summary>True if two values are one, or equal constants.</summary>
    public static bool AreSame(Value a, Value b) =>
        a == b || a is Constant x && b is Constant y && x.Width == y.Width && x.Bits == y.Bits;
}
