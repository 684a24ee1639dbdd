namespace Suite;

/// <summary>
/// The operators of every integer type: what is narrower than int is promoted, and cut when it is put back.
/// </summary>
public static class IntegerOperators
{
    public static byte AddByte(byte a, byte b) => unchecked((byte)(a + b));
    public static byte SubtractByte(byte a, byte b) => unchecked((byte)(a - b));
    public static byte MultiplyByte(byte a, byte b) => unchecked((byte)(a * b));
    public static byte DivideByte(byte a, byte b) => unchecked((byte)(a / b));
    public static byte RemainderByte(byte a, byte b) => unchecked((byte)(a % b));
    public static byte AndByte(byte a, byte b) => unchecked((byte)(a & b));
    public static byte OrByte(byte a, byte b) => unchecked((byte)(a | b));
    public static byte XorByte(byte a, byte b) => unchecked((byte)(a ^ b));
    public static byte ShiftLeftByte(byte a, int n) => unchecked((byte)(a << n));
    public static byte ShiftRightByte(byte a, int n) => unchecked((byte)(a >> n));
    public static byte UnsignedShiftRightByte(byte a, int n) => unchecked((byte)(a >>> n));
    public static byte ComplementByte(byte a) => unchecked((byte)(~a));
    public static byte NegateByte(byte a) => unchecked((byte)(-a));
    public static bool LessByte(byte a, byte b) => a < b;
    public static bool LessOrEqualByte(byte a, byte b) => a <= b;
    public static bool GreaterByte(byte a, byte b) => a > b;
    public static bool GreaterOrEqualByte(byte a, byte b) => a >= b;
    public static bool EqualByte(byte a, byte b) => a == b;
    public static bool NotEqualByte(byte a, byte b) => a != b;

    public static int BranchesByte(byte a, byte b)
    {
        var r = 0;
        if (a < b) r |= 1;
        if (a <= b) r |= 2;
        if (a > b) r |= 4;
        if (a >= b) r |= 8;
        if (a == b) r |= 16;
        if (a != b) r |= 32;
        return r;
    }

    public static byte StepsByte(byte a, byte b) { unchecked { a++; b--; a += b; b ^= a; a -= 3; a *= b; return a; } }
    public static sbyte AddSbyte(sbyte a, sbyte b) => unchecked((sbyte)(a + b));
    public static sbyte SubtractSbyte(sbyte a, sbyte b) => unchecked((sbyte)(a - b));
    public static sbyte MultiplySbyte(sbyte a, sbyte b) => unchecked((sbyte)(a * b));
    public static sbyte DivideSbyte(sbyte a, sbyte b) => unchecked((sbyte)(a / b));
    public static sbyte RemainderSbyte(sbyte a, sbyte b) => unchecked((sbyte)(a % b));
    public static sbyte AndSbyte(sbyte a, sbyte b) => unchecked((sbyte)(a & b));
    public static sbyte OrSbyte(sbyte a, sbyte b) => unchecked((sbyte)(a | b));
    public static sbyte XorSbyte(sbyte a, sbyte b) => unchecked((sbyte)(a ^ b));
    public static sbyte ShiftLeftSbyte(sbyte a, int n) => unchecked((sbyte)(a << n));
    public static sbyte ShiftRightSbyte(sbyte a, int n) => unchecked((sbyte)(a >> n));
    public static sbyte UnsignedShiftRightSbyte(sbyte a, int n) => unchecked((sbyte)(a >>> n));
    public static sbyte ComplementSbyte(sbyte a) => unchecked((sbyte)(~a));
    public static sbyte NegateSbyte(sbyte a) => unchecked((sbyte)(-a));
    public static bool LessSbyte(sbyte a, sbyte b) => a < b;
    public static bool LessOrEqualSbyte(sbyte a, sbyte b) => a <= b;
    public static bool GreaterSbyte(sbyte a, sbyte b) => a > b;
    public static bool GreaterOrEqualSbyte(sbyte a, sbyte b) => a >= b;
    public static bool EqualSbyte(sbyte a, sbyte b) => a == b;
    public static bool NotEqualSbyte(sbyte a, sbyte b) => a != b;

