using KiwiSystem;

namespace Emu.Clocked;

/// <summary>
/// A division that takes a cycle for each bit of its numbers (restoring division): what the compiler makes of one in
/// soft code by a number that is not constant. .NET takes as many pauses, and divides then.
/// </summary>
internal static class SerialDivision
{
    /// <summary>The method of an operation on two numbers of a type.</summary>
    public static string NameOf(bool isQuotient) => isQuotient ? nameof(Quotient) : nameof(Remainder);

    public static uint Quotient(uint dividend, uint divisor)
    {
        Divide(ref dividend, divisor);
        return dividend;
    }

    public static uint Remainder(uint dividend, uint divisor) => Divide(ref dividend, divisor);

    public static int Quotient(int dividend, int divisor)
    {
        var (isNegative, quotient) = ((dividend ^ divisor) < 0, Magnitude(dividend));
        Divide(ref quotient, Magnitude(divisor));
        RequireFit(isNegative, quotient == 1u << 31);
        return (int)(isNegative ? 0 - quotient : quotient);
    }

    public static int Remainder(int dividend, int divisor)
    {
        var (isNegative, differ, quotient) = (dividend < 0, (dividend ^ divisor) < 0, Magnitude(dividend));
        var rest = Divide(ref quotient, Magnitude(divisor));
        RequireFit(differ, quotient == 1u << 31);
        return (int)(isNegative ? 0 - rest : rest);
    }

    public static ulong Quotient(ulong dividend, ulong divisor)
    {
        Divide(ref dividend, divisor);
        return dividend;
    }

    public static ulong Remainder(ulong dividend, ulong divisor) => Divide(ref dividend, divisor);

    public static long Quotient(long dividend, long divisor)
    {
        var (isNegative, quotient) = ((dividend ^ divisor) < 0, Magnitude(dividend));
        Divide(ref quotient, Magnitude(divisor));
        RequireFit(isNegative, quotient == 1ul << 63);
        return (long)(isNegative ? 0 - quotient : quotient);
    }

    public static long Remainder(long dividend, long divisor)
    {
        var (isNegative, differ, quotient) = (dividend < 0, (dividend ^ divisor) < 0, Magnitude(dividend));
        var rest = Divide(ref quotient, Magnitude(divisor));
        RequireFit(differ, quotient == 1ul << 63);
        return (long)(isNegative ? 0 - rest : rest);
    }

    private static uint Magnitude(int number) => (uint)(number < 0 ? 0 - number : number);

    private static ulong Magnitude(long number) => (ulong)(number < 0 ? 0 - number : number);

    /// <summary>The least number divided by minus one is more than there is, for a remainder too.</summary>
    private static void RequireFit(bool isNegative, bool isLeast)
    {
        if (!isNegative && isLeast) throw new OverflowException();
    }

    /// <summary>Bits of the quotient come in where those of the dividend go out; gives the rest.</summary>
    private static uint Divide(ref uint dividend, uint divisor)
    {
        var rest = 0u;
        for (var bit = 0; bit < 32; bit++)
        {
            var isLong = rest >> 31 != 0;
            rest = rest << 1 | dividend >> 31;
            var fits = isLong || rest >= divisor;
            if (fits) rest -= divisor;
            dividend = dividend << 1 | (fits ? 1u : 0u);
            Kiwi.Pause();
        }
        if (divisor == 0) throw new DivideByZeroException();
        return rest;
    }

    private static ulong Divide(ref ulong dividend, ulong divisor)
    {
        var rest = 0ul;
        for (var bit = 0; bit < 64; bit++)
        {
            var isLong = rest >> 63 != 0;
            rest = rest << 1 | dividend >> 63;
            var fits = isLong || rest >= divisor;
            if (fits) rest -= divisor;
            dividend = dividend << 1 | (fits ? 1ul : 0ul);
            Kiwi.Pause();
        }
        if (divisor == 0) throw new DivideByZeroException();
        return rest;
    }
}
