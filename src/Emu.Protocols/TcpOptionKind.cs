namespace Emu.Protocols;

/// <summary>The kind of a TCP option (RFC 9293 §3.1; IANA "TCP Option Kind Numbers").</summary>
public enum TcpOptionKind : byte
{
    /// <summary>Ends the list; the cursor stops before it.</summary>
    EndOfOptionList = 0,

    /// <summary>One byte of padding between options.</summary>
    NoOperation = 1,

    /// <summary>The largest segment that the sender can receive (RFC 9293 §3.7.1).</summary>
    MaximumSegmentSize = 2,

    /// <summary>The number of bits by which to shift the window field (RFC 7323 §2).</summary>
    WindowScale = 3,

    /// <summary>Selective acknowledgments may be sent (RFC 2018 §2).</summary>
    SackPermitted = 4,

    /// <summary>Selective acknowledgment: up to 4 blocks of two sequence numbers (RFC 2018 §3).</summary>
    Sack = 5,

    /// <summary>Timestamps (RFC 7323 §3).</summary>
    Timestamps = 8,
}