    public static int BranchesSbyte(sbyte a, sbyte b)
    {
        var r = 0;
        if (a < b) r |= 1;
        if (a <= b) r |= 2;
        if (a > b) r |= 4;
        if (a >= b) r |= 8;
        if (a == b) r |= 16;
        if (a != b) r |= 32;
        return r;
    }

    public static sbyte StepsSbyte(sbyte a, sbyte b)
    {
        unchecked { a++; b--; a += b; b ^= a; a -= 3; a *= b; return a; }
    }
    public static short AddShort(short a, short b) => unchecked((short)(a + b));
    public static short SubtractShort(short a, short b) => unchecked((short)(a - b));
    public static short MultiplyShort(short a, short b) => unchecked((short)(a * b));
    public static short DivideShort(short a, short b) => unchecked((short)(a / b));
    public static short RemainderShort(short a, short b) => unchecked((short)(a % b));
    public static short AndShort(short a, short b) => unchecked((short)(a & b));
    public static short OrShort(short a, short b) => unchecked((short)(a | b));
    public static short XorShort(short a, short b) => unchecked((short)(a ^ b));
    public static short ShiftLeftShort(short a, int n) => unchecked((short)(a << n));
    public static short ShiftRightShort(short a, int n) => unchecked((short)(a >> n));
    public static short UnsignedShiftRightShort(short a, int n) => unchecked((short)(a >>> n));
    public static short ComplementShort(short a) => unchecked((short)(~a));
    public static short NegateShort(short a) => unchecked((short)(-a));
    public static bool LessShort(short a, short b) => a < b;
    public static bool LessOrEqualShort(short a, short b) => a <= b;
    public static bool GreaterShort(short a, short b) => a > b;
    public static bool GreaterOrEqualShort(short a, short b) => a >= b;
    public static bool EqualShort(short a, short b) => a == b;
    public static bool NotEqualShort(short a, short b) => a != b;

    public static int BranchesShort(short a, short b)
    {
        var r = 0;
        if (a < b) r |= 1;
        if (a <= b) r |= 2;
        if (a > b) r |= 4;
        if (a >= b) r |= 8;
        if (a == b) r |= 16;
        if (a != b) r |= 32;
        return r;
    }

    public static short StepsShort(short a, short b)
    {
        unchecked { a++; b--; a += b; b ^= a; a -= 3; a *= b; return a; }
    }
    public static ushort AddUshort(ushort a, ushort b) => unchecked((ushort)(a + b));
    public static ushort SubtractUshort(ushort a, ushort b) => unchecked((ushort)(a - b));
    public static ushort MultiplyUshort(ushort a, ushort b) => unchecked((ushort)(a * b));
    public static ushort DivideUshort(ushort a, ushort b) => unchecked((ushort)(a / b));
    public static ushort RemainderUshort(ushort a, ushort b) => unchecked((ushort)(a % b));
    public static ushort AndUshort(ushort a, ushort b) => unchecked((ushort)(a & b));
    public static ushort OrUshort(ushort a, ushort b) => unchecked((ushort)(a | b));
    public static ushort XorUshort(ushort a, ushort b) => unchecked((ushort)(a ^ b));
    public static ushort ShiftLeftUshort(ushort a, int n) => unchecked((ushort)(a << n));
    public static ushort ShiftRightUshort(ushort a, int n) => unchecked((ushort)(a >> n));
    public static ushort UnsignedShiftRightUshort(ushort a, int n) => unchecked((ushort)(a >>> n));
    public static ushort ComplementUshort(ushort a) => unchecked((ushort)(~a));
    public static ushort NegateUshort(ushort a) => unchecked((ushort)(-a));
    public static bool LessUshort(ushort a, ushort b) => a < b;
    public static bool LessOrEqualUshort(ushort a, ushort b) => a <= b;
    public static bool GreaterUshort(ushort a, ushort b) => a > b;
    public static bool GreaterOrEqualUshort(ushort a, ushort b) => a >= b;
    public static bool EqualUshort(ushort a, ushort b) => a == b;
    public static bool NotEqualUshort(ushort a, ushort b) => a != b;

