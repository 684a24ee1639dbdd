namespace Suite;

/// <summary>Every conversion between integer types, unchecked: cut, extended by zeros or by the sign.</summary>
public static class Conversions
{
    public static UInt128 FromByte(byte a)
    {
        UInt128 r = 0;
        Mix(ref r, unchecked((UInt128)(sbyte)a));
        Mix(ref r, unchecked((UInt128)(short)a)); Mix(ref r, unchecked((UInt128)(ushort)a));
        Mix(ref r, unchecked((UInt128)(int)a));
        Mix(ref r, unchecked((UInt128)(uint)a)); Mix(ref r, unchecked((UInt128)(long)a));
        Mix(ref r, unchecked((UInt128)(ulong)a));
        Mix(ref r, unchecked((UInt128)(nint)a)); Mix(ref r, unchecked((UInt128)(nuint)a));
        Mix(ref r, unchecked((UInt128)(char)a));
        Mix(ref r, unchecked((UInt128)(Int128)a)); Mix(ref r, unchecked((UInt128)(UInt128)a));
        return r;
    }

    public static UInt128 FromSbyte(sbyte a)
    {
        UInt128 r = 0;
        Mix(ref r, unchecked((UInt128)(byte)a));
        Mix(ref r, unchecked((UInt128)(short)a)); Mix(ref r, unchecked((UInt128)(ushort)a));
        Mix(ref r, unchecked((UInt128)(int)a));
        Mix(ref r, unchecked((UInt128)(uint)a)); Mix(ref r, unchecked((UInt128)(long)a));
        Mix(ref r, unchecked((UInt128)(ulong)a));
        Mix(ref r, unchecked((UInt128)(nint)a)); Mix(ref r, unchecked((UInt128)(nuint)a));
        Mix(ref r, unchecked((UInt128)(char)a));
        Mix(ref r, unchecked((UInt128)(Int128)a)); Mix(ref r, unchecked((UInt128)(UInt128)a));
        return r;
    }

    public static UInt128 FromShort(short a)
    {
        UInt128 r = 0;
        Mix(ref r, unchecked((UInt128)(byte)a));
        Mix(ref r, unchecked((UInt128)(sbyte)a)); Mix(ref r, unchecked((UInt128)(ushort)a));
        Mix(ref r, unchecked((UInt128)(int)a));
        Mix(ref r, unchecked((UInt128)(uint)a)); Mix(ref r, unchecked((UInt128)(long)a));
        Mix(ref r, unchecked((UInt128)(ulong)a));
        Mix(ref r, unchecked((UInt128)(nint)a)); Mix(ref r, unchecked((UInt128)(nuint)a));
        Mix(ref r, unchecked((UInt128)(char)a));
        Mix(ref r, unchecked((UInt128)(Int128)a)); Mix(ref r, unchecked((UInt128)(UInt128)a));
        return r;
    }

    public static UInt128 FromUshort(ushort a)
    {
        UInt128 r = 0;
        Mix(ref r, unchecked((UInt128)(byte)a));
        Mix(ref r, unchecked((UInt128)(sbyte)a)); Mix(ref r, unchecked((UInt128)(short)a));
        Mix(ref r, unchecked((UInt128)(int)a));
        Mix(ref r, unchecked((UInt128)(uint)a)); Mix(ref r, unchecked((UInt128)(long)a));
        Mix(ref r, unchecked((UInt128)(ulong)a));
        Mix(ref r, unchecked((UInt128)(nint)a)); Mix(ref r, unchecked((UInt128)(nuint)a));
        Mix(ref r, unchecked((UInt128)(char)a));
        Mix(ref r, unchecked((UInt128)(Int128)a)); Mix(ref r, unchecked((UInt128)(UInt128)a));
        return r;
    }

