namespace Emu.Protocols;

/// <summary>A TCP segment (RFC 9293 §3.1). It has no length of its own: it ends where the packet does.</summary>
/// <remarks><see cref="TryParse"/> finds the end of the header once:
/// a later write to the bytes through another view does not move it.</remarks>
/// <example><code>
/// if (ip.Protocol == IPProtocol.Tcp &amp;&amp; Tcp.TryParse(ip.Payload, out var tcp)
///     &amp;&amp; tcp.IsSyn &amp;&amp; !tcp.IsAck) …
/// </code></example>
public readonly ref struct Tcp
{
    /// <summary>The bytes of a header without options: 20.</summary>
    public const int MinHeaderLength = 20;

    /// <summary>The bytes of the longest header, with 40 of options: 60.</summary>
    public const int MaxHeaderLength = 60;

    private const int SourcePortOffset = 0;
    private const int DestinationPortOffset = 2;
    private const int SequenceNumberOffset = 4;
    private const int AcknowledgmentNumberOffset = 8;
    private const int DataOffsetOffset = 12;
    private const int FlagsOffset = 13;
    private const int WindowOffset = 14;
    private const int ChecksumOffset = 16;
    private const int UrgentPointerOffset = 18;
    private const int OptionsOffset = MinHeaderLength;

    private const int ReservedMask = 0xF;

    private readonly Span<byte> _bytes;

    private Tcp(Span<byte> bytes, int headerLength)
    {
        _bytes = bytes;
        HeaderLength = headerLength;
    }

    /// <summary>The bytes of the header, 20 to 60 in steps of 4: 4 × data offset.</summary>
    public int HeaderLength { get; }

    /// <summary>The sender's port.</summary>
    public ushort SourcePort
    {
        get => _bytes.GetUInt16(SourcePortOffset);
        set => _bytes.SetUInt16(SourcePortOffset, value);
    }

    /// <summary>The receiver's port.</summary>
    public ushort DestinationPort
    {
        get => _bytes.GetUInt16(DestinationPortOffset);
        set => _bytes.SetUInt16(DestinationPortOffset, value);
    }

    /// <summary>The number of the first byte of <see cref="Payload"/>, or of the SYN.</summary>
    public uint SequenceNumber
    {
        get => _bytes.GetUInt32(SequenceNumberOffset);
        set => _bytes.SetUInt32(SequenceNumberOffset, value);
    }

    /// <summary>The next number that the sender expects, if <see cref="IsAck"/>.</summary>
    public uint AcknowledgmentNumber
    {
        get => _bytes.GetUInt32(AcknowledgmentNumberOffset);
        set => _bytes.SetUInt32(AcknowledgmentNumberOffset, value);
    }

    /// <summary>
    /// The four bits between data offset and flags, 0 to 15; higher bits are not written.
    /// The lowest is AE (RFC 9768 §3).
    /// </summary>
    public byte Reserved
    {
        get => (byte)(_bytes[DataOffsetOffset] & ReservedMask);
        set => _bytes[DataOffsetOffset] = (byte)(_bytes[DataOffsetOffset] & ~ReservedMask | value & ReservedMask);
    }

    /// <summary>All eight control bits.</summary>
    public TcpFlags Flags
    {
        get => (TcpFlags)_bytes[FlagsOffset];
        set => _bytes[FlagsOffset] = (byte)value;
    }

    /// <summary>True if FIN is set.</summary>
    public bool IsFin => (Flags & TcpFlags.Fin) != 0;

    /// <summary>True if SYN is set, be it alone or with ACK.</summary>
    public bool IsSyn => (Flags & TcpFlags.Syn) != 0;

    /// <summary>True if RST is set.</summary>
    public bool IsRst => (Flags & TcpFlags.Rst) != 0;

    /// <summary>True if ACK is set.</summary>
    public bool IsAck => (Flags & TcpFlags.Ack) != 0;

    /// <summary>The window field as it stands there, before any window scale.</summary>
    public ushort Window
    {
        get => _bytes.GetUInt16(WindowOffset);
        set => _bytes.SetUInt16(WindowOffset, value);
    }

    /// <summary>The checksum over a pseudo-header and the whole segment.</summary>
    public ushort Checksum
    {
        get => _bytes.GetUInt16(ChecksumOffset);
        set => _bytes.SetUInt16(ChecksumOffset, value);
    }

    /// <summary>The end of urgent data, counted from the sequence number, if URG is set.</summary>
    public ushort UrgentPointer
    {
        get => _bytes.GetUInt16(UrgentPointerOffset);
        set => _bytes.SetUInt16(UrgentPointerOffset, value);
    }

    /// <summary>The options and their padding, 0 to 40 bytes.</summary>
    public Span<byte> OptionBytes => _bytes[OptionsOffset..HeaderLength];

    /// <summary>A cursor before the first option.</summary>
    public TcpOptions Options => new(OptionBytes);

    /// <summary>The bytes behind the header.</summary>
    public Span<byte> Payload => _bytes[HeaderLength..];

    /// <summary>
    /// SEG.LEN: the sequence numbers that it takes, one for each byte of <see cref="Payload"/>,
    /// for SYN and for FIN (RFC 9293 §3.4).
    /// </summary>
    public int SegmentLength => Payload.Length + (IsSyn ? 1 : 0) + (IsFin ? 1 : 0);

    /// <summary>Views the segment that <paramref name="bytes"/> are, the whole payload of an IP packet.</summary>
    /// <returns>True if data offset is 5 or more and the header fits into <paramref name="bytes"/>; if not,
    /// <paramref name="tcp"/> must not be used.</returns>
    [VariedLength]
    public static bool TryParse(Span<byte> bytes, out Tcp tcp)
    {
        tcp = default;
        if (bytes.Length < MinHeaderLength) return false;
        var headerLength = (bytes[DataOffsetOffset] >> 4) * sizeof(uint);
        if (headerLength < MinHeaderLength || headerLength > bytes.Length) return false;
        tcp = new Tcp(bytes, headerLength);
        return true;
    }

    /// <summary>
    /// Begins a segment that takes the whole of <paramref name="bytes"/>: the data offset is written,
    /// the rest of the header is 0.
    /// </summary>
    /// <param name="bytes">The segment; bytes behind the header stay as they are.</param>
    /// <param name="tcp">The view; not to be used if the answer is false.</param>
    /// <param name="headerLength">The bytes of the header, options included: 20 to 60 in steps of 4.</param>
    /// <returns>True if the header can have that length and fits; if not, nothing is written.</returns>
    public static bool TryInitialize(Span<byte> bytes, out Tcp tcp, int headerLength = MinHeaderLength)
    {
        tcp = default;
        if (headerLength < MinHeaderLength || headerLength > MaxHeaderLength || headerLength % sizeof(uint) != 0)
            return false;
        if (bytes.Length < headerLength) return false;

        bytes[..headerLength].Clear();
        bytes[DataOffsetOffset] = (byte)(headerLength / sizeof(uint) << 4);
        tcp = new Tcp(bytes, headerLength);
        return true;
    }

    /// <summary>True if the segment agrees with its checksum in the packet <paramref name="ip"/>.</summary>
    public bool HasValidChecksum(scoped in IPv4 ip) => IsValid(ip.PseudoHeaderSum(IPProtocol.Tcp, _bytes.Length));

    /// <inheritdoc cref="HasValidChecksum(in IPv4)"/>
    public bool HasValidChecksum(scoped in IPv6 ip) => IsValid(ip.PseudoHeaderSum(IPProtocol.Tcp, _bytes.Length));

    /// <summary>
    /// Computes the checksum of the segment as it is now, in the packet <paramref name="ip"/>, and writes it.
    /// </summary>
    public void WriteChecksum(scoped in IPv4 ip) => Write(ip.PseudoHeaderSum(IPProtocol.Tcp, _bytes.Length));

    /// <inheritdoc cref="WriteChecksum(in IPv4)"/>
    public void WriteChecksum(scoped in IPv6 ip) => Write(ip.PseudoHeaderSum(IPProtocol.Tcp, _bytes.Length));

    /// <summary>
    /// Gives the checksum what follows from a change of the data that it covers (RFC 1624 eqn. 3): a wrong one stays
    /// wrong.
    /// </summary>
    /// <param name="change">
    /// The sum of the changes: those of the addresses (<see cref="IPv4.SetSource"/>), and of ports and payload
    /// (<see cref="InternetChecksum.Change"/>).
    /// </param>
    public void UpdateChecksum(ulong change) => Checksum = InternetChecksum.Update(Checksum, change);

    private bool IsValid(ulong pseudoHeaderSum) =>
        InternetChecksum.IsValid(pseudoHeaderSum + InternetChecksum.Sum(_bytes));

    private void Write(ulong pseudoHeaderSum)
    {
        _bytes.SetUInt16(ChecksumOffset, 0);
        _bytes.SetUInt16(ChecksumOffset, InternetChecksum.Finish(pseudoHeaderSum + InternetChecksum.Sum(_bytes)));
    }
}
