namespace Emu.Services;

/// <summary>
/// The progress of a TCP connection, by the names of the kernel's conntrack: it sees what both sides sent, and not what
/// they received.
/// </summary>
internal enum TcpState : byte
{
    /// <summary>No connection.</summary>
    None,

    /// <summary>A SYN.</summary>
    SynSent,

    /// <summary>A SYN,ACK to it.</summary>
    SynReceived,

    /// <summary>The handshake is over, or was before the filter was there.</summary>
    Established,

    /// <summary>A FIN of one side.</summary>
    FinWait,

    /// <summary>An acknowledgement behind a FIN.</summary>
    CloseWait,

    /// <summary>FINs of both sides.</summary>
    LastAck,

    /// <summary>An acknowledgement behind both.</summary>
    TimeWait,

    /// <summary>A RST.</summary>
    Closed,

    /// <summary>A SYN of each side.</summary>
    SynSentByBoth,

    /// <summary>Of a segment: it changes nothing, since one side may know better.</summary>
    Ignored,

    /// <summary>Of a segment: it cannot be.</summary>
    Invalid,
}