    public static int BranchesUshort(ushort a, ushort b)
    {
        var r = 0;
        if (a < b) r |= 1;
        if (a <= b) r |= 2;
        if (a > b) r |= 4;
        if (a >= b) r |= 8;
        if (a == b) r |= 16;
        if (a != b) r |= 32;
        return r;
    }

    public static ushort StepsUshort(ushort a, ushort b)
    {
        unchecked { a++; b--; a += b; b ^= a; a -= 3; a *= b; return a; }
    }
    public static int AddInt(int a, int b) => unchecked(a + b);
    public static int SubtractInt(int a, int b) => unchecked(a - b);
    public static int MultiplyInt(int a, int b) => unchecked(a * b);
    public static int DivideInt(int a, int b) => unchecked(a / b);
    public static int RemainderInt(int a, int b) => unchecked(a % b);
    public static int AndInt(int a, int b) => unchecked(a & b);
    public static int OrInt(int a, int b) => unchecked(a | b);
    public static int XorInt(int a, int b) => unchecked(a ^ b);
    public static int ShiftLeftInt(int a, int n) => unchecked((a << n));
    public static int ShiftRightInt(int a, int n) => unchecked((a >> n));
    public static int UnsignedShiftRightInt(int a, int n) => unchecked((a >>> n));
    public static int ComplementInt(int a) => unchecked((int)(~a));
    public static int NegateInt(int a) => unchecked((int)(-a));
    public static bool LessInt(int a, int b) => a < b;
    public static bool LessOrEqualInt(int a, int b) => a <= b;
    public static bool GreaterInt(int a, int b) => a > b;
    public static bool GreaterOrEqualInt(int a, int b) => a >= b;
    public static bool EqualInt(int a, int b) => a == b;
    public static bool NotEqualInt(int a, int b) => a != b;

    public static int BranchesInt(int a, int b)
    {
        var r = 0;
        if (a < b) r |= 1;
        if (a <= b) r |= 2;
        if (a > b) r |= 4;
        if (a >= b) r |= 8;
        if (a == b) r |= 16;
        if (a != b) r |= 32;
        return r;
    }

    public static int StepsInt(int a, int b) { unchecked { a++; b--; a += b; b ^= a; a -= 3; a *= b; return a; } }
    public static uint AddUint(uint a, uint b) => unchecked(a + b);
    public static uint SubtractUint(uint a, uint b) => unchecked(a - b);
    public static uint MultiplyUint(uint a, uint b) => unchecked(a * b);
    public static uint DivideUint(uint a, uint b) => unchecked(a / b);
    public static uint RemainderUint(uint a, uint b) => unchecked(a % b);
    public static uint AndUint(uint a, uint b) => unchecked(a & b);
    public static uint OrUint(uint a, uint b) => unchecked(a | b);
    public static uint XorUint(uint a, uint b) => unchecked(a ^ b);
    public static uint ShiftLeftUint(uint a, int n) => unchecked((a << n));
    public static uint ShiftRightUint(uint a, int n) => unchecked((a >> n));
    public static uint UnsignedShiftRightUint(uint a, int n) => unchecked((a >>> n));
    public static uint ComplementUint(uint a) => unchecked((uint)(~a));
    public static uint NegateUint(uint a) => unchecked((uint)(-a));
    public static bool LessUint(uint a, uint b) => a < b;
    public static bool LessOrEqualUint(uint a, uint b) => a <= b;
    public static bool GreaterUint(uint a, uint b) => a > b;
    public static bool GreaterOrEqualUint(uint a, uint b) => a >= b;
    public static bool EqualUint(uint a, uint b) => a == b;
    public static bool NotEqualUint(uint a, uint b) => a != b;

