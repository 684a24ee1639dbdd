using Emu.Protocols;

namespace Emu.Services;

/// <summary>The kernel's table of what segments make of connections (net/netfilter/nf_conntrack_proto_tcp.c).</summary>
internal static class TcpTransitions
{
    private const int SegmentShift = 4, SideShift = 3;

    /// <summary>By the side, the kind of the segment, and the state.</summary>
    private static readonly TcpState[] s_next =
    [
        // Of the side that began it, in the states: no, SS, SR, ES, FW, CW, LA, TW, CL, S2.
        .. Row("SS SS IG IG IG IG IG SS SS S2"), // SYN
        .. Row("IV IV SR IV IV IV IV IV IV SR"), // SYN,ACK
        .. Row("IV IV FW FW LA LA LA TW CL IV"), // FIN
        .. Row("ES IV ES ES CW CW TW TW CL IV"), // ACK
        .. Row("IV CL CL CL CL CL CL CL CL CL"), // RST
        .. Row(""), .. Row(""), .. Row(""),

        // Of the other.
        .. Row("IV S2 IV IV IV IV IV SS IV S2"), // SYN
        .. Row("IV SR IG IG IG IG IG IG IG SR"), // SYN,ACK
        .. Row("IV IV FW FW LA LA LA TW CL IV"), // FIN
        .. Row("IV IG SR ES CW CW TW TW CL IG"), // ACK
        .. Row("IV CL CL CL CL CL CL CL CL CL"), // RST
        .. Row(""), .. Row(""), .. Row(""),
    ];

    /// <summary>The state behind a segment.</summary>
    /// <param name="state">Before it.</param>
    /// <param name="flags">Those of the segment, which are possible.</param>
    /// <param name="isAnswer">True if it is of the side that did not begin the connection.</param>
    public static TcpState Next(TcpState state, TcpFlags flags, bool isAnswer) =>
        s_next[((isAnswer ? 1 << SideShift : 0) | Kind(flags)) << SegmentShift | (int)state];

    /// <summary>Tells a SYN that acknowledges nothing.</summary>
    public static bool IsSynOnly(TcpFlags flags) => (flags & (TcpFlags.Syn | TcpFlags.Ack)) == TcpFlags.Syn;

    /// <summary>
    /// Sets of flags that a segment can have; PSH, ECE and CWR are of no matter, URG goes with SYN or ACK.
    /// </summary>
    public static bool IsPossible(TcpFlags flags) => (flags & ~(TcpFlags.Psh | TcpFlags.Ece | TcpFlags.Cwr)) switch
    {
        TcpFlags.Syn or TcpFlags.Syn | TcpFlags.Urg or TcpFlags.Syn | TcpFlags.Ack => true,
        TcpFlags.Rst or TcpFlags.Rst | TcpFlags.Ack => true,
        TcpFlags.Ack or TcpFlags.Ack | TcpFlags.Urg => true,
        TcpFlags.Fin | TcpFlags.Ack or TcpFlags.Fin | TcpFlags.Ack | TcpFlags.Urg => true,
        _ => false,
    };

    /// <summary>The row of the table, within those of a side.</summary>
    private static int Kind(TcpFlags flags)
    {
        if ((flags & TcpFlags.Rst) != 0) return 4;
        if ((flags & TcpFlags.Syn) != 0) return (flags & TcpFlags.Ack) != 0 ? 1 : 0;
        return (flags & TcpFlags.Fin) != 0 ? 2 : 3;
    }

    /// <summary>A row of the table, as wide as a power of two.</summary>
    private static IEnumerable<TcpState> Row(string states)
    {
        var row = states.Split(' ').Select(Parse).ToList();
        return row.Concat(Enumerable.Repeat(TcpState.Invalid, (1 << SegmentShift) - row.Count));
    }

    private static TcpState Parse(string name) => name switch
    {
        "SS" => TcpState.SynSent,
        "SR" => TcpState.SynReceived,
        "ES" => TcpState.Established,
        "FW" => TcpState.FinWait,
        "CW" => TcpState.CloseWait,
        "LA" => TcpState.LastAck,
        "TW" => TcpState.TimeWait,
        "CL" => TcpState.Closed,
        "S2" => TcpState.SynSentByBoth,
        "IG" => TcpState.Ignored,
        _ => TcpState.Invalid,
    };
}
