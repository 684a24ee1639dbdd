namespace Emu.Protocols;

/// <summary>
/// A request or an answer of memcached's binary protocol (protocol_binary.xml): a header; extras, key and value behind
/// it, all of their lengths given in front.
/// </summary>
/// <example><code>
/// if (MemcachedMessage.TryParse(frame.Payload, out var message) &amp;&amp; message.Opcode == MemcachedOpcode.Get) …
/// </code></example>
public readonly ref struct MemcachedMessage
{
    /// <summary>The bytes of the header: 24.</summary>
    public const int HeaderLength = 24;

    /// <summary>The first byte of a request.</summary>
    public const byte RequestMagic = 0x80;

    /// <summary>The first byte of an answer.</summary>
    public const byte AnswerMagic = 0x81;

    private const int MagicOffset = 0;
    private const int OpcodeOffset = 1;
    private const int KeyLengthOffset = 2;
    private const int ExtrasLengthOffset = 4;
    private const int DataTypeOffset = 5;
    private const int StatusOffset = 6;
    private const int BodyLengthOffset = 8;
    private const int OpaqueOffset = 12;
    private const int UniqueOffset = 16;

    private readonly Span<byte> _bytes;

    private MemcachedMessage(Span<byte> bytes) => _bytes = bytes;

    /// <summary>The kind of message: <see cref="RequestMagic"/> or <see cref="AnswerMagic"/>.</summary>
    public byte Magic
    {
        get => _bytes[MagicOffset];
        set => _bytes[MagicOffset] = value;
    }

    /// <summary>The operation asked for; an answer repeats it.</summary>
    public MemcachedOpcode Opcode
    {
        get => (MemcachedOpcode)_bytes[OpcodeOffset];
        set => _bytes[OpcodeOffset] = (byte)value;
    }

    /// <summary>The bytes of the key, which is behind the extras.</summary>
    public ushort KeyLength
    {
        get => _bytes.GetUInt16(KeyLengthOffset);
        set => _bytes.SetUInt16(KeyLengthOffset, value);
    }

    /// <summary>The bytes of the extras, which are behind the header.</summary>
    public byte ExtrasLength
    {
        get => _bytes[ExtrasLengthOffset];
        set => _bytes[ExtrasLengthOffset] = value;
    }

    /// <summary>0: bytes.</summary>
    public byte DataType
    {
        get => _bytes[DataTypeOffset];
        set => _bytes[DataTypeOffset] = value;
    }

    /// <summary>The outcome, in an answer; in a request 0.</summary>
    public MemcachedStatus Status
    {
        get => (MemcachedStatus)_bytes.GetUInt16(StatusOffset);
        set => _bytes.SetUInt16(StatusOffset, (ushort)value);
    }

    /// <summary>The bytes of extras, key and value together.</summary>
    public uint BodyLength
    {
        get => _bytes.GetUInt32(BodyLengthOffset);
        set => _bytes.SetUInt32(BodyLengthOffset, value);
    }

    /// <summary>The number that the client chose, and an answer repeats.</summary>
    public uint Opaque
    {
        get => _bytes.GetUInt32(OpaqueOffset);
        set => _bytes.SetUInt32(OpaqueOffset, value);
    }

    /// <summary>CAS: the unique number that the item must have, 0 for any; in an answer, that it has.</summary>
    public ulong Unique
    {
        get => _bytes.GetUInt64(UniqueOffset);
        set => _bytes.SetUInt64(UniqueOffset, value);
    }

    /// <summary>All behind the header, what is behind the message too.</summary>
    public Span<byte> Payload => _bytes[HeaderLength..];

    /// <summary>Views the message at the start of <paramref name="bytes"/>.</summary>
    /// <returns>True if there are 24 bytes at least; if not, <paramref name="message"/> must not be used.</returns>
    public static bool TryParse(Span<byte> bytes, out MemcachedMessage message)
    {
        message = default;
        if (bytes.Length < HeaderLength) return false;
        message = new MemcachedMessage(bytes);
        return true;
    }

    /// <summary>Begins an answer to a request, of no body.</summary>
    /// <param name="bytes">Where it begins.</param>
    /// <param name="opcode">The request's opcode.</param>
    /// <param name="opaque">The request's number.</param>
    /// <param name="answer">The answer: status 0, and all other fields 0.</param>
    /// <returns>True if there are 24 bytes at least; if not, <paramref name="answer"/> must not be used.</returns>
    public static bool TryInitializeAnswer(
        Span<byte> bytes, MemcachedOpcode opcode, uint opaque, out MemcachedMessage answer)
    {
        if (!TryParse(bytes, out answer)) return false;
        bytes[..HeaderLength].Clear();
        answer.Magic = AnswerMagic;
        answer.Opcode = opcode;
        answer.Opaque = opaque;
        return true;
    }
}
