namespace Emu.Services;

/// <summary>All of an item but its bytes: those of its key, and behind them its value's.</summary>
internal struct Item
{
    public byte KeyLength;
    public ushort ValueLength;

    /// <summary>The client's own bits.</summary>
    public uint Flags;

    /// <summary>The second at which it expires; 0 for never.</summary>
    public uint Expiry;

    /// <summary>Its unique number: another whenever the item changes.</summary>
    public ulong Unique;
}
