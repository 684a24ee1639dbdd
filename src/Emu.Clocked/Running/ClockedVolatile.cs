namespace Emu.Clocked;

/// <summary>
/// <see cref="Volatile"/> in a program with several threads: reads and writes as any other, since only a pause orders
/// them.
/// </summary>
public static class ClockedVolatile
{
    /// <summary>The value that the running thread sees.</summary>
    public static bool Read(ref readonly bool location) => location;

    /// <summary>Writes a value, which others see behind the edge.</summary>
    public static void Write(ref bool location, bool value) => Places.Store(ref location, value);

    /// <summary>The value that the running thread sees.</summary>
    public static byte Read(ref readonly byte location) => location;

    /// <summary>Writes a value, which others see behind the edge.</summary>
    public static void Write(ref byte location, byte value) => Places.Store(ref location, value);

    /// <summary>The value that the running thread sees.</summary>
    public static sbyte Read(ref readonly sbyte location) => location;

    /// <summary>Writes a value, which others see behind the edge.</summary>
    public static void Write(ref sbyte location, sbyte value) => Places.Store(ref location, value);

    /// <summary>The value that the running thread sees.</summary>
    public static short Read(ref readonly short location) => location;

    /// <summary>Writes a value, which others see behind the edge.</summary>
    public static void Write(ref short location, short value) => Places.Store(ref location, value);

    /// <summary>The value that the running thread sees.</summary>
    public static ushort Read(ref readonly ushort location) => location;

    /// <summary>Writes a value, which others see behind the edge.</summary>
    public static void Write(ref ushort location, ushort value) => Places.Store(ref location, value);

    /// <summary>The value that the running thread sees.</summary>
    public static int Read(ref readonly int location) => location;

    /// <summary>Writes a value, which others see behind the edge.</summary>
    public static void Write(ref int location, int value) => Places.Store(ref location, value);

    /// <summary>The value that the running thread sees.</summary>
    public static uint Read(ref readonly uint location) => location;

    /// <summary>Writes a value, which others see behind the edge.</summary>
    public static void Write(ref uint location, uint value) => Places.Store(ref location, value);

    /// <summary>The value that the running thread sees.</summary>
    public static long Read(ref readonly long location) => location;

    /// <summary>Writes a value, which others see behind the edge.</summary>
    public static void Write(ref long location, long value) => Places.Store(ref location, value);

    /// <summary>The value that the running thread sees.</summary>
    public static ulong Read(ref readonly ulong location) => location;

    /// <summary>Writes a value, which others see behind the edge.</summary>
    public static void Write(ref ulong location, ulong value) => Places.Store(ref location, value);
}
