namespace Emu.Services;

/// <summary>The progress of the TCP connection of a mapping, as far as its timer asks (RFC 5382 §5).</summary>
[Flags]
internal enum TcpProgress : byte
{
    /// <summary>A SYN has left.</summary>
    None = 0,

    /// <summary>A segment without SYN has left: the other side has answered.</summary>
    Established = 1,

    /// <summary>A FIN has left.</summary>
    FinSent = 2,

    /// <summary>A FIN of the other side has come in.</summary>
    FinReceived = 4,

    /// <summary>Both sides have closed: that stays, whatever comes.</summary>
    Closed = FinSent | FinReceived,

    /// <summary>There is more than one connection: which of them is closed is not known.</summary>
    Shared = 8,

    /// <summary>
    /// The last segment was a RST, which nobody has verified: the connection may go on, and does with any other segment
    /// (RFC 6146 §3.5.2.2, TRANS).
    /// </summary>
    Reset = 16,
}