    public static int BranchesUint(uint a, uint b)
    {
        var r = 0;
        if (a < b) r |= 1;
        if (a <= b) r |= 2;
        if (a > b) r |= 4;
        if (a >= b) r |= 8;
        if (a == b) r |= 16;
        if (a != b) r |= 32;
        return r;
    }

    public static uint StepsUint(uint a, uint b) { unchecked { a++; b--; a += b; b ^= a; a -= 3; a *= b; return a; } }
    public static long AddLong(long a, long b) => unchecked(a + b);
    public static long SubtractLong(long a, long b) => unchecked(a - b);
    public static long MultiplyLong(long a, long b) => unchecked(a * b);
    public static long DivideLong(long a, long b) => unchecked(a / b);
    public static long RemainderLong(long a, long b) => unchecked(a % b);
    public static long AndLong(long a, long b) => unchecked(a & b);
    public static long OrLong(long a, long b) => unchecked(a | b);
    public static long XorLong(long a, long b) => unchecked(a ^ b);
    public static long ShiftLeftLong(long a, int n) => unchecked((a << n));
    public static long ShiftRightLong(long a, int n) => unchecked((a >> n));
    public static long UnsignedShiftRightLong(long a, int n) => unchecked((a >>> n));
    public static long ComplementLong(long a) => unchecked((long)(~a));
    public static long NegateLong(long a) => unchecked((long)(-a));
    public static bool LessLong(long a, long b) => a < b;
    public static bool LessOrEqualLong(long a, long b) => a <= b;
    public static bool GreaterLong(long a, long b) => a > b;
    public static bool GreaterOrEqualLong(long a, long b) => a >= b;
    public static bool EqualLong(long a, long b) => a == b;
    public static bool NotEqualLong(long a, long b) => a != b;

    public static int BranchesLong(long a, long b)
    {
        var r = 0;
        if (a < b) r |= 1;
        if (a <= b) r |= 2;
        if (a > b) r |= 4;
        if (a >= b) r |= 8;
        if (a == b) r |= 16;
        if (a != b) r |= 32;
        return r;
    }

    public static long StepsLong(long a, long b) { unchecked { a++; b--; a += b; b ^= a; a -= 3; a *= b; return a; } }
    public static ulong AddUlong(ulong a, ulong b) => unchecked(a + b);
    public static ulong SubtractUlong(ulong a, ulong b) => unchecked(a - b);
    public static ulong MultiplyUlong(ulong a, ulong b) => unchecked(a * b);
    public static ulong DivideUlong(ulong a, ulong b) => unchecked(a / b);
    public static ulong RemainderUlong(ulong a, ulong b) => unchecked(a % b);
    public static ulong AndUlong(ulong a, ulong b) => unchecked(a & b);
    public static ulong OrUlong(ulong a, ulong b) => unchecked(a | b);
    public static ulong XorUlong(ulong a, ulong b) => unchecked(a ^ b);
    public static ulong ShiftLeftUlong(ulong a, int n) => unchecked((a << n));
    public static ulong ShiftRightUlong(ulong a, int n) => unchecked((a >> n));
    public static ulong UnsignedShiftRightUlong(ulong a, int n) => unchecked((a >>> n));
    public static ulong ComplementUlong(ulong a) => unchecked((ulong)(~a));
    public static bool LessUlong(ulong a, ulong b) => a < b;
    public static bool LessOrEqualUlong(ulong a, ulong b) => a <= b;
    public static bool GreaterUlong(ulong a, ulong b) => a > b;
    public static bool GreaterOrEqualUlong(ulong a, ulong b) => a >= b;
    public static bool EqualUlong(ulong a, ulong b) => a == b;
    public static bool NotEqualUlong(ulong a, ulong b) => a != b;

