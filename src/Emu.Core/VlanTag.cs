namespace Emu;

/// <summary>The tags of IEEE 802.1Q as far as the length of a frame depends on them.</summary>
internal static class VlanTag
{
    /// <summary>The bytes of a tag.</summary>
    public const int Length = 4;

    /// <summary>The offset of the EtherType, which says whether a tag follows.</summary>
    public const int TypeOffset = 12;

    /// <summary>The EtherType of a customer VLAN tag (IEEE 802.1Q-2022 Table 9-1).</summary>
    public const ushort Customer = 0x8100;

    /// <summary>The EtherType of a service VLAN tag (IEEE 802.1Q-2022 Table 9-1).</summary>
    public const ushort Service = 0x88A8;

    /// <summary>The EtherTypes of both.</summary>
    public static IReadOnlyList<ushort> Types { get; } = [Customer, Service];
}