    public static UInt128 FromInt(int a)
    {
        UInt128 r = 0;
        Mix(ref r, unchecked((UInt128)(byte)a));
        Mix(ref r, unchecked((UInt128)(sbyte)a)); Mix(ref r, unchecked((UInt128)(short)a));
        Mix(ref r, unchecked((UInt128)(ushort)a));
        Mix(ref r, unchecked((UInt128)(uint)a)); Mix(ref r, unchecked((UInt128)(long)a));
        Mix(ref r, unchecked((UInt128)(ulong)a));
        Mix(ref r, unchecked((UInt128)(nint)a)); Mix(ref r, unchecked((UInt128)(nuint)a));
        Mix(ref r, unchecked((UInt128)(char)a));
        Mix(ref r, unchecked((UInt128)(Int128)a)); Mix(ref r, unchecked((UInt128)(UInt128)a));
        return r;
    }

    public static UInt128 FromUint(uint a)
    {
        UInt128 r = 0;
        Mix(ref r, unchecked((UInt128)(byte)a));
        Mix(ref r, unchecked((UInt128)(sbyte)a)); Mix(ref r, unchecked((UInt128)(short)a));
        Mix(ref r, unchecked((UInt128)(ushort)a));
        Mix(ref r, unchecked((UInt128)(int)a)); Mix(ref r, unchecked((UInt128)(long)a));
        Mix(ref r, unchecked((UInt128)(ulong)a));
        Mix(ref r, unchecked((UInt128)(nint)a)); Mix(ref r, unchecked((UInt128)(nuint)a));
        Mix(ref r, unchecked((UInt128)(char)a));
        Mix(ref r, unchecked((UInt128)(Int128)a)); Mix(ref r, unchecked((UInt128)(UInt128)a));
        return r;
    }

    public static UInt128 FromLong(long a)
    {
        UInt128 r = 0;
        Mix(ref r, unchecked((UInt128)(byte)a));
        Mix(ref r, unchecked((UInt128)(sbyte)a)); Mix(ref r, unchecked((UInt128)(short)a));
        Mix(ref r, unchecked((UInt128)(ushort)a));
        Mix(ref r, unchecked((UInt128)(int)a)); Mix(ref r, unchecked((UInt128)(uint)a));
        Mix(ref r, unchecked((UInt128)(ulong)a));
        Mix(ref r, unchecked((UInt128)(nint)a)); Mix(ref r, unchecked((UInt128)(nuint)a));
        Mix(ref r, unchecked((UInt128)(char)a));
        Mix(ref r, unchecked((UInt128)(Int128)a)); Mix(ref r, unchecked((UInt128)(UInt128)a));
        return r;
    }

    public static UInt128 FromUlong(ulong a)
    {
        UInt128 r = 0;
        Mix(ref r, unchecked((UInt128)(byte)a));
        Mix(ref r, unchecked((UInt128)(sbyte)a)); Mix(ref r, unchecked((UInt128)(short)a));
        Mix(ref r, unchecked((UInt128)(ushort)a));
        Mix(ref r, unchecked((UInt128)(int)a)); Mix(ref r, unchecked((UInt128)(uint)a));
        Mix(ref r, unchecked((UInt128)(long)a));
        Mix(ref r, unchecked((UInt128)(nint)a)); Mix(ref r, unchecked((UInt128)(nuint)a));
        Mix(ref r, unchecked((UInt128)(char)a));
        Mix(ref r, unchecked((UInt128)(Int128)a)); Mix(ref r, unchecked((UInt128)(UInt128)a));
        return r;
    }

    public static UInt128 FromNint(nint a)
    {
        UInt128 r = 0;
        Mix(ref r, unchecked((UInt128)(byte)a));
        Mix(ref r, unchecked((UInt128)(sbyte)a)); Mix(ref r, unchecked((UInt128)(short)a));
        Mix(ref r, unchecked((UInt128)(ushort)a));
        Mix(ref r, unchecked((UInt128)(int)a)); Mix(ref r, unchecked((UInt128)(uint)a));
        Mix(ref r, unchecked((UInt128)(long)a));
        Mix(ref r, unchecked((UInt128)(ulong)a)); Mix(ref r, unchecked((UInt128)(nuint)a));
        Mix(ref r, unchecked((UInt128)(char)a));
        Mix(ref r, unchecked((UInt128)(Int128)a)); Mix(ref r, unchecked((UInt128)(UInt128)a));
        return r;
    }

