namespace Emu.Protocols;

/// <summary>A segment that may be answered, and the way to answer it.</summary>
/// <remarks>It is a view of the frame: whoever changes the frame must not use it afterwards, but to reply.</remarks>
public readonly ref struct TcpSegment
{
    private readonly TcpReplyFrame _reply;

    internal TcpSegment(Tcp header, UInt128 source, UInt128 destination, TcpReplyFrame reply)
    {
        Header = header;
        (SourceBits, DestinationBits) = (source, destination);
        _reply = reply;
    }

    /// <summary>Its header, and what is behind that.</summary>
    public Tcp Header { get; }

    /// <summary>True if it came over IPv6.</summary>
    public bool IsIPv6 => _reply.IsIPv6;

    /// <summary>The address that it came from, as a number: a key for what is kept of peers.</summary>
    public UInt128 SourceBits { get; }

    /// <summary>The address that it came to, as a number.</summary>
    public UInt128 DestinationBits { get; }

    /// <summary>
    /// Makes the frame a segment to the sender, without options or data, and replies with it. Views made before must
    /// not be used after.
    /// </summary>
    /// <param name="frame">The segment's frame.</param>
    /// <param name="answer">The header of the answer, ports included.</param>
    public void Reply(ref Frame frame, TcpHeader answer) => _reply.Reply(ref frame, answer, SourceBits);
}
