namespace Emu.Compiler.Tests;

/// <summary>Functions that a pipelined module does, and one that takes as long as it takes.</summary>
internal static class CoreFunctions
{
    [Verilog("mixer.v", Latency = 3)]
    public static ulong Mix(ulong value)
    {
        value ^= value >> 31;
        value *= 0x9E3779B97F4A7C15;
        return value ^ value >> 29;
    }

    [Verilog("slow_divider.v", Cycles = nameof(DivisionCycles))]
    public static uint Divide(uint dividend, uint divisor, out uint remainder)
    {
        (var quotient, remainder) = Math.DivRem(dividend, divisor);
        return quotient;
    }

    public static int DivisionCycles(uint dividend, uint divisor) =>
        34 - System.Numerics.BitOperations.LeadingZeroCount(dividend);
}

/// <summary>A number for each key, of which one is forgotten for another of the same hash.</summary>
internal sealed class SwapTable
{
    private readonly Dictionary<uint, (uint Key, uint Number)> _entries = [];

    [Verilog("swap_table.v", Latency = 3, ResetCycles = 1024)]
    public bool Swap(uint key, uint number, out uint previous)
    {
        var index = (key ^ key >> 10 ^ key >> 20) & 0x3FF;
        var isKnown = _entries.TryGetValue(index, out var entry) && entry.Key == key;
        previous = isKnown ? entry.Number : 0;
        _entries[index] = (key, number);
        return isKnown;
    }
}

/// <summary>Numbers in the order in which they came.</summary>
internal sealed class NumberQueue
{
    private readonly Queue<uint> _numbers = new();

    [Verilog("vendor_fifo.v", Latency = 1)]
    public bool Exchange(bool pops, bool pushes, uint number, out uint popped)
    {
        popped = 0;
        var isPopped = pops && _numbers.TryDequeue(out popped);
        if (pushes && _numbers.Count < 16) _numbers.Enqueue(number);
        return isPopped;
    }
}
