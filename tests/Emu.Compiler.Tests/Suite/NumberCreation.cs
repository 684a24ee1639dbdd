namespace Suite;

/// <summary>Numbers of one type made from those of another by name: cut, the nearest, or a fault.</summary>
public static class NumberCreation
{
    public static byte TruncatingToByte(int n) => byte.CreateTruncating(n);

    public static UInt128 TruncatingFromSbyte(sbyte n) => UInt128.CreateTruncating(n);

    public static sbyte SaturatingToSbyte(Int128 n) => sbyte.CreateSaturating(n);

    public static byte SaturatingToByte(short n) => byte.CreateSaturating(n);

    public static ulong SaturatingToUlong(UInt128 n) => ulong.CreateSaturating(n);

    public static int SaturatingToInt(nuint n) => int.CreateSaturating(n);

    public static Int128 SaturatingToInt128(UInt128 n) => Int128.CreateSaturating(n);

    public static ushort CheckedToUshort(int n) => ushort.CreateChecked(n);

    public static long CheckedToLong(UInt128 n) => long.CreateChecked(n);

    public static int OfTypeParameter(long n) => Nearest<byte, long>(n) + Nearest<short, long>(n);

    private static TTo Nearest<TTo, TFrom>(TFrom n)
        where TTo : INumber<TTo>
        where TFrom : INumber<TFrom> => TTo.CreateSaturating(n);
}