    public static int BranchesUlong(ulong a, ulong b)
    {
        var r = 0;
        if (a < b) r |= 1;
        if (a <= b) r |= 2;
        if (a > b) r |= 4;
        if (a >= b) r |= 8;
        if (a == b) r |= 16;
        if (a != b) r |= 32;
        return r;
    }

    public static ulong StepsUlong(ulong a, ulong b)
    {
        unchecked { a++; b--; a += b; b ^= a; a -= 3; a *= b; return a; }
    }
    public static nint AddNint(nint a, nint b) => unchecked(a + b);
    public static nint SubtractNint(nint a, nint b) => unchecked(a - b);
    public static nint MultiplyNint(nint a, nint b) => unchecked(a * b);
    public static nint DivideNint(nint a, nint b) => unchecked(a / b);
    public static nint RemainderNint(nint a, nint b) => unchecked(a % b);
    public static nint AndNint(nint a, nint b) => unchecked(a & b);
    public static nint OrNint(nint a, nint b) => unchecked(a | b);
    public static nint XorNint(nint a, nint b) => unchecked(a ^ b);
    public static nint ShiftLeftNint(nint a, int n) => unchecked((a << n));
    public static nint ShiftRightNint(nint a, int n) => unchecked((a >> n));
    public static nint UnsignedShiftRightNint(nint a, int n) => unchecked((a >>> n));
    public static nint ComplementNint(nint a) => unchecked((nint)(~a));
    public static nint NegateNint(nint a) => unchecked((nint)(-a));
    public static bool LessNint(nint a, nint b) => a < b;
    public static bool LessOrEqualNint(nint a, nint b) => a <= b;
    public static bool GreaterNint(nint a, nint b) => a > b;
    public static bool GreaterOrEqualNint(nint a, nint b) => a >= b;
    public static bool EqualNint(nint a, nint b) => a == b;
    public static bool NotEqualNint(nint a, nint b) => a != b;

    public static int BranchesNint(nint a, nint b)
    {
        var r = 0;
        if (a < b) r |= 1;
        if (a <= b) r |= 2;
        if (a > b) r |= 4;
        if (a >= b) r |= 8;
        if (a == b) r |= 16;
        if (a != b) r |= 32;
        return r;
    }

    public static nint StepsNint(nint a, nint b) { unchecked { a++; b--; a += b; b ^= a; a -= 3; a *= b; return a; } }
    public static nuint AddNuint(nuint a, nuint b) => unchecked(a + b);
    public static nuint SubtractNuint(nuint a, nuint b) => unchecked(a - b);
    public static nuint MultiplyNuint(nuint a, nuint b) => unchecked(a * b);
    public static nuint DivideNuint(nuint a, nuint b) => unchecked(a / b);
    public static nuint RemainderNuint(nuint a, nuint b) => unchecked(a % b);
    public static nuint AndNuint(nuint a, nuint b) => unchecked(a & b);
    public static nuint OrNuint(nuint a, nuint b) => unchecked(a | b);
    public static nuint XorNuint(nuint a, nuint b) => unchecked(a ^ b);
    public static nuint ShiftLeftNuint(nuint a, int n) => unchecked((a << n));
    public static nuint ShiftRightNuint(nuint a, int n) => unchecked((a >> n));
    public static nuint UnsignedShiftRightNuint(nuint a, int n) => unchecked((a >>> n));
    public static nuint ComplementNuint(nuint a) => unchecked((nuint)(~a));
    public static bool LessNuint(nuint a, nuint b) => a < b;
    public static bool LessOrEqualNuint(nuint a, nuint b) => a <= b;
    public static bool GreaterNuint(nuint a, nuint b) => a > b;
    public static bool GreaterOrEqualNuint(nuint a, nuint b) => a >= b;
    public static bool EqualNuint(nuint a, nuint b) => a == b;
    public static bool NotEqualNuint(nuint a, nuint b) => a != b;

