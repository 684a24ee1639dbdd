using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Services;

/// <summary>Finds what packets are to connections, as the kernel's conntrack does, and follows these.</summary>
/// <param name="table">The connections.</param>
internal sealed class ConnectionTracker(ConnectionTable table)
{
    /// <summary>The bytes of an upper layer that an error quotes at least (RFC 792).</summary>
    private const int LeastQuoted = 8;

    private const int IdentifierOffset = 4;

    private Connection _new;
    private bool _isNew;

    /// <summary>The state of an IPv4 packet.</summary>
    /// <param name="packet">Its fields.</param>
    /// <param name="ip">The packet, not malformed.</param>
    /// <param name="seconds">The time of the event.</param>
    public ConnectionState Track(in PacketFields packet, IPv4 ip, ulong seconds)
    {
        if (ip.FragmentOffset != 0 || !ip.MoreFragments && !IsIntact(ip)) return ConnectionState.Invalid;
        if (ip.Protocol != IPProtocol.Icmp) return Follow(packet.Tuple(0), packet.TcpFlags, seconds);
        if (Icmp.TryParse(ip.Payload, out var icmp) && (byte)icmp.Type is not (3 or 4 or 5 or 11 or 12))
            return Follow(packet.Tuple(icmp.Identifier), 0, seconds);
        if (!IPv4.TryParseQuoted(ip.Payload[Icmp.HeaderLength..], out var about) || about.FragmentOffset != 0) return ConnectionState.Invalid;
        // An error is for whom it quotes.
        if (about.Source != ip.Destination) return ConnectionState.Invalid;
        return About(about.Source.Bits, about.Destination.Bits, about.Protocol, about.Payload, isIPv6: false, seconds);
    }

    /// <summary>The state of an IPv6 packet.</summary>
    /// <param name="packet">Its fields.</param>
    /// <param name="ip">The packet.</param>
    /// <param name="upper">What is behind its extension headers, not malformed.</param>
    /// <param name="seconds">The time of the event.</param>
    public ConnectionState Track(in PacketFields packet, IPv6 ip, UpperLayer upper, ulong seconds)
    {
        if (upper.FragmentOffset != 0 || !upper.MoreFragments && !IsIntact(ip, upper)) return ConnectionState.Invalid;
        if (upper.Protocol != IPProtocol.Icmpv6) return Follow(packet.Tuple(0), packet.TcpFlags, seconds);
        // Members of groups and neighbours (RFC 2710, RFC 3810, RFC 4861).
        if (upper.Payload[0] is (>= 130 and <= 136) or 143) return ConnectionState.Untracked;
        if (upper.Payload[0] >= 128) return Follow(packet.Tuple(BinaryPrimitives.ReadUInt16BigEndian(upper.Payload[IdentifierOffset..])), 0, seconds);
        var about = upper.Payload[Icmpv6.HeaderLength..];
        const int nextHeader = 6, sourceOffset = 8, destinationOffset = 24;
        if (about.Length < IPv6.HeaderLength || about[0] >> 4 != 6) return ConnectionState.Invalid;
        var source = BinaryPrimitives.ReadUInt128BigEndian(about[sourceOffset..]);
        var destination = BinaryPrimitives.ReadUInt128BigEndian(about[destinationOffset..]);
        if (source != ip.Destination.Bits) return ConnectionState.Invalid;
        return About(source, destination, (IPProtocol)about[nextHeader], about[IPv6.HeaderLength..], isIPv6: true, seconds);
    }

    /// <summary>Remembers the connection that the packet last tracked begins, if that was accepted and there is room.</summary>
    public void Conclude(bool isAccepted, ulong seconds)
    {
        if (_isNew && isAccepted)
        {
            _new.Renew(seconds);
            table.Add(_new, seconds);
        }
        _isNew = false;
    }

    /// <summary>Whether lengths and checksum of the upper layer are right.</summary>
    private static bool IsIntact(IPv4 ip) => ip.Protocol switch
    {
        IPProtocol.Tcp => Tcp.TryParse(ip.Payload, out var tcp) && tcp.HasValidChecksum(ip),
        IPProtocol.Udp => Udp.TryParse(ip.Payload, out var udp) && udp.HasValidChecksum(ip),
        IPProtocol.Icmp => Icmp.TryParse(ip.Payload, out var icmp) && icmp.HasValidChecksum,
        _ => true,
    };

    private static bool IsIntact(IPv6 ip, UpperLayer upper) => upper.Protocol switch
    {
        IPProtocol.Tcp => Tcp.TryParse(upper.Payload, out var tcp) && tcp.HasValidChecksum(ip),
        IPProtocol.Udp => Udp.TryParse(upper.Payload, out var udp) && udp.HasValidChecksum(ip),
        IPProtocol.Icmpv6 => Icmpv6.TryParse(upper.Payload, out var icmp) && icmp.HasValidChecksum(ip),
        _ => true,
    };

