namespace Suite;

/// <summary>Checked operators: a result that does not fit is a fault.</summary>
public static class CheckedOperators
{
    public static byte AddByte(byte a, byte b) => checked((byte)(a + b));
    public static byte SubtractByte(byte a, byte b) => checked((byte)(a - b));
    public static byte MultiplyByte(byte a, byte b) => checked((byte)(a * b));
    public static byte IncrementByte(byte a) { checked { a++; return a; } }
    public static short AddShort(short a, short b) => checked((short)(a + b));
    public static short SubtractShort(short a, short b) => checked((short)(a - b));
    public static short MultiplyShort(short a, short b) => checked((short)(a * b));
    public static short IncrementShort(short a) { checked { a++; return a; } }
    public static short NegateShort(short a) => checked((short)(-a));
    public static int AddInt(int a, int b) => checked(a + b);
    public static int SubtractInt(int a, int b) => checked(a - b);
    public static int MultiplyInt(int a, int b) => checked(a * b);
    public static int IncrementInt(int a) { checked { a++; return a; } }
    public static int NegateInt(int a) => checked((int)(-a));
    public static uint AddUint(uint a, uint b) => checked(a + b);
    public static uint SubtractUint(uint a, uint b) => checked(a - b);
    public static uint MultiplyUint(uint a, uint b) => checked(a * b);
    public static uint IncrementUint(uint a) { checked { a++; return a; } }
    public static long AddLong(long a, long b) => checked(a + b);
    public static long SubtractLong(long a, long b) => checked(a - b);
    public static long MultiplyLong(long a, long b) => checked(a * b);
    public static long IncrementLong(long a) { checked { a++; return a; } }
    public static long NegateLong(long a) => checked((long)(-a));
    public static ulong AddUlong(ulong a, ulong b) => checked(a + b);
    public static ulong SubtractUlong(ulong a, ulong b) => checked(a - b);
    public static ulong MultiplyUlong(ulong a, ulong b) => checked(a * b);
    public static ulong IncrementUlong(ulong a) { checked { a++; return a; } }
    public static nint AddNint(nint a, nint b) => checked(a + b);
    public static nint SubtractNint(nint a, nint b) => checked(a - b);
    public static nint MultiplyNint(nint a, nint b) => checked(a * b);
    public static nint IncrementNint(nint a) { checked { a++; return a; } }
    public static Int128 AddInt128(Int128 a, Int128 b) => checked(a + b);
    public static Int128 SubtractInt128(Int128 a, Int128 b) => checked(a - b);
    public static Int128 IncrementInt128(Int128 a) { checked { a++; return a; } }
    public static UInt128 AddUInt128(UInt128 a, UInt128 b) => checked(a + b);
    public static UInt128 SubtractUInt128(UInt128 a, UInt128 b) => checked(a - b);
    public static UInt128 IncrementUInt128(UInt128 a) { checked { a++; return a; } }
}