    public static int BranchesNuint(nuint a, nuint b)
    {
        var r = 0;
        if (a < b) r |= 1;
        if (a <= b) r |= 2;
        if (a > b) r |= 4;
        if (a >= b) r |= 8;
        if (a == b) r |= 16;
        if (a != b) r |= 32;
        return r;
    }

    public static nuint StepsNuint(nuint a, nuint b)
    {
        unchecked { a++; b--; a += b; b ^= a; a -= 3; a *= b; return a; }
    }
    public static char AddChar(char a, char b) => unchecked((char)(a + b));
    public static char SubtractChar(char a, char b) => unchecked((char)(a - b));
    public static char MultiplyChar(char a, char b) => unchecked((char)(a * b));
    public static char DivideChar(char a, char b) => unchecked((char)(a / b));
    public static char RemainderChar(char a, char b) => unchecked((char)(a % b));
    public static char AndChar(char a, char b) => unchecked((char)(a & b));
    public static char OrChar(char a, char b) => unchecked((char)(a | b));
    public static char XorChar(char a, char b) => unchecked((char)(a ^ b));
    public static char ShiftLeftChar(char a, int n) => unchecked((char)(a << n));
    public static char ShiftRightChar(char a, int n) => unchecked((char)(a >> n));
    public static char UnsignedShiftRightChar(char a, int n) => unchecked((char)(a >>> n));
    public static char ComplementChar(char a) => unchecked((char)(~a));
    public static char NegateChar(char a) => unchecked((char)(-a));
    public static bool LessChar(char a, char b) => a < b;
    public static bool LessOrEqualChar(char a, char b) => a <= b;
    public static bool GreaterChar(char a, char b) => a > b;
    public static bool GreaterOrEqualChar(char a, char b) => a >= b;
    public static bool EqualChar(char a, char b) => a == b;
    public static bool NotEqualChar(char a, char b) => a != b;

    public static int BranchesChar(char a, char b)
    {
        var r = 0;
        if (a < b) r |= 1;
        if (a <= b) r |= 2;
        if (a > b) r |= 4;
        if (a >= b) r |= 8;
        if (a == b) r |= 16;
        if (a != b) r |= 32;
        return r;
    }

    public static char StepsChar(char a, char b)
    {
        unchecked { a++; b--; a += b; b ^= a; a -= (char)3; a *= b; return a; }
    }
    public static Int128 AddInt128(Int128 a, Int128 b) => unchecked(a + b);
    public static Int128 SubtractInt128(Int128 a, Int128 b) => unchecked(a - b);
    public static Int128 MultiplyInt128(Int128 a, Int128 b) => unchecked(a * b);
    public static Int128 DivideInt128(Int128 a, Int128 b) => unchecked(a / b);
    public static Int128 RemainderInt128(Int128 a, Int128 b) => unchecked(a % b);
    public static Int128 AndInt128(Int128 a, Int128 b) => unchecked(a & b);
    public static Int128 OrInt128(Int128 a, Int128 b) => unchecked(a | b);
    public static Int128 XorInt128(Int128 a, Int128 b) => unchecked(a ^ b);
    public static Int128 ShiftLeftInt128(Int128 a, int n) => unchecked((a << n));
    public static Int128 ShiftRightInt128(Int128 a, int n) => unchecked((a >> n));
    public static Int128 UnsignedShiftRightInt128(Int128 a, int n) => unchecked((a >>> n));
    public static Int128 ComplementInt128(Int128 a) => unchecked((Int128)(~a));
    public static Int128 NegateInt128(Int128 a) => unchecked((Int128)(-a));
    public static bool LessInt128(Int128 a, Int128 b) => a < b;
    public static bool LessOrEqualInt128(Int128 a, Int128 b) => a <= b;
    public static bool GreaterInt128(Int128 a, Int128 b) => a > b;
    public static bool GreaterOrEqualInt128(Int128 a, Int128 b) => a >= b;
    public static bool EqualInt128(Int128 a, Int128 b) => a == b;
    public static bool NotEqualInt128(Int128 a, Int128 b) => a != b;

