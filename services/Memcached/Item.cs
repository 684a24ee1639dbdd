namespace Emu.Services;

/// <summary>All of an item but its key and its value.</summary>
internal struct Item
{
    /// <summary>The client's own bits.</summary>
    public uint Flags;

    /// <summary>The second at which it expires; 0 for never.</summary>
    public uint Expiry;

    /// <summary>Its unique number: another whenever the item changes.</summary>
    public ulong Unique;
}
