namespace Emu.Protocols;

/// <summary>
/// The header of an Ethernet frame that is carried in UDP between the ends of a tunnel (RFC 7348 §5), at port 4789.
/// </summary>
/// <example><code>
/// if (udp.DestinationPort == Vxlan.Port &amp;&amp; Vxlan.TryParse(udp.Payload, out var vxlan) &amp;&amp; vxlan.HasVni)
///     inner = new Ethernet(vxlan.Payload);
/// </code></example>
public readonly ref struct Vxlan
{
    /// <summary>The bytes of the header: 8.</summary>
    public const int HeaderLength = 8;

    /// <summary>The UDP port of the ends of tunnels.</summary>
    public const ushort Port = 4789;

    private const int FlagsOffset = 0;
    private const int VniOffset = 4;
    private const int VniShift = 8;
    private const byte VniFlag = 1 << 3;

    private readonly Span<byte> _bytes;

    private Vxlan(Span<byte> bytes) => _bytes = bytes;

    /// <summary>True if the network's number is valid, as it has to be.</summary>
    public bool HasVni
    {
        get => (_bytes[FlagsOffset] & VniFlag) != 0;
        set => _bytes[FlagsOffset] = (byte)(value ? _bytes[FlagsOffset] | VniFlag : _bytes[FlagsOffset] & ~VniFlag);
    }

    /// <summary>The VXLAN network identifier, 24 bits; higher bits are not written.</summary>
    public uint Vni
    {
        get => _bytes.GetUInt32(VniOffset) >> VniShift;
        set => _bytes.SetUInt32(VniOffset, value << VniShift | _bytes.GetUInt32(VniOffset) & byte.MaxValue);
    }

    /// <summary>The frame inside, without FCS, with what is behind it.</summary>
    public Span<byte> Payload => _bytes[HeaderLength..];

    /// <summary>Views the header at the start of <paramref name="bytes"/>.</summary>
    /// <returns>True if there are the bytes of the header and of an Ethernet header behind it; if not,
    /// <paramref name="vxlan"/> must not be used.</returns>
    public static bool TryParse(Span<byte> bytes, out Vxlan vxlan)
    {
        vxlan = default;
        if (bytes.Length < HeaderLength + Ethernet.HeaderLength) return false;
        vxlan = new Vxlan(bytes);
        return true;
    }

    /// <summary>
    /// Begins a header in front of a frame: the flag that says that there is a number is set, the rest is 0.
    /// </summary>
    /// <returns>True if there are the bytes of the header and of an Ethernet header behind it; if not, nothing is
    /// written and <paramref name="vxlan"/> must not be used.</returns>
    public static bool TryInitialize(Span<byte> bytes, out Vxlan vxlan)
    {
        if (!TryParse(bytes, out vxlan)) return false;
        bytes[..HeaderLength].Clear();
        vxlan.HasVni = true;
        return true;
    }
}
