namespace Emu.Protocols;

/// <summary>
/// An Ethernet header and what follows it (IEEE 802.3-2022 §3.1.1), without preamble and FCS.
/// Services get no frame without one.
/// </summary>
/// <example><code>
/// var ethernet = new Ethernet(frame);
/// if (ethernet.EtherType == EtherType.Arp &amp;&amp; Arp.TryParse(ethernet.Payload, out var arp)) …
/// </code></example>
public readonly ref struct Ethernet
{
    /// <summary>The bytes of the header: 14.</summary>
    public const int HeaderLength = 14;

    /// <summary>
    /// The bytes of the shortest frame on a wire, without FCS: 60 (IEEE 802.3-2022 §3.2.8); what its packet lacks is
    /// padding.
    /// </summary>
    public const int MinFrameLength = 60;

    /// <summary>The greatest value of the length/type field that is a length (IEEE 802.3-2022 §3.2.6 a).</summary>
    internal const int MaxLength = 1500;

    private const int DestinationOffset = 0;
    private const int SourceOffset = 6;
    private const int EtherTypeOffset = 12;

    private readonly Span<byte> _bytes;

    /// <summary>Views the whole of <paramref name="frame"/>, until its next <see cref="Frame.Resize"/>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">
    /// The frame is shorter than 14 bytes, as that of a tick is.
    /// </exception>
    public Ethernet(scoped in Frame frame) : this(frame.Bytes)
    {
    }

    /// <summary>
    /// Views a frame that lies in <paramref name="bytes"/>, from its destination address to its last
    /// byte before the FCS.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">There are fewer than 14 bytes.</exception>
    public Ethernet(Span<byte> bytes)
    {
        Payload = bytes[HeaderLength..];
        _bytes = bytes;
    }

    /// <summary>The station or stations that it is for.</summary>
    public MacAddress Destination
    {
        get => _bytes.GetMacAddress(DestinationOffset);
        set => _bytes.SetMacAddress(DestinationOffset, value);
    }

    /// <summary>The station that sent it.</summary>
    public MacAddress Source
    {
        get => _bytes.GetMacAddress(SourceOffset);
        set => _bytes.SetMacAddress(SourceOffset, value);
    }

    /// <summary>The protocol of <see cref="Payload"/>, unless <see cref="IsLength"/>.</summary>
    public EtherType EtherType
    {
        get => (EtherType)_bytes.GetUInt16(EtherTypeOffset);
        set => _bytes.SetUInt16(EtherTypeOffset, (ushort)value);
    }

    /// <summary>True if the length/type field is a length, 0 to 1500, and so <see cref="Llc"/> follows.</summary>
    public bool IsLength => (ushort)EtherType <= MaxLength;

    /// <summary>
    /// The bytes of LLC data that the length/type field states where it <see cref="IsLength"/>;
    /// the frame may hold more (padding) or fewer.
    /// </summary>
    public int Length => (ushort)EtherType;

    /// <summary>All bytes behind the header, padding included.</summary>
    public Span<byte> Payload { get; }

    /// <summary>Views a frame that lies in <paramref name="bytes"/>.</summary>
    /// <returns>True if there are 14 bytes at least; if not, <paramref name="ethernet"/> must not be used.</returns>
    public static bool TryParse(Span<byte> bytes, out Ethernet ethernet)
    {
        ethernet = default;
        if (bytes.Length < HeaderLength) return false;
        ethernet = new Ethernet(bytes);
        return true;
    }
}
