using System.Buffers.Binary;

namespace Emu.Direction.Packets;

/// <summary>
/// The payload of a direction frame, EtherType 0x88B5: docs/direction-packets.md. All packets have the same fields;
/// those that a request does not use are 0.
/// </summary>
public readonly ref struct DirectionPacket
{
    /// <summary>The bytes of a packet: 64.</summary>
    public const int Length = 64;

    /// <summary>The version that is described here: 1.</summary>
    public const byte CurrentVersion = 1;

    /// <summary>The bits of <see cref="Value"/>: 128.</summary>
    internal const int ValueWidth = 128;

    private const byte ReplyBit = 0x80;
    private const int KindOffset = 1, StatusOffset = 2, LengthOffset = 4;
    private const int SessionOffset = 8, SequenceOffset = 12, TagOffset = 16;
    private const int NameOffset = 24, IndexOffset = 28, ValueOffset = 32, NumberOffset = 48;
    private const int ShownOffset = 56, WidthOffset = 57, WritableOffset = 58, StoppedOffset = 59, ElementsOffset = 60;
    private const int WordBytes = sizeof(ulong);
    private const int PrefixWords = 2, HashedWords = PrefixWords + Length / WordBytes;

    private readonly Span<byte> _bytes;

    internal DirectionPacket(Span<byte> bytes) => _bytes = bytes[..Length];

    /// <summary>The version of the format.</summary>
    public byte Version
    {
        get => _bytes[0];
        set => _bytes[0] = value;
    }

    /// <summary>The request.</summary>
    public DirectionKind Kind
    {
        get => (DirectionKind)(_bytes[KindOffset] & ~ReplyBit);
        set => _bytes[KindOffset] = (byte)value;
    }

    /// <summary>True for a reply.</summary>
    public bool IsReply => (_bytes[KindOffset] & ReplyBit) != 0;

    /// <summary>The outcome; of a request 0.</summary>
    public DirectionStatus Status
    {
        get => (DirectionStatus)_bytes[StatusOffset];
        set => _bytes[StatusOffset] = (byte)value;
    }

    /// <summary>The bytes that the sender says the packet has; must be <see cref="Length"/>.</summary>
    public ushort StatedLength
    {
        get => BinaryPrimitives.ReadUInt16BigEndian(_bytes[LengthOffset..]);
        set => BinaryPrimitives.WriteUInt16BigEndian(_bytes[LengthOffset..], value);
    }

    /// <summary>The number of the session, which the director chooses.</summary>
    public uint Session
    {
        get => BinaryPrimitives.ReadUInt32BigEndian(_bytes[SessionOffset..]);
        set => BinaryPrimitives.WriteUInt32BigEndian(_bytes[SessionOffset..], value);
    }

    /// <summary>The number of the request in its session: each is greater than those before.</summary>
    public uint Sequence
    {
        get => BinaryPrimitives.ReadUInt32BigEndian(_bytes[SequenceOffset..]);
        set => BinaryPrimitives.WriteUInt32BigEndian(_bytes[SequenceOffset..], value);
    }

    /// <summary>The tag that shows that the sender knows the key.</summary>
    public ulong Tag
    {
        get => BinaryPrimitives.ReadUInt64BigEndian(_bytes[TagOffset..]);
        set => BinaryPrimitives.WriteUInt64BigEndian(_bytes[TagOffset..], value);
    }

    /// <summary>The hash of a variable's name; asking to describe one, the part of the name, from 0.</summary>
    public uint Name
    {
        get => BinaryPrimitives.ReadUInt32BigEndian(_bytes[NameOffset..]);
        set => BinaryPrimitives.WriteUInt32BigEndian(_bytes[NameOffset..], value);
    }

    /// <summary>The element of a variable; asking to describe one, its number.</summary>
    public uint Index
    {
        get => BinaryPrimitives.ReadUInt32BigEndian(_bytes[IndexOffset..]);
        set => BinaryPrimitives.WriteUInt32BigEndian(_bytes[IndexOffset..], value);
    }

    /// <summary>The bits of an element; describing one, 16 bytes of its name.</summary>
    public UInt128 Value
    {
        get => BinaryPrimitives.ReadUInt128BigEndian(_bytes[ValueOffset..]);
        set => BinaryPrimitives.WriteUInt128BigEndian(_bytes[ValueOffset..], value);
    }

    /// <summary>
    /// Beginning a session: the director's time, in nanoseconds, and in the reply the fresh number. In other replies 0.
    /// </summary>
    public ulong Number
    {
        get => BinaryPrimitives.ReadUInt64BigEndian(_bytes[NumberOffset..]);
        set => BinaryPrimitives.WriteUInt64BigEndian(_bytes[NumberOffset..], value);
    }

    /// <summary>The way to show the bits of the variable.</summary>
    public VariableKind Shown
    {
        get => (VariableKind)_bytes[ShownOffset];
        set => _bytes[ShownOffset] = (byte)value;
    }

    /// <summary>Bits of an element of the variable.</summary>
    public byte Width
    {
        get => _bytes[WidthOffset];
        set => _bytes[WidthOffset] = value;
    }

    /// <summary>True if the variable may be written.</summary>
    public bool IsWritable
    {
        get => _bytes[WritableOffset] != 0;
        set => _bytes[WritableOffset] = value ? (byte)1 : (byte)0;
    }

    /// <summary>True in a reply of a service that is stopped.</summary>
    public bool IsStopped
    {
        get => _bytes[StoppedOffset] != 0;
        set => _bytes[StoppedOffset] = value ? (byte)1 : (byte)0;
    }

    /// <summary>Elements of the variable; in a reply about the status, variables.</summary>
    public uint Elements
    {
        get => BinaryPrimitives.ReadUInt32BigEndian(_bytes[ElementsOffset..]);
        set => BinaryPrimitives.WriteUInt32BigEndian(_bytes[ElementsOffset..], value);
    }

    /// <summary>Views the packet at the start of some bytes.</summary>
    /// <returns>True if they are enough; if not, <paramref name="packet"/> must not be used.</returns>
    public static bool TryParse(Span<byte> bytes, out DirectionPacket packet)
    {
        packet = default;
        if (bytes.Length < Length) return false;
        packet = new DirectionPacket(bytes);
        return true;
    }

    /// <summary>Makes it the reply to the request that it is.</summary>
    public void MakeReply() => _bytes[KindOffset] |= ReplyBit;

    /// <summary>The tag that the packet should have.</summary>
    /// <param name="key">The key of the service.</param>
    /// <param name="fresh">The fresh number of the session; 0 where it is not known yet, in requests to begin one and
    /// the replies to these.</param>
    public ulong TagBy(UInt128 key, ulong fresh) => Hash(key, 0, fresh);

    /// <summary>The fresh number that a service draws of a request to begin a session.</summary>
    /// <param name="key">The key of the service.</param>
    /// <param name="bootCount">Its boot count.</param>
    /// <param name="time">The time at which it receives the request, in nanoseconds.</param>
    public ulong FreshBy(UInt128 key, uint bootCount, ulong time) => Hash(key, bootCount + 1UL, time);

    /// <summary>
    /// SipHash-2-4 of two words, in network order, and of the packet with a tag of 0. It is one loop over
    /// half rounds, so that a circuit has two adders for it.
    /// </summary>
    internal ulong Hash(UInt128 key, ulong first, ulong second)
    {
        var hash = new SipHash(key);
        for (var half = 0; half < (HashedWords + 1 + SipHash.LastWords) * SipHash.HalvesPerWord; half++)
        {
            if (half == (HashedWords + 1) * SipHash.HalvesPerWord) hash.End();
            hash.AddQuarter(half % SipHash.HalvesPerWord, Word(half / SipHash.HalvesPerWord, first, second));
        }
        return hash.Value;
    }

    private ulong Word(int number, ulong first, ulong second) => number switch
    {
        0 => BinaryPrimitives.ReverseEndianness(first),
        1 => BinaryPrimitives.ReverseEndianness(second),
        HashedWords => SipHash.LastWord(HashedWords * WordBytes),
        > HashedWords or PrefixWords + TagOffset / WordBytes => 0,
        _ => BinaryPrimitives.ReadUInt64LittleEndian(_bytes[((number - PrefixWords) * WordBytes)..]),
    };
}
