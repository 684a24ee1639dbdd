namespace Emu.Clocked;

/// <summary>
/// <see cref="Interlocked"/> in a program with several threads: what it does is done in one cycle. It is a read and a
/// write as any other, so two threads that change one variable in one cycle are an error.
/// </summary>
public static class ClockedInterlocked
{
    /// <summary>Adds one; gives the sum.</summary>
    public static int Increment(ref int location) => Add(ref location, 1);

    /// <summary>Adds one; gives the sum.</summary>
    public static uint Increment(ref uint location) => Add(ref location, 1);

    /// <summary>Adds one; gives the sum.</summary>
    public static long Increment(ref long location) => Add(ref location, 1);

    /// <summary>Adds one; gives the sum.</summary>
    public static ulong Increment(ref ulong location) => Add(ref location, 1);

    /// <summary>Takes one away; gives what is left.</summary>
    public static int Decrement(ref int location) => Add(ref location, -1);

    /// <summary>Takes one away; gives what is left.</summary>
    public static uint Decrement(ref uint location) => Add(ref location, uint.MaxValue);

    /// <summary>Takes one away; gives what is left.</summary>
    public static long Decrement(ref long location) => Add(ref location, -1);

    /// <summary>Takes one away; gives what is left.</summary>
    public static ulong Decrement(ref ulong location) => Add(ref location, ulong.MaxValue);

    /// <summary>Adds a number; gives the sum.</summary>
    public static int Add(ref int location1, int value)
    {
        var sum = location1 + value;
        Places.Store(ref location1, sum);
        return sum;
    }

    /// <summary>Adds a number; gives the sum.</summary>
    public static uint Add(ref uint location1, uint value)
    {
        var sum = location1 + value;
        Places.Store(ref location1, sum);
        return sum;
    }

    /// <summary>Adds a number; gives the sum.</summary>
    public static long Add(ref long location1, long value)
    {
        var sum = location1 + value;
        Places.Store(ref location1, sum);
        return sum;
    }

    /// <summary>Adds a number; gives the sum.</summary>
    public static ulong Add(ref ulong location1, ulong value)
    {
        var sum = location1 + value;
        Places.Store(ref location1, sum);
        return sum;
    }

    /// <summary>Writes a number; gives the one before.</summary>
    public static int Exchange(ref int location1, int value)
    {
        var before = location1;
        Places.Store(ref location1, value);
        return before;
    }

    /// <summary>Writes a number; gives the one before.</summary>
    public static uint Exchange(ref uint location1, uint value)
    {
        var before = location1;
        Places.Store(ref location1, value);
        return before;
    }

    /// <summary>Writes a number; gives the one before.</summary>
    public static long Exchange(ref long location1, long value)
    {
        var before = location1;
        Places.Store(ref location1, value);
        return before;
    }

    /// <summary>Writes a number; gives the one before.</summary>
    public static ulong Exchange(ref ulong location1, ulong value)
    {
        var before = location1;
        Places.Store(ref location1, value);
        return before;
    }

    /// <summary>Writes a number where another one is; gives the one before.</summary>
    public static int CompareExchange(ref int location1, int value, int comparand)
    {
        var before = location1;
        if (before == comparand) Places.Store(ref location1, value);
        return before;
    }

    /// <summary>Writes a number where another one is; gives the one before.</summary>
    public static uint CompareExchange(ref uint location1, uint value, uint comparand)
    {
        var before = location1;
        if (before == comparand) Places.Store(ref location1, value);
        return before;
    }

    /// <summary>Writes a number where another one is; gives the one before.</summary>
    public static long CompareExchange(ref long location1, long value, long comparand)
    {
        var before = location1;
        if (before == comparand) Places.Store(ref location1, value);
        return before;
    }

    /// <summary>Writes a number where another one is; gives the one before.</summary>
    public static ulong CompareExchange(ref ulong location1, ulong value, ulong comparand)
    {
        var before = location1;
        if (before == comparand) Places.Store(ref location1, value);
        return before;
    }

    /// <summary>The number that the running thread sees.</summary>
    public static long Read(ref readonly long location) => location;

    /// <summary>The number that the running thread sees.</summary>
    public static ulong Read(ref readonly ulong location) => location;

    /// <summary>Does nothing: a pause is what orders writes.</summary>
    public static void MemoryBarrier()
    {
    }
}
