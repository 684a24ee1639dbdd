namespace Emu;

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

    /// <summary>The shortest frame of Ethernet (IEEE 802.3-2022 §3.2.8).</summary>
    internal const int Shortest = 60;

    /// <summary>
    /// The longest frame on a link of this MTU: header and one VLAN tag, which the MTU does not count.
    /// </summary>
    public static int Of(int mtu) => mtu + Header + VlanTag.Length;

    /// <summary>
    /// True if a frame is an event of a service: it has an Ethernet header, and is no longer than its link allows. A
    /// tagged frame may be longer by its tag.
    /// </summary>
    internal static bool IsEvent(int length, bool isTagged, int mtu) =>
        length >= Header && length <= (isTagged ? Of(mtu) : Of(mtu) - VlanTag.Length);
}
