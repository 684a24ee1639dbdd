namespace Emu.Protocols;

/// <summary>An IPv6 packet (RFC 8200 §3), up to its payload length; a frame's padding is no part of it.</summary>
/// <remarks>
/// <see cref="TryParse"/> finds the end of the packet once: a later write to <see cref="PayloadLength"/>, or to the
/// bytes through another view, does not move <see cref="Payload"/>.
/// </remarks>
/// <example><code>
/// if (IPv6.TryParse(ethernet.Payload, out var ip) &amp;&amp; ip.NextHeader == IPProtocol.Udp
///     &amp;&amp; Udp.TryParse(ip.Payload, out var udp)) …
/// </code></example>
public readonly ref struct IPv6
{
    /// <summary>The bytes of the header: 40.</summary>
    public const int HeaderLength = 40;

    /// <summary>
    /// The hop limit of a packet that begins here: 64, as for <see cref="IPv4.DefaultTtl"/> (RFC 8200 leaves it open).
    /// </summary>
    public const byte DefaultHopLimit = 64;

    private const int VersionClassFlowOffset = 0;
    private const int PayloadLengthOffset = 4;
    private const int NextHeaderOffset = 6;
    private const int HopLimitOffset = 7;
    internal const int SourceOffset = 8;
    internal const int DestinationOffset = 24;

    private const int Version = 6;
    private const int VersionShift = 28;
    private const int DscpShift = 22;
    private const int EcnShift = 20;
    private const uint DscpMask = 0x3Fu << DscpShift;
    private const uint EcnMask = 3u << EcnShift;
    private const uint FlowLabelMask = 0xF_FFFF;

    private readonly Span<byte> _bytes;

    private IPv6(Span<byte> bytes) => _bytes = bytes;

    /// <summary>
    /// The differentiated services code point, 0 to 63: the upper part of the traffic class (RFC 2474 §3);
    /// higher bits are not written.
    /// </summary>
    public byte Dscp
    {
        get => (byte)((VersionClassFlow & DscpMask) >> DscpShift);
        set => VersionClassFlow = VersionClassFlow & ~DscpMask | (uint)value << DscpShift & DscpMask;
    }

    /// <summary>
    /// The congestion notification field, 0 to 3: the lower part of the traffic class (RFC 3168 §5);
    /// higher bits are not written.
    /// </summary>
    public byte Ecn
    {
        get => (byte)((VersionClassFlow & EcnMask) >> EcnShift);
        set => VersionClassFlow = VersionClassFlow & ~EcnMask | (uint)value << EcnShift & EcnMask;
    }

    /// <summary>The flow label, 20 bits (RFC 6437); higher bits are not written.</summary>
    public uint FlowLabel
    {
        get => VersionClassFlow & FlowLabelMask;
        set => VersionClassFlow = VersionClassFlow & ~FlowLabelMask | value & FlowLabelMask;
    }

    /// <summary>
    /// The bytes behind the header as it states them. A written value counts from the next <see cref="TryParse"/> on.
    /// </summary>
    public ushort PayloadLength
    {
        get => _bytes.GetUInt16(PayloadLengthOffset);
        set => _bytes.SetUInt16(PayloadLengthOffset, value);
    }

    /// <summary>The header that <see cref="Payload"/> starts with: an extension header or the upper layer.</summary>
    public IPProtocol NextHeader
    {
        get => (IPProtocol)_bytes[NextHeaderOffset];
        set => _bytes[NextHeaderOffset] = (byte)value;
    }

    /// <summary>The number of routers it may still pass; 255 in neighbour discovery (RFC 4861 §7.1).</summary>
    public byte HopLimit
    {
        get => _bytes[HopLimitOffset];
        set => _bytes[HopLimitOffset] = value;
    }

    /// <summary>The address of its sender.</summary>
    public IPv6Address Source
    {
        get => _bytes.GetIPv6Address(SourceOffset);
        set => _bytes.SetIPv6Address(SourceOffset, value);
    }

    /// <summary>The address of its receiver.</summary>
    public IPv6Address Destination
    {
        get => _bytes.GetIPv6Address(DestinationOffset);
        set => _bytes.SetIPv6Address(DestinationOffset, value);
    }

    /// <summary>The bytes behind the header, up to the payload length that <see cref="TryParse"/> found.</summary>
    public Span<byte> Payload => _bytes[HeaderLength..];

    /// <summary>A cursor before the first extension header, for those who have to see what is behind them.</summary>
    public IPv6Extensions Extensions => new(NextHeader, Payload);

    private uint VersionClassFlow
    {
        get => _bytes.GetUInt32(VersionClassFlowOffset);
        set => _bytes.SetUInt32(VersionClassFlowOffset, value);
    }

    /// <summary>
    /// Views the packet at the start of <paramref name="bytes"/>; what follows it is padding.
    /// Jumbograms (RFC 2675) seem empty.
    /// </summary>
    /// <returns>
    /// True if the version is 6 and the header and the payload length fit into <paramref name="bytes"/>; if not,
    /// <paramref name="ip"/> must not be used.
    /// </returns>
    public static bool TryParse(Span<byte> bytes, out IPv6 ip)
    {
        ip = default;
        if (bytes.Length < HeaderLength || bytes.GetUInt32(VersionClassFlowOffset) >> VersionShift != Version)
            return false;

        var length = HeaderLength + bytes.GetUInt16(PayloadLengthOffset);
        if (length > bytes.Length) return false;

        ip = new IPv6(bytes[..length]);
        return true;
    }

    /// <summary>
    /// Begins a packet that takes the whole of <paramref name="bytes"/>:
    /// version and payload length are written, the rest is 0.
    /// </summary>
    /// <returns>
    /// True if the header fits and the payload has 65,535 bytes at most; if not, nothing is written and
    /// <paramref name="ip"/> must not be used.
    /// </returns>
    public static bool TryInitialize(Span<byte> bytes, out IPv6 ip)
    {
        ip = default;
        if (bytes.Length < HeaderLength || bytes.Length - HeaderLength > ushort.MaxValue) return false;

        bytes[..HeaderLength].Clear();
        bytes.SetUInt32(VersionClassFlowOffset, (uint)Version << VersionShift);
        ip = new IPv6(bytes) { PayloadLength = (ushort)(bytes.Length - HeaderLength) };
        return true;
    }

    /// <summary>
    /// The unfolded sum of the pseudo-header that checksums of upper layers cover (RFC 8200 §8.1), the destination
    /// being that of the header: right for packets without a routing header.
    /// </summary>
    /// <param name="protocol">The upper layer.</param>
    /// <param name="length">The bytes of the upper layer, its header included.</param>
    public ulong PseudoHeaderSum(IPProtocol protocol, int length) =>
        InternetChecksum.Sum(_bytes[SourceOffset..HeaderLength]) + (ulong)protocol + (ulong)length;
}