    /// <summary>An error is related if it quotes a packet of a connection, whichever side sent that.</summary>
    private ConnectionState About(UInt128 source, UInt128 destination, IPProtocol protocol, ReadOnlySpan<byte> quoted, bool isIPv6, ulong seconds)
    {
        if (quoted.Length < LeastQuoted) return ConnectionState.Invalid;
        var (first, second) = (BinaryPrimitives.ReadUInt16BigEndian(quoted), BinaryPrimitives.ReadUInt16BigEndian(quoted[sizeof(ushort)..]));
        if (ConnectionTuple.IsIcmp(protocol)) (first, second) = (BinaryPrimitives.ReadUInt16BigEndian(quoted[IdentifierOffset..]), first);
        else if (!ConnectionTuple.HasPorts(protocol)) (first, second) = (0, 0);
        var tuple = new ConnectionTuple(source, destination, first, second, (byte)protocol, isIPv6);
        return table.Find(tuple, seconds) >= 0 || table.Find(tuple.Reverse, seconds) >= 0 ? ConnectionState.Related : ConnectionState.Invalid;
    }

    private ConnectionState Follow(in ConnectionTuple tuple, TcpFlags flags, ulong seconds)
    {
        var isTcp = (IPProtocol)tuple.Protocol == IPProtocol.Tcp;
        if (isTcp && !IsPossible(flags)) return ConnectionState.Invalid;
        var at = table.Find(tuple, seconds);
        var isAnswer = at < 0;
        if (isAnswer) at = table.Find(tuple.Reverse, seconds);
        if (at < 0) return Begin(tuple, flags, seconds);

        ref var connection = ref table[at];
        var progress = connection.Progress | (isAnswer ? ConnectionProgress.Answered : 0);
        var state = (progress & ConnectionProgress.Answered) != 0 ? ConnectionState.Established : ConnectionState.New;
        if (isTcp)
        {
            if (connection.IsClosed && IsSynOnly(flags)) return BeginAgain(at, tuple, flags, seconds);
            if (!Fits(connection, flags, isAnswer)) return ConnectionState.Invalid;
            if ((flags & TcpFlags.Rst) != 0 && !connection.Is(ConnectionProgress.Answered))
            {
                table.Remove(at);
                return state;
            }
            progress |= After(connection, flags, isAnswer);
        }
        connection.Progress = progress;
        connection.Renew(seconds);
        return state;
    }

    private ConnectionState BeginAgain(int at, in ConnectionTuple tuple, TcpFlags flags, ulong seconds)
    {
        table.Remove(at);
        return Begin(tuple, flags, seconds);
    }

    /// <summary>TCP begins by a SYN, or in the midst of a connection that was there before.</summary>
    private ConnectionState Begin(in ConnectionTuple tuple, TcpFlags flags, ulong seconds)
    {
        if (!tuple.CanBegin) return ConnectionState.Invalid;
        _new = new Connection(tuple, seconds);
        if ((IPProtocol)tuple.Protocol == IPProtocol.Tcp)
        {
            if (!IsSynOnly(flags) && (flags & (TcpFlags.Syn | TcpFlags.Fin | TcpFlags.Rst)) != 0) return ConnectionState.Invalid;
            if (IsSynOnly(flags)) _new.Progress = ConnectionProgress.BegunBySyn;
        }
        _isNew = true;
        return ConnectionState.New;
    }

    /// <summary>Sets of flags that a segment can have; PSH, ECE and CWR are of no matter, URG goes with SYN or ACK.</summary>
    private static bool IsPossible(TcpFlags flags) => (flags & ~(TcpFlags.Psh | TcpFlags.Ece | TcpFlags.Cwr)) switch
    {
        TcpFlags.Syn or TcpFlags.Syn | TcpFlags.Urg or TcpFlags.Syn | TcpFlags.Ack => true,
        TcpFlags.Rst or TcpFlags.Rst | TcpFlags.Ack => true,
        TcpFlags.Ack or TcpFlags.Ack | TcpFlags.Urg or TcpFlags.Fin | TcpFlags.Ack or TcpFlags.Fin | TcpFlags.Ack | TcpFlags.Urg => true,
        _ => false,
    };

    private static bool IsSynOnly(TcpFlags flags) => (flags & (TcpFlags.Syn | TcpFlags.Ack)) == TcpFlags.Syn;

    /// <summary>
    /// Whether a segment can be next (RFC 9293 §3.10): only an answer acknowledges a SYN, nothing comes before that, and no SYN from the other side after.
    /// </summary>
    private static bool Fits(in Connection connection, TcpFlags flags, bool isAnswer)
    {
        if ((flags & TcpFlags.Rst) != 0) return true;
        var isOpening = connection.Is(ConnectionProgress.BegunBySyn) && !connection.Is(ConnectionProgress.Answered);
        if (IsSynOnly(flags)) return !isAnswer || isOpening;
        if ((flags & TcpFlags.Syn) != 0) return isAnswer;
        return !isOpening || isAnswer && (flags & TcpFlags.Fin) == 0;
    }

    private static ConnectionProgress After(in Connection connection, TcpFlags flags, bool isAnswer)
    {
        if ((flags & TcpFlags.Rst) != 0) return ConnectionProgress.Reset;
        var progress = ConnectionProgress.None;
        if ((flags & TcpFlags.Fin) != 0) progress |= isAnswer ? ConnectionProgress.FinFromSecond : ConnectionProgress.FinFromFirst;
        if (!isAnswer && connection.Is(ConnectionProgress.Answered) && (flags & TcpFlags.Syn) == 0) progress |= ConnectionProgress.Confirmed;
        return progress;
    }
}
