using Emu.Protocols;

namespace Emu.Services;

/// <summary>The consequences of the progress of a TCP connection, and of a segment for it.</summary>
internal static class TcpProgressSteps
{
    /// <summary>True if it is not known of which connection a segment is.</summary>
    public static bool IsShared(this TcpProgress progress) => (progress & TcpProgress.Shared) != 0;

    /// <summary>True if both sides have closed the only connection.</summary>
    public static bool IsClosed(this TcpProgress progress) =>
        (progress & (TcpProgress.Closed | TcpProgress.Shared)) == TcpProgress.Closed;

    /// <summary>True if its time is that of an established connection.</summary>
    public static bool IsEstablished(this TcpProgress progress) =>
        progress.IsShared()
        || (progress & (TcpProgress.Established | TcpProgress.Reset)) == TcpProgress.Established
        && !progress.IsClosed();

    /// <summary>The state after a segment (RFC 6146 §3.5.2.2; RFC 7857 §2.2: a RST in any state).</summary>
    /// <param name="before">The state before it.</param>
    /// <param name="packet">The segment, or a packet of another protocol, which has no flags.</param>
    public static TcpProgress After(this TcpProgress before, Arrival packet)
    {
        var flags = packet.Flags;
        if ((flags & TcpFlags.Rst) != 0) return before | TcpProgress.Reset;
        var progress = before & ~TcpProgress.Reset;
        var isFin = (flags & TcpFlags.Fin) != 0;
        if (!packet.IsFromInside) return isFin ? progress | TcpProgress.FinReceived : progress;
        if (isFin) progress |= TcpProgress.FinSent;
        return (flags & TcpFlags.Syn) != 0 ? progress : progress | TcpProgress.Established;
    }
}
