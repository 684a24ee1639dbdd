using Emu.Protocols;

namespace Emu.Services;

/// <summary>A connection: who began it, how far it is, and until when it is remembered.</summary>
/// <param name="Tuple">As who began it sends.</param>
/// <param name="Began">The second in which it did.</param>
internal record struct Connection(ConnectionTuple Tuple, ulong Began)
{
    /// <summary>UDP that is answered for longer than that is a conversation and not a question.</summary>
    private const ulong StreamSeconds = 2;

    public ConnectionProgress Progress { get; set; }

    /// <summary>The second from which on it is forgotten.</summary>
    public ulong Expiry { get; private set; }

    public readonly bool Is(ConnectionProgress progress) => (Progress & progress) != 0;

    /// <summary>Whether TCP has come to its end, so that a SYN begins anew.</summary>
    public readonly bool IsClosed =>
        Is(ConnectionProgress.Reset) || Is(ConnectionProgress.FinFromFirst) && Is(ConnectionProgress.FinFromSecond);

    /// <summary>Begins its time anew.</summary>
    public void Renew(ulong seconds) => Expiry = seconds + (IPProtocol)Tuple.Protocol switch
    {
        IPProtocol.Tcp => TcpSeconds,
        IPProtocol.Udp or (IPProtocol)Protocols.UdpLite => Is(ConnectionProgress.Answered) && seconds - Began > StreamSeconds ? 120UL : 30,
        IPProtocol.Icmp or IPProtocol.Icmpv6 => 30,
        _ => 600,
    };

    /// <summary>The defaults of the kernel.</summary>
    private readonly ulong TcpSeconds
    {
        get
        {
            if (Is(ConnectionProgress.Reset)) return 10;
            if (Is(ConnectionProgress.FinFromFirst | ConnectionProgress.FinFromSecond)) return 120;
            if (!Is(ConnectionProgress.BegunBySyn)) return Is(ConnectionProgress.Answered) ? 432_000UL : 300;
            if (Is(ConnectionProgress.Confirmed)) return 432_000;
            return Is(ConnectionProgress.Answered) ? 60UL : 120;
        }
    }
}
