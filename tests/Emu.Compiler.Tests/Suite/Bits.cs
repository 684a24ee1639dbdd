namespace Suite;

/// <summary>BitOperations, Math and the same on the integer types.</summary>
public static class Bits
{
    [Flags]
    public enum Flags : ushort { None = 0, A = 1, B = 2, C = 4, AB = A | B, High = 0x8000 }

    public static int PopCount32(uint a) => BitOperations.PopCount(a);

    public static int PopCount64(ulong a) => BitOperations.PopCount(a);

    public static int LeadingZeros32(uint a) => BitOperations.LeadingZeroCount(a);

    public static int LeadingZeros64(ulong a) => BitOperations.LeadingZeroCount(a);

    public static int TrailingZeros32(int a) => BitOperations.TrailingZeroCount(a);

    public static int TrailingZeros64(ulong a) => BitOperations.TrailingZeroCount(a);

    public static int Log32(uint a) => BitOperations.Log2(a);

    public static int Log64(ulong a) => BitOperations.Log2(a);

    public static uint RotateLeft(uint a, int n) => BitOperations.RotateLeft(a, n);

    public static ulong RotateRight(ulong a, int n) => BitOperations.RotateRight(a, n);

    public static bool IsPow2(int a) => BitOperations.IsPow2(a);

    public static bool IsPow2Unsigned(ulong a) => BitOperations.IsPow2(a);

    public static uint RoundUp(uint a) => BitOperations.RoundUpToPowerOf2(a);

    public static int MinMax(int a, int b) => unchecked(Math.Min(a, b) * 3 + Math.Max(a, b));

    public static uint MinMaxUnsigned(uint a, uint b) => unchecked(Math.Min(a, b) * 3 + Math.Max(a, b));

    public static int MinMaxBytes(byte a, sbyte b) => Math.Min(a, (byte)7) + Math.Max(b, (sbyte)-3);

    public static long Abs64(long a) => Math.Abs(a);

    public static int Abs32(int a) => Math.Abs(a);

    public static short Abs16(short a) => Math.Abs(a);

    public static int Sign(long a) => Math.Sign(a);

    public static int Clamp(int a) => Math.Clamp(a, -5, 1000);

    public static byte ClampByte(byte a) => Math.Clamp(a, (byte)3, (byte)200);

    public static int ClampBetween(int a, int b, int c) => Math.Clamp(a, b, c);

    public static long BigMul(int a, int b) => Math.BigMul(a, b);

    public static int DivRem(int a, int b)
    {
        var (quotient, remainder) = Math.DivRem(a, b);
        return unchecked(quotient * 7 + remainder);
    }

    public static int OnTypes(int a, uint b) =>
        int.Max(a, 5) ^ (int)uint.Min(b, 9) ^ int.PopCount(a) ^ (int)uint.LeadingZeroCount(b) ^ (int)uint.Log2(b);

    public static uint RotateOnType(uint a, int n) => uint.RotateLeft(a, n) ^ uint.RotateRight(a, 3);

    public static UInt128 OnUInt128(UInt128 a) =>
        UInt128.PopCount(a) + UInt128.LeadingZeroCount(a) * 1000 + UInt128.TrailingZeroCount(a) * 1_000_000;

    public static UInt128 MinMaxUInt128(UInt128 a, UInt128 b) => UInt128.Min(a, b) ^ UInt128.Max(a, b) >> 1;

    public static bool Signs(Int128 a, int b) => Int128.IsNegative(a) ^ int.IsNegative(b) ^ int.IsEvenInteger(b);

    public static bool CharClasses(char a) =>
        char.IsAsciiDigit(a) | char.IsAsciiLetterLower(a) | char.IsBetween(a, '\u0100', '\u7000');

    public static ushort Reverse16(ushort a) => BinaryPrimitives.ReverseEndianness(a);

    public static ulong Reverse64(ulong a) => BinaryPrimitives.ReverseEndianness(a);

    public static Flags EnumFlags(Flags a, Flags b) => a & ~Flags.C | b ^ Flags.High;

    public static bool HasFlag(Flags a) => a.HasFlag(Flags.AB) | (a & Flags.High) != 0;

    public static int CompareTo(int a, int b) => a.CompareTo(b) + a.Equals(b).CompareTo(true) * 10;

    public static UInt128 Compose(ulong a, ulong b)
    {
        var whole = new UInt128(a, b);
        return whole * 3 / 7 + whole % 1000;
    }
}
