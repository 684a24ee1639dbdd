using System.Diagnostics.CodeAnalysis;

namespace Emu.Protocols;

/// <summary>The control bits of a TCP header (RFC 9293 §3.1).</summary>
[Flags]
[SuppressMessage("Naming", "CA1711", Justification = "Flags is the field's term for control bits.")]
public enum TcpFlags : byte
{
    /// <summary>No bit.</summary>
    None = 0,

    /// <summary>No more data from the sender.</summary>
    Fin = 0x01,

    /// <summary>Synchronise sequence numbers.</summary>
    Syn = 0x02,

    /// <summary>Reset the connection.</summary>
    Rst = 0x04,

    /// <summary>Push function.</summary>
    Psh = 0x08,

    /// <summary>The acknowledgment field is significant.</summary>
    Ack = 0x10,

    /// <summary>The urgent pointer is significant.</summary>
    Urg = 0x20,

    /// <summary>Congestion echo (RFC 3168 §6.1).</summary>
    Ece = 0x40,

    /// <summary>Congestion window reduced (RFC 3168 §6.1).</summary>
    Cwr = 0x80,
}
