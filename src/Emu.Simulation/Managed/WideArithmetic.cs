using Emu.Compiler.IR;

namespace Emu.Simulation;

/// <summary>
/// The methods that compiled code calls instead of computing in place: rare operations, on numbers of up to 128 bits.
/// Results are not yet cut to the width. Hardware computes also results that nobody will look at, so a division by 0
/// must not stop a simulation: it gives 0.
/// </summary>
internal static class WideArithmetic
{
    public static ulong Low(UInt128 a) => (ulong)a;

    public static ulong High(UInt128 a) => (ulong)(a >> 64);

    public static UInt128 Multiply(UInt128 a, UInt128 b, int width) => a * b;

    public static UInt128 DivideUnsigned(UInt128 a, UInt128 b, int width) => b == 0 ? 0 : a / b;

    public static UInt128 RemainderUnsigned(UInt128 a, UInt128 b, int width) => b == 0 ? 0 : a % b;

    public static UInt128 DivideSigned(UInt128 a, UInt128 b, int width)
    {
        // By magnitudes: the least value by -1 wraps then, as in two's complement.
        var quotient = DivideUnsigned(Magnitude(a, width), Magnitude(b, width), width);
        return IsNegative(a, width) != IsNegative(b, width) ? 0 - quotient : quotient;
    }

    public static UInt128 RemainderSigned(UInt128 a, UInt128 b, int width)
    {
        var remainder = RemainderUnsigned(Magnitude(a, width), Magnitude(b, width), width);
        return IsNegative(a, width) ? 0 - remainder : remainder;
    }

    public static UInt128 ShiftLeft(UInt128 a, UInt128 b, int width) => b < (UInt128)width ? a << (int)b : 0;

    public static UInt128 ShiftRight(UInt128 a, UInt128 b, int width) => b < (UInt128)width ? a >> (int)b : 0;

    public static UInt128 ShiftRightSigned(UInt128 a, UInt128 b, int width) =>
        (UInt128)(Arithmetic.ToSigned(a, width) >> (int)UInt128.Min(b, (UInt128)(width - 1)));

    public static UInt128 PopCount(UInt128 a, UInt128 b, int width) => UInt128.PopCount(a);

    public static UInt128 LeadingZeros(UInt128 a, UInt128 b, int width) =>
        UInt128.LeadingZeroCount(a) - (UInt128)(Value.MaxWidth - width);

    public static UInt128 TrailingZeros(UInt128 a, UInt128 b, int width) =>
        a == 0 ? (UInt128)width : UInt128.TrailingZeroCount(a);

    private static bool IsNegative(UInt128 a, int width) => (a >> (width - 1) & 1) != 0;

    private static UInt128 Magnitude(UInt128 a, int width) =>
        IsNegative(a, width) ? Arithmetic.Mask(width) & (0 - a) : a;
}
