namespace Emu.Protocols;

/// <summary>
/// An IPv4 packet with its options (RFC 791 §3.1), up to its total length; a frame's padding is no part of it.
/// </summary>
/// <remarks>
/// <see cref="TryParse"/> finds the ends of the header and of the packet once: a later write to
/// <see cref="TotalLength"/>, or to the bytes through another view, does not move <see cref="Payload"/>. Setters leave
/// the checksum to <see cref="WriteHeaderChecksum"/>.
/// </remarks>
/// <example><code>
/// if (IPv4.TryParse(ethernet.Payload, out var ip) &amp;&amp; !ip.IsFragment
///     &amp;&amp; Icmp.TryParse(ip.Payload, out var icmp)) …
/// </code></example>
public readonly ref struct IPv4
{
    /// <summary>The bytes of a header without options: 20.</summary>
    public const int MinHeaderLength = 20;

    /// <summary>The bytes of the longest header, with 40 of options: 60.</summary>
    public const int MaxHeaderLength = 60;

    /// <summary>
    /// The TTL of a packet that begins here: 64, the default that RFC 1122 §3.2.1.7 asks for, as recommended since RFC
    /// 1700.
    /// </summary>
    public const byte DefaultTtl = 64;

    private const int VersionAndIhlOffset = 0;
    private const int DscpAndEcnOffset = 1;
    private const int TotalLengthOffset = 2;
    private const int IdentificationOffset = 4;
    private const int FragmentOffsetOffset = 6;
    private const int TtlOffset = 8;
    private const int ProtocolOffset = 9;
    private const int HeaderChecksumOffset = 10;
    internal const int SourceOffset = 12;
    internal const int DestinationOffset = 16;
    private const int OptionsOffset = MinHeaderLength;

    private const int Version = 4;
    private const int EcnMask = 3;
    private const int ReservedFlagMask = 0x8000;
    private const int DontFragmentMask = 0x4000;
    private const int MoreFragmentsMask = 0x2000;
    private const int FragmentOffsetMask = 0x1FFF;

    /// <summary>
    /// By how much the sum of a header changes when one is taken from the TTL: ~m + m', whatever m is.
    /// </summary>
    private const ulong HopChange = 0xFFFF - (1 << 8);

    private readonly Span<byte> _bytes;

    private IPv4(Span<byte> bytes, int headerLength)
    {
        _bytes = bytes;
        HeaderLength = headerLength;
    }

    /// <summary>The bytes of the header, 20 to 60 in steps of 4: 4 × IHL.</summary>
    public int HeaderLength { get; }

    /// <summary>The differentiated services code point, 0 to 63 (RFC 2474 §3); higher bits are not written.</summary>
    public byte Dscp
    {
        get => (byte)(_bytes[DscpAndEcnOffset] >> 2);
        set => _bytes[DscpAndEcnOffset] = (byte)(value << 2 | _bytes[DscpAndEcnOffset] & EcnMask);
    }

    /// <summary>The congestion notification field, 0 to 3 (RFC 3168 §5); higher bits are not written.</summary>
    public byte Ecn
    {
        get => (byte)(_bytes[DscpAndEcnOffset] & EcnMask);
        set => _bytes[DscpAndEcnOffset] = (byte)(_bytes[DscpAndEcnOffset] & ~EcnMask | value & EcnMask);
    }

    /// <summary>
    /// The bytes of header and payload as the header states them. A written value counts from the next
    /// <see cref="TryParse"/> on.
    /// </summary>
    public ushort TotalLength
    {
        get => _bytes.GetUInt16(TotalLengthOffset);
        set => _bytes.SetUInt16(TotalLengthOffset, value);
    }

    /// <summary>The number that fragments of one datagram share, with the addresses and the protocol.</summary>
    public ushort Identification
    {
        get => _bytes.GetUInt16(IdentificationOffset);
        set => _bytes.SetUInt16(IdentificationOffset, value);
    }

    /// <summary>Bit 0 of the flags, which must be 0.</summary>
    public bool ReservedFlag
    {
        get => (FlagsAndFragmentOffset & ReservedFlagMask) != 0;
        set =>
            FlagsAndFragmentOffset =
                (ushort)(FlagsAndFragmentOffset & ~ReservedFlagMask | (value ? ReservedFlagMask : 0));
    }

    /// <summary>The DF flag: routers may not fragment it.</summary>
    public bool DontFragment
    {
        get => (FlagsAndFragmentOffset & DontFragmentMask) != 0;
        set =>
            FlagsAndFragmentOffset =
                (ushort)(FlagsAndFragmentOffset & ~DontFragmentMask | (value ? DontFragmentMask : 0));
    }

    /// <summary>The MF flag: it is not the last fragment.</summary>
    public bool MoreFragments
    {
        get => (FlagsAndFragmentOffset & MoreFragmentsMask) != 0;
        set =>
            FlagsAndFragmentOffset =
                (ushort)(FlagsAndFragmentOffset & ~MoreFragmentsMask | (value ? MoreFragmentsMask : 0));
    }

    /// <summary>
    /// The offset of this fragment in the datagram, in units of 8 bytes, 0 to 8191; higher bits are not written.
    /// </summary>
    public ushort FragmentOffset
    {
        get => (ushort)(FlagsAndFragmentOffset & FragmentOffsetMask);
        set =>
            FlagsAndFragmentOffset =
                (ushort)(FlagsAndFragmentOffset & ~FragmentOffsetMask | value & FragmentOffsetMask);
    }

    /// <summary>
    /// True if it is a part of a datagram only, so that its payload need not start with a header nor be whole.
    /// </summary>
    public bool IsFragment => (FlagsAndFragmentOffset & (MoreFragmentsMask | FragmentOffsetMask)) != 0;

    /// <summary>The number of routers it may still pass.</summary>
    public byte Ttl
    {
        get => _bytes[TtlOffset];
        set => _bytes[TtlOffset] = value;
    }

    /// <summary>The protocol of <see cref="Payload"/>.</summary>
    public IPProtocol Protocol
    {
        get => (IPProtocol)_bytes[ProtocolOffset];
        set => _bytes[ProtocolOffset] = (byte)value;
    }

    /// <summary>The checksum over the header.</summary>
    public ushort HeaderChecksum
    {
        get => _bytes.GetUInt16(HeaderChecksumOffset);
        set => _bytes.SetUInt16(HeaderChecksumOffset, value);
    }

    /// <summary>The address of its sender.</summary>
    public IPv4Address Source
    {
        get => _bytes.GetIPv4Address(SourceOffset);
        set => _bytes.SetIPv4Address(SourceOffset, value);
    }

    /// <summary>The address of its receiver.</summary>
    public IPv4Address Destination
    {
        get => _bytes.GetIPv4Address(DestinationOffset);
        set => _bytes.SetIPv4Address(DestinationOffset, value);
    }

    /// <summary>The options and their padding, 0 to 40 bytes.</summary>
    public Span<byte> OptionBytes => _bytes[OptionsOffset..HeaderLength];

    /// <summary>A cursor before the first option.</summary>
    public IPv4Options Options => new(OptionBytes);

    /// <summary>The bytes behind the header, up to the total length that <see cref="TryParse"/> found.</summary>
    public Span<byte> Payload => _bytes[HeaderLength..];

    /// <summary>True if the header, with its options, agrees with its checksum.</summary>
    public bool HasValidHeaderChecksum => InternetChecksum.IsValid(InternetChecksum.Sum(_bytes[..HeaderLength]));

    private ushort FlagsAndFragmentOffset
    {
        get => _bytes.GetUInt16(FragmentOffsetOffset);
        set => _bytes.SetUInt16(FragmentOffsetOffset, value);
    }

    /// <summary>
    /// Views the packet at the start of <paramref name="bytes"/>; what follows it is padding.
    /// The checksum is not looked at.
    /// </summary>
    /// <returns>
    /// True if the version is 4, IHL is 5 or more, the header fits into the total length and that into
    /// <paramref name="bytes"/>; if not, <paramref name="ip"/> must not be used.
    /// </returns>
    public static bool TryParse(Span<byte> bytes, out IPv4 ip)
    {
        ip = default;
        if (bytes.Length < MinHeaderLength || bytes[VersionAndIhlOffset] >> 4 != Version) return false;

        var headerLength = (bytes[VersionAndIhlOffset] & 0xF) * sizeof(uint);
        var totalLength = bytes.GetUInt16(TotalLengthOffset);
        if (headerLength < MinHeaderLength || totalLength < headerLength || totalLength > bytes.Length) return false;

        ip = new IPv4(bytes[..totalLength], headerLength);
        return true;
    }

    /// <summary>
    /// Views a packet of which an ICMP error quotes the beginning (RFC 792): <see cref="Payload"/> ends where the
    /// packet or the quotation does.
    /// </summary>
    /// <returns>The same as for <see cref="TryParse"/>, but the total length need not fit into
    /// <paramref name="bytes"/>; the header must.</returns>
    public static bool TryParseQuoted(Span<byte> bytes, out IPv4 ip)
    {
        ip = default;
        if (bytes.Length < MinHeaderLength || bytes[VersionAndIhlOffset] >> 4 != Version) return false;

        var headerLength = (bytes[VersionAndIhlOffset] & 0xF) * sizeof(uint);
        var totalLength = bytes.GetUInt16(TotalLengthOffset);
        if (headerLength < MinHeaderLength || totalLength < headerLength || headerLength > bytes.Length) return false;

        ip = new IPv4(totalLength < bytes.Length ? bytes[..totalLength] : bytes, headerLength);
        return true;
    }

    /// <summary>
    /// Begins a packet that takes the whole of <paramref name="bytes"/>: version and lengths are written,
    /// the rest of the header is 0.
    /// </summary>
    /// <param name="bytes">The packet; bytes behind the header stay as they are.</param>
    /// <param name="ip">The view; not to be used if the answer is false.</param>
    /// <param name="headerLength">The bytes of the header, options included: 20 to 60 in steps of 4.</param>
    /// <returns>True if the header can have that length and fits, and the packet has 65,535 bytes at most;
    /// if not, nothing is written.</returns>
    public static bool TryInitialize(Span<byte> bytes, out IPv4 ip, int headerLength = MinHeaderLength)
    {
        ip = default;
        if (headerLength < MinHeaderLength || headerLength > MaxHeaderLength || headerLength % sizeof(uint) != 0)
            return false;
        if (bytes.Length < headerLength || bytes.Length > ushort.MaxValue) return false;

        bytes[..headerLength].Clear();
        bytes[VersionAndIhlOffset] = (byte)(Version << 4 | headerLength / sizeof(uint));
        ip = new IPv4(bytes, headerLength) { TotalLength = (ushort)bytes.Length };
        return true;
    }

    /// <summary>
    /// Takes one from the TTL, which is not 0, and gives the header checksum what follows from that (RFC 1624 eqn. 3):
    /// a wrong one stays wrong.
    /// </summary>
    public void DecrementTtl()
    {
        HeaderChecksum = InternetChecksum.Update(HeaderChecksum, HopChange);
        Ttl--;
    }

    /// <summary>
    /// Gives the packet another source, and the header checksum what follows from that (RFC 1624 eqn. 3): a wrong one
    /// stays wrong.
    /// </summary>
    /// <param name="address">The address.</param>
    /// <returns>
    /// By how much the sum of the header has changed, for the checksum of the upper layer, which covers the address
    /// too: see <see cref="Udp.UpdateChecksum"/>.
    /// </returns>
    public ulong SetSource(IPv4Address address)
    {
        var change = InternetChecksum.Change(Source.Bits, address.Bits);
        HeaderChecksum = InternetChecksum.Update(HeaderChecksum, change);
        Source = address;
        return change;
    }

    /// <summary>The same as <see cref="SetSource"/> for the destination.</summary>
    /// <inheritdoc cref="SetSource"/>
    public ulong SetDestination(IPv4Address address)
    {
        var change = InternetChecksum.Change(Destination.Bits, address.Bits);
        HeaderChecksum = InternetChecksum.Update(HeaderChecksum, change);
        Destination = address;
        return change;
    }

    /// <summary>Computes the checksum of the header as it is now and writes it (RFC 791 §3.1).</summary>
    public void WriteHeaderChecksum()
    {
        _bytes.SetUInt16(HeaderChecksumOffset, 0);
        _bytes.SetUInt16(HeaderChecksumOffset, InternetChecksum.Compute(_bytes[..HeaderLength]));
    }

    /// <summary>
    /// The unfolded sum of the pseudo-header that checksums of upper layers cover (RFC 768; RFC 9293 §3.1), the
    /// destination being that of the header: right for packets without a source route.
    /// </summary>
    /// <param name="protocol">The upper layer.</param>
    /// <param name="length">The bytes of the upper layer, its header included.</param>
    public ulong PseudoHeaderSum(IPProtocol protocol, int length) =>
        InternetChecksum.Sum(_bytes[SourceOffset..OptionsOffset]) + (ulong)protocol + (ulong)length;
}
