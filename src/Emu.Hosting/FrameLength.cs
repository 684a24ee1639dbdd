namespace Emu.Hosting;

/// <summary>The lengths of frames in bytes, without FCS (IEEE 802.3-2022 §3.2.7, IEEE 802.1Q-2022 §9.3).</summary>
public static class FrameLength
{
    /// <summary>The MTU that a run has if nothing else was asked for.</summary>
    public const int DefaultMtu = 1500;

    /// <summary>The smallest MTU that a run can have: what IPv4 needs (RFC 791 §3.2).</summary>
    public const int MinMtu = 68;

    /// <summary>The largest MTU that a run can have.</summary>
    public const int MaxMtu = 9000;

    /// <summary>Destination, source and EtherType.</summary>
    public const int Header = 14;

    /// <summary>The EtherType of a customer VLAN tag (IEEE 802.1Q-2022 Table 9-1).</summary>
    internal const ushort CustomerTag = 0x8100;

    /// <summary>The EtherType of a service VLAN tag (IEEE 802.1Q-2022 Table 9-1).</summary>
    internal const ushort ServiceTag = 0x88A8;

    private const int VlanTag = 4;

    /// <summary>
    /// The longest frame on a link of this MTU: header and one VLAN tag, which the MTU does not count.
    /// </summary>
    public static int Of(int mtu) => mtu + Header + VlanTag;
}
