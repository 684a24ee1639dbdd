namespace Emu.Protocols;

/// <summary>An ICMPv6 message (RFC 4443 §2.1). It has no length of its own: it ends where the packet does.</summary>
/// <example><code>
/// if (ip.NextHeader == IPProtocol.Icmpv6 &amp;&amp; Icmpv6.TryParse(ip.Payload, out var icmp)
///     &amp;&amp; icmp.HasValidChecksum(ip)) …
/// </code></example>
public readonly ref struct Icmpv6
{
    /// <summary>The bytes before <see cref="Data"/>: 8.</summary>
    public const int HeaderLength = 8;

    private const int TypeOffset = 0;
    private const int CodeOffset = 1;
    private const int ChecksumOffset = 2;
    private const int RestOfHeaderOffset = 4;
    private const int IdentifierOffset = RestOfHeaderOffset;
    private const int SequenceNumberOffset = 6;

    private Icmpv6(Span<byte> bytes) => Message = bytes;

    /// <summary>The whole message.</summary>
    public Span<byte> Message { get; }

    /// <summary>The type of the message.</summary>
    public Icmpv6Type Type
    {
        get => (Icmpv6Type)Message[TypeOffset];
        set => Message[TypeOffset] = (byte)value;
    }

    /// <summary>Says it in more detail, by type.</summary>
    public byte Code
    {
        get => Message[CodeOffset];
        set => Message[CodeOffset] = value;
    }

    /// <summary>The checksum over a pseudo-header and the whole message.</summary>
    public ushort Checksum
    {
        get => Message.GetUInt16(ChecksumOffset);
        set => Message.SetUInt16(ChecksumOffset, value);
    }

    /// <summary>
    /// Bytes 4 to 7, whose meaning is the type's: an MTU (packet too big),
    /// a pointer (parameter problem), flags, unused.
    /// </summary>
    public uint RestOfHeader
    {
        get => Message.GetUInt32(RestOfHeaderOffset);
        set => Message.SetUInt32(RestOfHeaderOffset, value);
    }

    /// <summary>The identifier of an echo message: it tells whose the message is.</summary>
    public ushort Identifier
    {
        get => Message.GetUInt16(IdentifierOffset);
        set => Message.SetUInt16(IdentifierOffset, value);
    }

    /// <summary>The sequence number of an echo message.</summary>
    public ushort SequenceNumber
    {
        get => Message.GetUInt16(SequenceNumberOffset);
        set => Message.SetUInt16(SequenceNumberOffset, value);
    }

    /// <summary>
    /// The bytes behind the first 8: what an echo carries, or the start of the packet that an error is about.
    /// </summary>
    public Span<byte> Data => Message[HeaderLength..];

    /// <summary>Views the message that <paramref name="bytes"/> are, the rest of an IPv6 packet.</summary>
    /// <returns>
    /// True if there are 8 bytes at least, as every message of RFC 4443 and RFC 4861 has; if not,
    /// <paramref name="icmp"/> must not be used.
    /// </returns>
    public static bool TryParse(Span<byte> bytes, out Icmpv6 icmp)
    {
        icmp = default;
        if (bytes.Length < HeaderLength) return false;
        icmp = new Icmpv6(bytes);
        return true;
    }

    /// <summary>
    /// True if the message agrees with its checksum (RFC 4443 §2.3) in the packet <paramref name="ip"/>.
    /// </summary>
    public bool HasValidChecksum(scoped in IPv6 ip) =>
        InternetChecksum.IsValid(PseudoHeaderSum(ip) + InternetChecksum.Sum(Message));

    /// <summary>
    /// Computes the checksum of the message as it is now, in the packet <paramref name="ip"/>,
    /// and writes it (RFC 4443 §2.3).
    /// </summary>
    public void WriteChecksum(scoped in IPv6 ip)
    {
        Message.SetUInt16(ChecksumOffset, 0);
        Message.SetUInt16(ChecksumOffset, InternetChecksum.Finish(PseudoHeaderSum(ip) + InternetChecksum.Sum(Message)));
    }

    private ulong PseudoHeaderSum(scoped in IPv6 ip) => ip.PseudoHeaderSum(IPProtocol.Icmpv6, Message.Length);
}