    public static UInt128 FromNuint(nuint a)
    {
        UInt128 r = 0;
        Mix(ref r, unchecked((UInt128)(byte)a));
        Mix(ref r, unchecked((UInt128)(sbyte)a)); Mix(ref r, unchecked((UInt128)(short)a));
        Mix(ref r, unchecked((UInt128)(ushort)a));
        Mix(ref r, unchecked((UInt128)(int)a)); Mix(ref r, unchecked((UInt128)(uint)a));
        Mix(ref r, unchecked((UInt128)(long)a));
        Mix(ref r, unchecked((UInt128)(ulong)a)); Mix(ref r, unchecked((UInt128)(nint)a));
        Mix(ref r, unchecked((UInt128)(char)a));
        Mix(ref r, unchecked((UInt128)(Int128)a)); Mix(ref r, unchecked((UInt128)(UInt128)a));
        return r;
    }

    public static UInt128 FromChar(char a)
    {
        UInt128 r = 0;
        Mix(ref r, unchecked((UInt128)(byte)a));
        Mix(ref r, unchecked((UInt128)(sbyte)a)); Mix(ref r, unchecked((UInt128)(short)a));
        Mix(ref r, unchecked((UInt128)(ushort)a));
        Mix(ref r, unchecked((UInt128)(int)a)); Mix(ref r, unchecked((UInt128)(uint)a));
        Mix(ref r, unchecked((UInt128)(long)a));
        Mix(ref r, unchecked((UInt128)(ulong)a)); Mix(ref r, unchecked((UInt128)(nint)a));
        Mix(ref r, unchecked((UInt128)(nuint)a));
        Mix(ref r, unchecked((UInt128)(Int128)a)); Mix(ref r, unchecked((UInt128)(UInt128)a));
        return r;
    }

    public static UInt128 FromInt128(Int128 a)
    {
        UInt128 r = 0;
        Mix(ref r, unchecked((UInt128)(byte)a));
        Mix(ref r, unchecked((UInt128)(sbyte)a)); Mix(ref r, unchecked((UInt128)(short)a));
        Mix(ref r, unchecked((UInt128)(ushort)a));
        Mix(ref r, unchecked((UInt128)(int)a)); Mix(ref r, unchecked((UInt128)(uint)a));
        Mix(ref r, unchecked((UInt128)(long)a));
        Mix(ref r, unchecked((UInt128)(ulong)a)); Mix(ref r, unchecked((UInt128)(nint)a));
        Mix(ref r, unchecked((UInt128)(nuint)a));
        Mix(ref r, unchecked((UInt128)(char)a)); Mix(ref r, unchecked((UInt128)(UInt128)a));
        return r;
    }

    public static UInt128 FromUInt128(UInt128 a)
    {
        UInt128 r = 0;
        Mix(ref r, unchecked((UInt128)(byte)a));
        Mix(ref r, unchecked((UInt128)(sbyte)a)); Mix(ref r, unchecked((UInt128)(short)a));
        Mix(ref r, unchecked((UInt128)(ushort)a));
        Mix(ref r, unchecked((UInt128)(int)a)); Mix(ref r, unchecked((UInt128)(uint)a));
        Mix(ref r, unchecked((UInt128)(long)a));
        Mix(ref r, unchecked((UInt128)(ulong)a)); Mix(ref r, unchecked((UInt128)(nint)a));
        Mix(ref r, unchecked((UInt128)(nuint)a));
        Mix(ref r, unchecked((UInt128)(char)a)); Mix(ref r, unchecked((UInt128)(Int128)a));
        return r;
    }

    private static void Mix(ref UInt128 sum, UInt128 next) => sum = (sum << 7 | sum >> 121) ^ next;
}
