namespace Emu.Protocols;

/// <summary>
/// An address resolution packet for IPv4 on Ethernet (RFC 826). Field names are those of RFC 5227 §1.1.
/// </summary>
/// <example><code>
/// if (ethernet.EtherType == EtherType.Arp &amp;&amp; Arp.TryParse(ethernet.Payload, out var arp)) …
/// </code></example>
public readonly ref struct Arp
{
    /// <summary>The bytes of the packet: 28.</summary>
    public const int Length = 28;

    private const int HardwareTypeOffset = 0;
    private const int ProtocolTypeOffset = 2;
    private const int HardwareLengthOffset = 4;
    private const int ProtocolLengthOffset = 5;
    private const int OperationOffset = 6;
    private const int SenderHardwareAddressOffset = 8;
    private const int SenderProtocolAddressOffset = 14;
    private const int TargetHardwareAddressOffset = 18;
    private const int TargetProtocolAddressOffset = 24;

    /// <summary>ares_hrd$Ethernet (RFC 826; IANA "ARP Parameters").</summary>
    private const ushort EthernetHardware = 1;

    private readonly Span<byte> _bytes;

    private Arp(Span<byte> bytes) => _bytes = bytes[..Length];

    /// <summary>Request or reply; other values are possible.</summary>
    public ArpOperation Operation
    {
        get => (ArpOperation)_bytes.GetUInt16(OperationOffset);
        set => _bytes.SetUInt16(OperationOffset, (ushort)value);
    }

    /// <summary>The MAC address of the one who asks or answers.</summary>
    public MacAddress SenderHardwareAddress
    {
        get => _bytes.GetMacAddress(SenderHardwareAddressOffset);
        set => _bytes.SetMacAddress(SenderHardwareAddressOffset, value);
    }

    /// <summary>The IPv4 address of the one who asks or answers; 0.0.0.0 in a probe (RFC 5227 §1.1).</summary>
    public IPv4Address SenderProtocolAddress
    {
        get => _bytes.GetIPv4Address(SenderProtocolAddressOffset);
        set => _bytes.SetIPv4Address(SenderProtocolAddressOffset, value);
    }

    /// <summary>
    /// The target's MAC address: in a reply that of the one who had asked; in a request it has no meaning.
    /// </summary>
    public MacAddress TargetHardwareAddress
    {
        get => _bytes.GetMacAddress(TargetHardwareAddressOffset);
        set => _bytes.SetMacAddress(TargetHardwareAddressOffset, value);
    }

    /// <summary>
    /// The target's IPv4 address: in a request the one asked for; in a reply that of the one who had asked.
    /// </summary>
    public IPv4Address TargetProtocolAddress
    {
        get => _bytes.GetIPv4Address(TargetProtocolAddressOffset);
        set => _bytes.SetIPv4Address(TargetProtocolAddressOffset, value);
    }

    /// <summary>Views the packet at the start of <paramref name="bytes"/>; what follows it is padding.</summary>
    /// <returns>
    /// True if there are 28 bytes at least and the packet is about IPv4 (0x0800, 4 bytes) on Ethernet (1, 6 bytes);
    /// if not, <paramref name="arp"/> must not be used.
    /// </returns>
    public static bool TryParse(Span<byte> bytes, out Arp arp)
    {
        arp = default;
        if (bytes.Length < Length) return false;
        if (bytes.GetUInt16(HardwareTypeOffset) != EthernetHardware || bytes[HardwareLengthOffset] != MacAddress.Length)
            return false;
        if (bytes.GetUInt16(ProtocolTypeOffset) != (ushort)EtherType.IPv4
            || bytes[ProtocolLengthOffset] != IPv4Address.Length)
            return false;
        arp = new Arp(bytes);
        return true;
    }

    /// <summary>
    /// Begins a packet at the start of <paramref name="bytes"/>: hardware and protocol are written,
    /// the rest of its 28 bytes is 0.
    /// </summary>
    /// <returns>True if there are 28 bytes at least;
    /// if not, nothing is written and <paramref name="arp"/> must not be used.</returns>
    public static bool TryInitialize(Span<byte> bytes, out Arp arp)
    {
        arp = default;
        if (bytes.Length < Length) return false;
        bytes[..Length].Clear();
        bytes.SetUInt16(HardwareTypeOffset, EthernetHardware);
        bytes.SetUInt16(ProtocolTypeOffset, (ushort)EtherType.IPv4);
        bytes[HardwareLengthOffset] = MacAddress.Length;
        bytes[ProtocolLengthOffset] = IPv4Address.Length;
        arp = new Arp(bytes);
        return true;
    }
}
