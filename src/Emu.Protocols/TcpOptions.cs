namespace Emu.Protocols;

/// <summary>A cursor over the options of a TCP header (RFC 9293 §3.1), 40 steps at most.</summary>
/// <example><code>
/// var options = tcp.Options;
/// while (options.MoveNext())
///     if (options.TryReadMaximumSegmentSize(out var size)) …
/// </code></example>
public ref struct TcpOptions
{
    private const int EchoReplyOffset = 4;
    private const int TimestampsDataLength = 8;

    private OptionCursor _cursor;

    internal TcpOptions(Span<byte> options) => _cursor = new OptionCursor(options);

    /// <summary>
    /// The kind of the option at the cursor; the end of the list before the first and behind the last.
    /// </summary>
    public readonly TcpOptionKind Kind => (TcpOptionKind)_cursor.Type;

    /// <summary>
    /// The bytes of the option at the cursor, its own kind and length bytes included; 0 where there is none.
    /// </summary>
    public readonly int Length => _cursor.Length;

    /// <summary>The bytes behind the length byte of the option at the cursor; empty where there is none.</summary>
    public readonly Span<byte> Data => _cursor.Data;

    /// <summary>
    /// True if the walk has ended at an option whose length byte is missing, below 2 or beyond the header.
    /// </summary>
    public readonly bool IsMalformed => _cursor.IsMalformed;

    /// <summary>True if the option at the cursor is SACK-permitted, of its proper length (RFC 2018 §2).</summary>
    public readonly bool IsSackPermitted => Kind == TcpOptionKind.SackPermitted && Data.Length == 0;

    /// <summary>Goes on to the next option, no-operations included.</summary>
    /// <returns>True if there is one; false at the end of the list, of the header, or at a malformed option.</returns>
    public bool MoveNext() => _cursor.MoveNext();

    /// <summary>The size, in bytes, in the option at the cursor (RFC 9293 §3.7.1).</summary>
    /// <returns>True if it is a maximum segment size of its proper length.</returns>
    public readonly bool TryReadMaximumSegmentSize(out ushort size)
    {
        size = 0;
        if (Kind != TcpOptionKind.MaximumSegmentSize || Data.Length != sizeof(ushort)) return false;
        size = Data.GetUInt16(0);
        return true;
    }

    /// <summary>
    /// The shift in the option at the cursor, as it stands there; above 14 it counts as 14 (RFC 7323 §2.3).
    /// </summary>
    /// <returns>True if it is a window scale of its proper length.</returns>
    public readonly bool TryReadWindowScale(out byte shift)
    {
        shift = 0;
        if (Kind != TcpOptionKind.WindowScale || Data.Length != sizeof(byte)) return false;
        shift = Data[0];
        return true;
    }

    /// <summary>The timestamps in the option at the cursor, in the units of their senders (RFC 7323 §3.2).</summary>
    /// <param name="value">TSval, the sender's clock.</param>
    /// <param name="echoReply">TSecr, the clock of the other side as it was received; valid with ACK only.</param>
    /// <returns>True if it is a timestamps option of its proper length.</returns>
    public readonly bool TryReadTimestamps(out uint value, out uint echoReply)
    {
        value = echoReply = 0;
        if (Kind != TcpOptionKind.Timestamps || Data.Length != TimestampsDataLength) return false;
        value = Data.GetUInt32(0);
        echoReply = Data.GetUInt32(EchoReplyOffset);
        return true;
    }
}
