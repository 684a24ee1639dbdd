namespace Emu.Protocols;

/// <summary>The header of a message of the domain name system (RFC 1035 §4.1.1), in UDP at port 53.</summary>
/// <example><code>
/// if (udp.DestinationPort == Dns.Port &amp;&amp; Dns.TryParse(udp.Payload, out var dns)
///     &amp;&amp; !dns.IsResponse &amp;&amp; dns.Opcode == DnsOpcode.Query &amp;&amp; dns.QuestionCount == 1) …
/// </code></example>
public readonly ref struct Dns
{
    /// <summary>The bytes of the header: 12.</summary>
    public const int HeaderLength = 12;

    /// <summary>The UDP port of servers.</summary>
    public const ushort Port = 53;

    private const int IdOffset = 0;
    private const int FlagsOffset = 2;
    private const int QuestionCountOffset = 4;
    private const int AnswerCountOffset = 6;
    private const int AuthorityCountOffset = 8;
    private const int AdditionalCountOffset = 10;

    private const ushort ResponseFlag = 1 << 15;
    private const ushort AuthoritativeFlag = 1 << 10;
    private const ushort TruncatedFlag = 1 << 9;
    private const ushort RecursionDesiredFlag = 1 << 8;
    private const ushort RecursionAvailableFlag = 1 << 7;
    private const ushort AuthenticDataFlag = 1 << 5;
    private const ushort CheckingDisabledFlag = 1 << 4;
    private const int OpcodeShift = 11;
    private const ushort NibbleMask = 15;

    private readonly Span<byte> _bytes;

    private Dns(Span<byte> bytes) => _bytes = bytes;

    /// <summary>The number that the client chose, and an answer repeats.</summary>
    public ushort Id
    {
        get => _bytes.GetUInt16(IdOffset);
        set => _bytes.SetUInt16(IdOffset, value);
    }

    /// <summary>QR: true for an answer, false for a question.</summary>
    public bool IsResponse
    {
        get => Has(ResponseFlag);
        set => Set(ResponseFlag, value);
    }

    /// <summary>The kind of question; bits above the fourth are not written.</summary>
    public DnsOpcode Opcode
    {
        get => (DnsOpcode)(Flags >> OpcodeShift & NibbleMask);
        set => Flags = (ushort)(Flags & ~(NibbleMask << OpcodeShift) | ((int)value & NibbleMask) << OpcodeShift);
    }

    /// <summary>AA: true if the server is an authority for the name.</summary>
    public bool IsAuthoritative
    {
        get => Has(AuthoritativeFlag);
        set => Set(AuthoritativeFlag, value);
    }

    /// <summary>TC: true if the message was cut off.</summary>
    public bool IsTruncated
    {
        get => Has(TruncatedFlag);
        set => Set(TruncatedFlag, value);
    }

    /// <summary>RD: true if the client wants the server to ask others.</summary>
    public bool RecursionDesired
    {
        get => Has(RecursionDesiredFlag);
        set => Set(RecursionDesiredFlag, value);
    }

    /// <summary>RA: true if the server asks others.</summary>
    public bool RecursionAvailable
    {
        get => Has(RecursionAvailableFlag);
        set => Set(RecursionAvailableFlag, value);
    }

    /// <summary>AD: true if the server has found the data authentic (RFC 4035 §3.2.3).</summary>
    public bool AuthenticData
    {
        get => Has(AuthenticDataFlag);
        set => Set(AuthenticDataFlag, value);
    }

    /// <summary>CD: true if the client checks the data itself (RFC 4035 §3.2.2).</summary>
    public bool CheckingDisabled
    {
        get => Has(CheckingDisabledFlag);
        set => Set(CheckingDisabledFlag, value);
    }

    /// <summary>The outcome; bits above the fourth are not written.</summary>
    public DnsResponseCode ResponseCode
    {
        get => (DnsResponseCode)(Flags & NibbleMask);
        set => Flags = (ushort)(Flags & ~NibbleMask | (int)value & NibbleMask);
    }

    /// <summary>The entries of the question section.</summary>
    public ushort QuestionCount
    {
        get => _bytes.GetUInt16(QuestionCountOffset);
        set => _bytes.SetUInt16(QuestionCountOffset, value);
    }

    /// <summary>The records of the answer section.</summary>
    public ushort AnswerCount
    {
        get => _bytes.GetUInt16(AnswerCountOffset);
        set => _bytes.SetUInt16(AnswerCountOffset, value);
    }

    /// <summary>The records of the authority section.</summary>
    public ushort AuthorityCount
    {
        get => _bytes.GetUInt16(AuthorityCountOffset);
        set => _bytes.SetUInt16(AuthorityCountOffset, value);
    }

    /// <summary>The records of the additional section.</summary>
    public ushort AdditionalCount
    {
        get => _bytes.GetUInt16(AdditionalCountOffset);
        set => _bytes.SetUInt16(AdditionalCountOffset, value);
    }

    /// <summary>The four sections, one behind the other.</summary>
    public Span<byte> Payload => _bytes[HeaderLength..];

    private ushort Flags
    {
        get => _bytes.GetUInt16(FlagsOffset);
        set => _bytes.SetUInt16(FlagsOffset, value);
    }

    /// <summary>Views the message at the start of <paramref name="bytes"/>.</summary>
    /// <returns>True if there are 12 bytes at least; if not, <paramref name="dns"/> must not be used.</returns>
    public static bool TryParse(Span<byte> bytes, out Dns dns)
    {
        dns = default;
        if (bytes.Length < HeaderLength) return false;
        dns = new Dns(bytes);
        return true;
    }

    private bool Has(ushort flag) => (Flags & flag) != 0;

    private void Set(ushort flag, bool value) => Flags = (ushort)(value ? Flags | flag : Flags & ~flag);
}
