namespace Emu.Protocols;

/// <summary>
/// A VLAN tag behind its TPID (IEEE 802.1Q-2018 §9.6): the tag control information,
/// then the EtherType and the data of what is tagged.
/// </summary>
/// <example><code>
/// if (ethernet.EtherType == EtherType.CTag &amp;&amp; Vlan.TryParse(ethernet.Payload, out var tag)) …
/// </code></example>
public readonly ref struct Vlan
{
    /// <summary>
    /// The bytes from behind the TPID to behind the inner EtherType: 4, which is also what a tag adds to a frame.
    /// </summary>
    public const int HeaderLength = 4;

    private const int ControlOffset = 0;
    private const int EtherTypeOffset = 2;

    private const int PcpShift = 13;
    private const int PcpMask = 7 << PcpShift;
    private const int DeiMask = 1 << 12;
    private const int VidMask = 0xFFF;

    private readonly Span<byte> _bytes;

    private Vlan(Span<byte> bytes) => _bytes = bytes;

    /// <summary>The priority code point, 0 to 7; higher bits are not written.</summary>
    public byte Pcp
    {
        get => (byte)(Control >> PcpShift);
        set => Control = (ushort)(Control & ~PcpMask | value << PcpShift & PcpMask);
    }

    /// <summary>The drop eligible indicator.</summary>
    public bool Dei
    {
        get => (Control & DeiMask) != 0;
        set => Control = (ushort)(Control & ~DeiMask | (value ? DeiMask : 0));
    }

    /// <summary>
    /// The VLAN identifier, 0 to 4095, where 0 is priority only and 4095 is reserved (table 9-2);
    /// higher bits are not written.
    /// </summary>
    public ushort Vid
    {
        get => (ushort)(Control & VidMask);
        set => Control = (ushort)(Control & ~VidMask | value & VidMask);
    }

    /// <summary>
    /// The protocol of <see cref="Payload"/>, unless <see cref="IsLength"/>; another tag's TPID if tags are stacked.
    /// </summary>
    public EtherType EtherType
    {
        get => (EtherType)_bytes.GetUInt16(EtherTypeOffset);
        set => _bytes.SetUInt16(EtherTypeOffset, (ushort)value);
    }

    /// <summary>True if the length/type field is a length, 0 to 1500, and so <see cref="Llc"/> follows.</summary>
    public bool IsLength => (ushort)EtherType <= Ethernet.MaxLength;

    /// <summary>
    /// The bytes of LLC data that the length/type field states where it <see cref="IsLength"/>;
    /// the frame may hold more (padding) or fewer.
    /// </summary>
    public int Length => (ushort)EtherType;

    /// <summary>All bytes behind the inner EtherType, padding included.</summary>
    public Span<byte> Payload => _bytes[HeaderLength..];

    private ushort Control
    {
        get => _bytes.GetUInt16(ControlOffset);
        set => _bytes.SetUInt16(ControlOffset, value);
    }

    /// <summary>
    /// Views the tag at the start of <paramref name="bytes"/>, which follow <see cref="EtherType.CTag"/> or
    /// <see cref="EtherType.STag"/>.
    /// </summary>
    /// <returns>True if there are 4 bytes at least; if not, <paramref name="tag"/> must not be used.</returns>
    public static bool TryParse(Span<byte> bytes, out Vlan tag)
    {
        tag = default;
        if (bytes.Length < HeaderLength) return false;
        tag = new Vlan(bytes);
        return true;
    }
}
