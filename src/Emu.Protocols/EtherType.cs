namespace Emu.Protocols;

/// <summary>
/// The length/type field (IEEE 802.3-2022 §3.2.6): up to 1500 a length,
/// from 0x0600 on the protocol of the payload (IANA "ETHER TYPES").
/// </summary>
public enum EtherType : ushort
{
    /// <summary>IPv4 (RFC 894).</summary>
    IPv4 = 0x0800,

    /// <summary>Address resolution (RFC 826).</summary>
    Arp = 0x0806,

    /// <summary>A customer VLAN tag follows, seen as <see cref="Vlan"/> (IEEE 802.1Q-2018 table 9-1).</summary>
    CTag = VlanTag.Customer,

    /// <summary>IPv6 (RFC 2464 §3).</summary>
    IPv6 = 0x86DD,

    /// <summary>Local experiments, the first of two (IEEE 802-2014 §9.2.4): direction packets.</summary>
    LocalExperimental = 0x88B5,

    /// <summary>
    /// A service VLAN tag follows, seen as <see cref="Vlan"/> (IEEE 802.1Q-2018 table 9-1, once 802.1ad).
    /// </summary>
    STag = VlanTag.Service,
}
