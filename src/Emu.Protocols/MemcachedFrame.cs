namespace Emu.Protocols;

/// <summary>
/// The frame header of a datagram of memcached (protocol.txt, <i>UDP protocol</i>), in front of a request or of a part
/// of its answer.
/// </summary>
/// <example><code>
/// if (MemcachedFrame.TryParse(udp.Payload, out var frame) &amp;&amp; frame.Count == 1) …
/// </code></example>
public readonly ref struct MemcachedFrame
{
    /// <summary>The bytes of the header: 8.</summary>
    public const int HeaderLength = 8;

    /// <summary>The UDP port of servers.</summary>
    public const ushort Port = 11211;

    private const int IdOffset = 0;
    private const int SequenceOffset = 2;
    private const int CountOffset = 4;
    private const int ReservedOffset = 6;

    private readonly Span<byte> _bytes;

    private MemcachedFrame(Span<byte> bytes) => _bytes = bytes;

    /// <summary>The number that the client chose, and all datagrams of the answer repeat.</summary>
    public ushort Id
    {
        get => _bytes.GetUInt16(IdOffset);
        set => _bytes.SetUInt16(IdOffset, value);
    }

    /// <summary>The number of the datagram in its message, from 0.</summary>
    public ushort Sequence
    {
        get => _bytes.GetUInt16(SequenceOffset);
        set => _bytes.SetUInt16(SequenceOffset, value);
    }

    /// <summary>The datagrams of the message.</summary>
    public ushort Count
    {
        get => _bytes.GetUInt16(CountOffset);
        set => _bytes.SetUInt16(CountOffset, value);
    }

    /// <summary>0.</summary>
    public ushort Reserved
    {
        get => _bytes.GetUInt16(ReservedOffset);
        set => _bytes.SetUInt16(ReservedOffset, value);
    }

    /// <summary>The message, or a part of it.</summary>
    public Span<byte> Payload => _bytes[HeaderLength..];

    /// <summary>Views the datagram at the start of <paramref name="bytes"/>.</summary>
    /// <returns>True if there are 8 bytes at least; if not, <paramref name="frame"/> must not be used.</returns>
    public static bool TryParse(Span<byte> bytes, out MemcachedFrame frame)
    {
        frame = default;
        if (bytes.Length < HeaderLength) return false;
        frame = new MemcachedFrame(bytes);
        return true;
    }
}