    public static int BranchesInt128(Int128 a, Int128 b)
    {
        var r = 0;
        if (a < b) r |= 1;
        if (a <= b) r |= 2;
        if (a > b) r |= 4;
        if (a >= b) r |= 8;
        if (a == b) r |= 16;
        if (a != b) r |= 32;
        return r;
    }

    public static Int128 StepsInt128(Int128 a, Int128 b)
    {
        unchecked { a++; b--; a += b; b ^= a; a -= 3; a *= b; return a; }
    }
    public static UInt128 AddUInt128(UInt128 a, UInt128 b) => unchecked(a + b);
    public static UInt128 SubtractUInt128(UInt128 a, UInt128 b) => unchecked(a - b);
    public static UInt128 MultiplyUInt128(UInt128 a, UInt128 b) => unchecked(a * b);
    public static UInt128 DivideUInt128(UInt128 a, UInt128 b) => unchecked(a / b);
    public static UInt128 RemainderUInt128(UInt128 a, UInt128 b) => unchecked(a % b);
    public static UInt128 AndUInt128(UInt128 a, UInt128 b) => unchecked(a & b);
    public static UInt128 OrUInt128(UInt128 a, UInt128 b) => unchecked(a | b);
    public static UInt128 XorUInt128(UInt128 a, UInt128 b) => unchecked(a ^ b);
    public static UInt128 ShiftLeftUInt128(UInt128 a, int n) => unchecked((a << n));
    public static UInt128 ShiftRightUInt128(UInt128 a, int n) => unchecked((a >> n));
    public static UInt128 UnsignedShiftRightUInt128(UInt128 a, int n) => unchecked((a >>> n));
    public static UInt128 ComplementUInt128(UInt128 a) => unchecked((UInt128)(~a));
    public static UInt128 NegateUInt128(UInt128 a) => unchecked((UInt128)(-a));
    public static bool LessUInt128(UInt128 a, UInt128 b) => a < b;
    public static bool LessOrEqualUInt128(UInt128 a, UInt128 b) => a <= b;
    public static bool GreaterUInt128(UInt128 a, UInt128 b) => a > b;
    public static bool GreaterOrEqualUInt128(UInt128 a, UInt128 b) => a >= b;
    public static bool EqualUInt128(UInt128 a, UInt128 b) => a == b;
    public static bool NotEqualUInt128(UInt128 a, UInt128 b) => a != b;

    public static int BranchesUInt128(UInt128 a, UInt128 b)
    {
        var r = 0;
        if (a < b) r |= 1;
        if (a <= b) r |= 2;
        if (a > b) r |= 4;
        if (a >= b) r |= 8;
        if (a == b) r |= 16;
        if (a != b) r |= 32;
        return r;
    }

    public static UInt128 StepsUInt128(UInt128 a, UInt128 b)
    {
        unchecked { a++; b--; a += b; b ^= a; a -= 3; a *= b; return a; }
    }

    public static bool SumIsMoreByte(byte a) => unchecked((byte)(a + 200)) > a;
    public static bool SumIsMoreUshort(ushort a) => unchecked((ushort)(a + 300)) > a;
    public static bool SumIsMoreUint(uint a) => unchecked(a + 300) > a;
    public static bool SumIsMoreUlong(ulong a) => unchecked(a + 300) > a;
    public static bool SumIsMoreThanHigh(ulong a) => unchecked((uint)(a >> 33) + 300u) > (uint)(a >> 33);
}
