namespace Suite;

/// <summary>Operands of different types: promotion to int, long, and the constants that are one or the other.</summary>
public static class MixedPromotion
{
    public static int ByteTimesUshort(byte a, ushort b) => a * b;

    public static int SbyteMinusByte(sbyte a, byte b) => a - b;

    public static long IntPlusUint(int a, uint b) => a + b;

    public static long UintNegated(uint a) => -a;

    public static int UshortSquare(ushort a) => unchecked(a * a);

    public static ulong ByteShiftedFar(byte a, int n) => (ulong)a << n;

    public static int ByteShiftedAsInt(byte a, int n) => a << n;

    public static byte CompoundByte(byte a, int b)
    {
        a += (byte)b;
        a <<= 3;
        a >>= 1;
        a -= 200;
        return a;
    }

    public static short CompoundShort(short a, ushort b)
    {
        unchecked
        {
            a += (short)b;
            a *= 7;
            a ^= -1;
            return a;
        }
    }

    public static bool MixedCompare(int a, uint b) => a < b;

    public static bool ByteIsBelowMinusOne(byte a, sbyte b) => b < a;

    public static int CharPlusByte(char a, byte b) => a + b;

    public static char NextChar(char a) => (char)(a + 1);

    public static uint RotateByHand(uint a, int n) => a << n | a >> 32 - n;

    public static int ShiftOfNegative(int a) => (a >> 31) + (a >>> 28) + (a << 30);

    public static ulong Masks(ulong a) => (a & 0xFFFF_FFFF_0000_0000) >> 32 | a << 63;

    public static long SignExtendedByHand(long a) => a << 40 >> 40;

    public static nint NativeAndInt(nint a, int b) => a + b;

    public static nuint NativeUnsigned(nuint a, uint b) => a * b;

    public static bool Logic(bool a, bool b, int c) => a & !b | b ^ (c > 0) && (a || c < -5);

    public static int ShortCircuit(int a, int b) => b != 0 && a / b > 2 || a == b ? 1 : 0;

    public static int Ternaries(int a, int b) => a < b ? a < 0 ? -a : b : b == 0 ? 17 : a % b;
}
