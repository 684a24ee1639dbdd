namespace Emu.Protocols;

/// <summary>A UDP datagram (RFC 768), up to its length field.</summary>
/// <remarks>
/// <see cref="TryParse"/> finds the end of the datagram once: a later write to <see cref="Length"/>, or to the bytes
/// through another view, does not move <see cref="Payload"/>.
/// </remarks>
/// <example><code>
/// if (ip.Protocol == IPProtocol.Udp &amp;&amp; Udp.TryParse(ip.Payload, out var udp)
///     &amp;&amp; udp.HasValidChecksum(ip)) …
/// </code></example>
public readonly ref struct Udp
{
    /// <summary>The bytes of the header: 8.</summary>
    public const int HeaderLength = 8;

    private const int SourcePortOffset = 0;
    private const int DestinationPortOffset = 2;
    private const int LengthOffset = 4;
    private const int ChecksumOffset = 6;

    private readonly Span<byte> _bytes;

    private Udp(Span<byte> bytes) => _bytes = bytes;

    /// <summary>The port to answer to.</summary>
    public ushort SourcePort
    {
        get => _bytes.GetUInt16(SourcePortOffset);
        set => _bytes.SetUInt16(SourcePortOffset, value);
    }

    /// <summary>The port that it is for.</summary>
    public ushort DestinationPort
    {
        get => _bytes.GetUInt16(DestinationPortOffset);
        set => _bytes.SetUInt16(DestinationPortOffset, value);
    }

    /// <summary>
    /// The bytes of header and payload as the header states them. A written value counts from the next
    /// <see cref="TryParse"/> on.
    /// </summary>
    public ushort Length
    {
        get => _bytes.GetUInt16(LengthOffset);
        set => _bytes.SetUInt16(LengthOffset, value);
    }

    /// <summary>The checksum over a pseudo-header and the datagram; 0 if the sender has computed none.</summary>
    public ushort Checksum
    {
        get => _bytes.GetUInt16(ChecksumOffset);
        set => _bytes.SetUInt16(ChecksumOffset, value);
    }

    /// <summary>The bytes behind the header, up to the length that <see cref="TryParse"/> found.</summary>
    public Span<byte> Payload => _bytes[HeaderLength..];

    /// <summary>
    /// Views the datagram at the start of <paramref name="bytes"/>. Jumbograms (RFC 2675) are refused.
    /// </summary>
    /// <returns>True if the length field is 8 or more and fits into <paramref name="bytes"/>; if not,
    /// <paramref name="udp"/> must not be used.</returns>
    public static bool TryParse(Span<byte> bytes, out Udp udp)
    {
        udp = default;
        if (bytes.Length < HeaderLength) return false;
        var length = bytes.GetUInt16(LengthOffset);
        if (length < HeaderLength || length > bytes.Length) return false;
        udp = new Udp(bytes[..length]);
        return true;
    }

    /// <summary>
    /// Begins a datagram that takes the whole of <paramref name="bytes"/>: the length is written,
    /// the rest of the header is 0.
    /// </summary>
    /// <returns>True if there are 8 to 65,535 bytes;
    /// if not, nothing is written and <paramref name="udp"/> must not be used.</returns>
    public static bool TryInitialize(Span<byte> bytes, out Udp udp)
    {
        udp = default;
        if (bytes.Length is < HeaderLength or > ushort.MaxValue) return false;
        bytes[..HeaderLength].Clear();
        udp = new Udp(bytes) { Length = (ushort)bytes.Length };
        return true;
    }

    /// <summary>
    /// True if the datagram agrees with its checksum in the packet <paramref name="ip"/>,
    /// or its sender has computed none (RFC 768).
    /// </summary>
    public bool HasValidChecksum(scoped in IPv4 ip) =>
        Checksum == 0 || IsValid(ip.PseudoHeaderSum(IPProtocol.Udp, _bytes.Length));

    /// <summary>
    /// True if the datagram agrees with its checksum in the packet <paramref name="ip"/>,
    /// which it must have (RFC 8200 §8.1).
    /// </summary>
    public bool HasValidChecksum(scoped in IPv6 ip) =>
        Checksum != 0 && IsValid(ip.PseudoHeaderSum(IPProtocol.Udp, _bytes.Length));

    /// <summary>
    /// Computes the checksum of the datagram as it is now, in the packet <paramref name="ip"/>, and writes it.
    /// </summary>
    public void WriteChecksum(scoped in IPv4 ip) => Write(ip.PseudoHeaderSum(IPProtocol.Udp, _bytes.Length));

    /// <inheritdoc cref="WriteChecksum(in IPv4)"/>
    public void WriteChecksum(scoped in IPv6 ip) => Write(ip.PseudoHeaderSum(IPProtocol.Udp, _bytes.Length));

    /// <summary>
    /// Gives the checksum what follows from a change of the data that it covers (RFC 1624 eqn. 3): a wrong one stays
    /// wrong, and where the sender has computed none there is none.
    /// </summary>
    /// <param name="change">
    /// The sum of the changes: those of the addresses (<see cref="IPv4.SetSource"/>), and of ports and payload
    /// (<see cref="InternetChecksum.Change"/>).
    /// </param>
    /// <example><code>
    /// var change = ip.SetSource(outside) + InternetChecksum.Change(udp.SourcePort, port);
    /// udp.SourcePort = port;
    /// udp.UpdateChecksum(change);
    /// </code></example>
    public void UpdateChecksum(ulong change)
    {
        if (Checksum != 0) Checksum = Transmitted(InternetChecksum.Update(Checksum, change));
    }

    /// <summary>
    /// Writes the checksum of the datagram in the packet <paramref name="ip"/>, with a payload whose sum is known,
    /// which may be written later.
    /// </summary>
    /// <param name="ip">The packet.</param>
    /// <param name="payloadSum">The <see cref="InternetChecksum.Sum(ReadOnlySpan{byte})"/> of the payload.</param>
    public void WriteChecksum(scoped in IPv4 ip, ulong payloadSum) =>
        Write(ip.PseudoHeaderSum(IPProtocol.Udp, _bytes.Length), payloadSum);

    /// <inheritdoc cref="WriteChecksum(in IPv4, ulong)"/>
    public void WriteChecksum(scoped in IPv6 ip, ulong payloadSum) =>
        Write(ip.PseudoHeaderSum(IPProtocol.Udp, _bytes.Length), payloadSum);

    private bool IsValid(ulong pseudoHeaderSum) =>
        InternetChecksum.IsValid(pseudoHeaderSum + InternetChecksum.Sum(_bytes));

    private void Write(ulong pseudoHeaderSum)
    {
        _bytes.SetUInt16(ChecksumOffset, 0);
        Checksum = Transmitted(InternetChecksum.Finish(pseudoHeaderSum + InternetChecksum.Sum(_bytes)));
    }

    private void Write(ulong pseudoHeaderSum, ulong payloadSum)
    {
        _bytes.SetUInt16(ChecksumOffset, 0);
        Checksum = Transmitted(InternetChecksum.Finish(
            pseudoHeaderSum + InternetChecksum.Sum(_bytes[..HeaderLength]) + payloadSum));
    }

    /// <summary>
    /// 0 says that there is none, so a checksum of 0 goes out as its other ones' complement form (RFC 768).
    /// </summary>
    private static ushort Transmitted(ushort checksum) => checksum == 0 ? ushort.MaxValue : checksum;
}
