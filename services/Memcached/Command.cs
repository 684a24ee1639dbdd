namespace Emu.Services;

/// <summary>A request, read from either protocol.</summary>
internal struct Command
{
    public Operation Operation;

    /// <summary>The place of the key in the request.</summary>
    public int KeyStart, KeyLength;

    /// <summary>The place of the value in the request.</summary>
    public int ValueStart, ValueLength;

    /// <summary>The client's own bits, stored beside the value.</summary>
    public uint Flags;

    /// <summary>The second at which the item expires, as <see cref="Frame.Seconds"/>; 0 for never.</summary>
    public uint Expiry;

    /// <summary>The unique number that the item must have; 0 if any will do.</summary>
    public ulong Unique;

    /// <summary>The amount of an increment or a decrement.</summary>
    public ulong Delta;

    /// <summary>True if an increment or a decrement makes the number where there is none.</summary>
    public bool Makes;

    /// <summary>That number.</summary>
    public ulong Initial;
}
