namespace Emu.Protocols;

/// <summary>An ICMP message for IPv4 (RFC 792). It has no length of its own: it ends where the packet does.</summary>
/// <example><code>
/// if (ip.Protocol == IPProtocol.Icmp &amp;&amp; Icmp.TryParse(ip.Payload, out var icmp)
///     &amp;&amp; icmp.Type == IcmpType.EchoRequest) …
/// </code></example>
public readonly ref struct Icmp
{
    /// <summary>The bytes before <see cref="Data"/>: 8.</summary>
    public const int HeaderLength = 8;

    private const int TypeOffset = 0;
    private const int CodeOffset = 1;
    private const int ChecksumOffset = 2;
    private const int RestOfHeaderOffset = 4;
    private const int IdentifierOffset = RestOfHeaderOffset;
    private const int SequenceNumberOffset = 6;

    private readonly Span<byte> _bytes;

    private Icmp(Span<byte> bytes) => _bytes = bytes;

    /// <summary>The type of the message.</summary>
    public IcmpType Type
    {
        get => (IcmpType)_bytes[TypeOffset];
        set => _bytes[TypeOffset] = (byte)value;
    }

    /// <summary>Says it in more detail, by type.</summary>
    public byte Code
    {
        get => _bytes[CodeOffset];
        set => _bytes[CodeOffset] = value;
    }

    /// <summary>The checksum over the whole message.</summary>
    public ushort Checksum
    {
        get => _bytes.GetUInt16(ChecksumOffset);
        set => _bytes.SetUInt16(ChecksumOffset, value);
    }

    /// <summary>
    /// Bytes 4 to 7, whose meaning is the type's: a gateway (redirect), an MTU in the low half (RFC 1191 §4), unused.
    /// </summary>
    public uint RestOfHeader
    {
        get => _bytes.GetUInt32(RestOfHeaderOffset);
        set => _bytes.SetUInt32(RestOfHeaderOffset, value);
    }

    /// <summary>The identifier of an echo or timestamp message: it tells whose the message is.</summary>
    public ushort Identifier
    {
        get => _bytes.GetUInt16(IdentifierOffset);
        set => _bytes.SetUInt16(IdentifierOffset, value);
    }

    /// <summary>The sequence number of an echo or timestamp message.</summary>
    public ushort SequenceNumber
    {
        get => _bytes.GetUInt16(SequenceNumberOffset);
        set => _bytes.SetUInt16(SequenceNumberOffset, value);
    }

    /// <summary>
    /// The bytes behind the first 8: what an echo carries, or the start of the packet that an error is about.
    /// </summary>
    public Span<byte> Data => _bytes[HeaderLength..];

    /// <summary>True if the message agrees with its checksum.</summary>
    public bool HasValidChecksum => InternetChecksum.IsValid(InternetChecksum.Sum(_bytes));

    /// <summary>Views the message that <paramref name="bytes"/> are, the whole payload of an IPv4 packet.</summary>
    /// <returns>True if there are 8 bytes at least, as every message of RFC 792 has;
    /// if not, <paramref name="icmp"/> must not be used.</returns>
    public static bool TryParse(Span<byte> bytes, out Icmp icmp)
    {
        icmp = default;
        if (bytes.Length < HeaderLength) return false;
        icmp = new Icmp(bytes);
        return true;
    }

    /// <summary>Computes the checksum of the message as it is now and writes it.</summary>
    public void WriteChecksum()
    {
        _bytes.SetUInt16(ChecksumOffset, 0);
        _bytes.SetUInt16(ChecksumOffset, InternetChecksum.Compute(_bytes));
    }
}
