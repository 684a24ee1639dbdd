using Emu.Protocols;

namespace Emu.Services;

/// <summary>A connection: who began it, how far it is, and until when it is remembered.</summary>
/// <param name="Tuple">As who began it sends.</param>
/// <param name="Began">The second in which it did.</param>
internal record struct Connection(ConnectionTuple Tuple, ulong Began)
{
    /// <summary>UDP that is answered for longer than that is a conversation and not a question.</summary>
    private const ulong StreamSeconds = 2;

    /// <summary>A packet has come from the other side.</summary>
    public bool IsAnswered { get; set; }

    /// <summary>The progress of TCP; of other protocols none.</summary>
    public TcpState Tcp { get; set; }

    /// <summary>
    /// The last segment was a SYN of who began it that did not fit: the other side may think that it begins anew.
    /// </summary>
    public bool IsBegunAnew { get; set; }

    /// <summary>The second from which on it is forgotten.</summary>
    public ulong Expiry { get; private set; }

    /// <summary>Another may take its place: it was never answered, or a SYN was by what is no answer to it.</summary>
    public readonly bool IsReplaceable => !IsAnswered || Tcp is TcpState.SynSent or TcpState.SynSentByBoth;

    /// <summary>Begins its time anew, by what was before the packet that makes it do so.</summary>
    public void Renew(ulong seconds) => Expiry = seconds + (IPProtocol)Tuple.Protocol switch
    {
        IPProtocol.Tcp => TcpSeconds,
        IPProtocol.Udp or (IPProtocol)Protocols.UdpLite => IsAnswered && seconds - Began > StreamSeconds ? 120UL : 30,
        IPProtocol.Icmp or IPProtocol.Icmpv6 => 30,
        _ => 600,
    };

    /// <summary>The defaults of the kernel.</summary>
    private readonly ulong TcpSeconds => Tcp switch
    {
        TcpState.Established => IsAnswered ? 432_000UL : 300,
        TcpState.SynReceived or TcpState.CloseWait => 60,
        TcpState.LastAck => 30,
        TcpState.Closed => 10,
        _ => 120,
    };
}
