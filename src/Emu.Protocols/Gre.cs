namespace Emu.Protocols;

/// <summary>
/// The header of generic routing encapsulation, version 0 (RFC 2784 §2), with key and sequence number (RFC 2890).
/// </summary>
/// <remarks>
/// Three of its fields are there or not, as flags say. <see cref="TryParse"/> looks at the flags once: a view of a
/// header without a field reads it as 0 and does not write it.
/// </remarks>
/// <example><code>
/// if (ip.Protocol == IPProtocol.Gre &amp;&amp; Gre.TryParse(ip.Payload, out var gre)
///     &amp;&amp; gre.EtherType == EtherType.IPv4 &amp;&amp; IPv4.TryParse(gre.Payload, out var inner)) …
/// </code></example>
public readonly ref struct Gre
{
    /// <summary>The bytes of a header without fields that may be left out: 4.</summary>
    public const int MinHeaderLength = 4;

    private const int FlagsOffset = 0;
    private const int EtherTypeOffset = 2;
    private const int WordLength = 4;
    private const ushort ChecksumFlag = 1 << 15;
    private const ushort KeyFlag = 1 << 13;
    private const ushort SequenceNumberFlag = 1 << 12;

    /// <summary>
    /// Source routes, which RFC 1701 had, and version 0: a receiver discards others (RFC 2784 §2.3, §2.5).
    /// </summary>
    private const ushort MustBeZero = 1 << 14 | 1 << 11 | 1 << 10 | 7;

    private readonly Span<byte> _bytes;
    private readonly ushort _flags;

    private Gre(Span<byte> bytes, ushort flags)
    {
        _bytes = bytes;
        _flags = flags;
    }

    /// <summary>True if there is a checksum.</summary>
    public bool HasChecksum => (_flags & ChecksumFlag) != 0;

    /// <summary>True if there is a key.</summary>
    public bool HasKey => (_flags & KeyFlag) != 0;

    /// <summary>True if there is a sequence number.</summary>
    public bool HasSequenceNumber => (_flags & SequenceNumberFlag) != 0;

    /// <summary>The protocol of the payload.</summary>
    public EtherType EtherType
    {
        get => (EtherType)_bytes.GetUInt16(EtherTypeOffset);
        set => _bytes.SetUInt16(EtherTypeOffset, (ushort)value);
    }

    /// <summary>The checksum over header and payload; 0 if there is none.</summary>
    public ushort Checksum
    {
        get => HasChecksum ? _bytes.GetUInt16(MinHeaderLength) : (ushort)0;
        set
        {
            if (HasChecksum) _bytes.SetUInt16(MinHeaderLength, value);
        }
    }

    /// <summary>The number by which the ends tell apart what they carry; 0 if there is none.</summary>
    public uint Key
    {
        get => HasKey ? _bytes.GetUInt32(KeyOffset) : 0;
        set
        {
            if (HasKey) _bytes.SetUInt32(KeyOffset, value);
        }
    }

    /// <summary>The number of the packet among those of its key; 0 if there is none.</summary>
    public uint SequenceNumber
    {
        get => HasSequenceNumber ? _bytes.GetUInt32(SequenceNumberOffset) : 0;
        set
        {
            if (HasSequenceNumber) _bytes.SetUInt32(SequenceNumberOffset, value);
        }
    }

    /// <summary>The bytes of the header: 4, 8, 12 or 16.</summary>
    public int HeaderLength => SequenceNumberOffset + (HasSequenceNumber ? WordLength : 0);

    /// <summary>The bytes behind the header.</summary>
    public Span<byte> Payload => _bytes[HeaderLength..];

    /// <summary>True if header and payload agree with the checksum, or there is none.</summary>
    public bool HasValidChecksum => !HasChecksum || InternetChecksum.IsValid(InternetChecksum.Sum(_bytes));

    private int KeyOffset => MinHeaderLength + (HasChecksum ? WordLength : 0);

    private int SequenceNumberOffset => KeyOffset + (HasKey ? WordLength : 0);

    /// <summary>Views the header at the start of <paramref name="bytes"/>, which end with the payload.</summary>
    /// <returns>True if the version is 0, no source route follows, and the fields that the flags announce are there; if
    /// not, <paramref name="gre"/> must not be used.</returns>
    public static bool TryParse(Span<byte> bytes, out Gre gre)
    {
        gre = default;
        if (bytes.Length < MinHeaderLength) return false;
        var parsed = new Gre(bytes, bytes.GetUInt16(FlagsOffset));
        if ((parsed._flags & MustBeZero) != 0 || bytes.Length < parsed.HeaderLength) return false;
        gre = parsed;
        return true;
    }

    /// <summary>
    /// Begins a header in front of a payload: it has the fields that are asked for, and all of them are 0.
    /// </summary>
    /// <param name="bytes">Header and payload.</param>
    /// <param name="hasChecksum">True if there shall be a checksum.</param>
    /// <param name="hasKey">True if there shall be a key.</param>
    /// <param name="hasSequenceNumber">True if there shall be a sequence number.</param>
    /// <param name="gre">The view.</param>
    /// <returns>True if the header fits; if not, nothing is written and <paramref name="gre"/> must not be used.
    /// </returns>
    public static bool TryInitialize(
        Span<byte> bytes, bool hasChecksum, bool hasKey, bool hasSequenceNumber, out Gre gre)
    {
        gre = default;
        var flags = (hasChecksum ? ChecksumFlag : 0) | (hasKey ? KeyFlag : 0)
            | (hasSequenceNumber ? SequenceNumberFlag : 0);
        var begun = new Gre(bytes, (ushort)flags);
        if (bytes.Length < begun.HeaderLength) return false;
        bytes[..begun.HeaderLength].Clear();
        bytes.SetUInt16(FlagsOffset, begun._flags);
        gre = begun;
        return true;
    }

    /// <summary>
    /// Computes the checksum of header and payload as they are now, and writes it, if there is one.
    /// </summary>
    public void WriteChecksum()
    {
        if (!HasChecksum) return;
        _bytes.SetUInt16(MinHeaderLength, 0);
        _bytes.SetUInt16(MinHeaderLength, InternetChecksum.Finish(InternetChecksum.Sum(_bytes)));
    }
}
