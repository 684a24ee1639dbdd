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

    /// <summary>The state of an IPv4 packet.</summary>
    /// <param name="packet">Its fields.</param>
    /// <param name="ip">The packet, not malformed.</param>
    /// <param name="seconds">The time of the event.</param>
    /// <param name="begun">The connection that it begins if it is accepted; null if it begins none.</param>
    public ConnectionState Track(in PacketFields packet, IPv4 ip, ulong seconds, out Connection? begun)
    {
        begun = null;
        if (ip.FragmentOffset != 0 || !ip.MoreFragments && !IsIntact(ip)) return ConnectionState.Invalid;
        if (ip.Protocol != IPProtocol.Icmp) return Follow(packet.Tuple(0), packet.TcpFlags, seconds, out begun);
        if (Icmp.TryParse(ip.Payload, out var icmp) && (byte)icmp.Type is not (3 or 4 or 5 or 11 or 12))
            return Follow(packet.Tuple(icmp.Identifier), 0, seconds, out begun);
        if (!IPv4.TryParseQuoted(ip.Payload[Icmp.HeaderLength..], out var about) || about.FragmentOffset != 0)
            return ConnectionState.Invalid;
        // An error is for whom it quotes.
        if (about.Source != ip.Destination) return ConnectionState.Invalid;
        return About(about.Source.Bits, about.Destination.Bits, about.Protocol, about.Payload, isIPv6: false, seconds);
    }

    /// <summary>The state of an IPv6 packet.</summary>
    /// <param name="packet">Its fields.</param>
    /// <param name="ip">The packet.</param>
    /// <param name="upper">The upper layer behind its extension headers, not malformed.</param>
    /// <param name="seconds">The time of the event.</param>
    /// <param name="begun">The connection that it begins if it is accepted; null if it begins none.</param>
    public ConnectionState Track(
        in PacketFields packet, IPv6 ip, UpperLayer upper, ulong seconds, out Connection? begun)
    {
        begun = null;
        if (upper.FragmentOffset != 0 || !upper.MoreFragments && !IsIntact(ip, upper)) return ConnectionState.Invalid;
        if (upper.Protocol != IPProtocol.Icmpv6) return Follow(packet.Tuple(0), packet.TcpFlags, seconds, out begun);
        // Members of groups and neighbours (RFC 2710, RFC 3810, RFC 4861).
        if (upper.Payload[0] is (>= 130 and <= 136) or 143) return ConnectionState.Untracked;
        if (upper.Payload[0] >= 128)
        {
            var identifier = BinaryPrimitives.ReadUInt16BigEndian(upper.Payload[IdentifierOffset..]);
            return Follow(packet.Tuple(identifier), 0, seconds, out begun);
        }
        var about = upper.Payload[Icmpv6.HeaderLength..];
        const int nextHeader = 6, sourceOffset = 8, destinationOffset = 24;
        if (about.Length < IPv6.HeaderLength || about[0] >> 4 != 6) return ConnectionState.Invalid;
        var source = BinaryPrimitives.ReadUInt128BigEndian(about[sourceOffset..]);
        var destination = BinaryPrimitives.ReadUInt128BigEndian(about[destinationOffset..]);
        if (source != ip.Destination.Bits) return ConnectionState.Invalid;
        return About(
            source, destination, (IPProtocol)about[nextHeader], about[IPv6.HeaderLength..], isIPv6: true, seconds);
    }

    /// <summary>Remembers a connection whose first packet was accepted, if there is room.</summary>
    public void Remember(in Connection begun, ulong seconds) => table.Add(begun, seconds);

    /// <summary>True if lengths and checksum of the upper layer are right.</summary>
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
    private ConnectionState About(
        UInt128 source, UInt128 destination, IPProtocol protocol, ReadOnlySpan<byte> quoted, bool isIPv6, ulong seconds)
    {
        if (quoted.Length < LeastQuoted) return ConnectionState.Invalid;
        var (first, second) = (
            BinaryPrimitives.ReadUInt16BigEndian(quoted),
            BinaryPrimitives.ReadUInt16BigEndian(quoted[sizeof(ushort)..]));
        if (ConnectionTuple.IsIcmp(protocol))
            (first, second) = (BinaryPrimitives.ReadUInt16BigEndian(quoted[IdentifierOffset..]), first);
        else if (!ConnectionTuple.HasPorts(protocol)) (first, second) = (0, 0);
        var tuple = new ConnectionTuple(source, destination, first, second, (byte)protocol, isIPv6);
        return table.Find(tuple, seconds) >= 0 || table.Find(tuple.Reverse, seconds) >= 0
            ? ConnectionState.Related
            : ConnectionState.Invalid;
    }

    private ConnectionState Follow(in ConnectionTuple tuple, TcpFlags flags, ulong seconds, out Connection? begun)
    {
        begun = null;
        var isTcp = (IPProtocol)tuple.Protocol == IPProtocol.Tcp;
        if (isTcp && !TcpTransitions.IsPossible(flags)) return ConnectionState.Invalid;
        var at = table.Find(tuple, seconds);
        var isAnswer = at < 0;
        if (isAnswer) at = table.Find(tuple.Reverse, seconds);
        if (at < 0) return Begin(tuple, flags, seconds, out begun);

        ref var connection = ref table[at];
        var wasAnswered = connection.IsAnswered;
        var state = isAnswer || wasAnswered ? ConnectionState.Established : ConnectionState.New;
        var isRenewed = true;
        if (isTcp)
        {
            var next = TcpTransitions.Next(connection.Tcp, flags, isAnswer);
            var isSyn = TcpTransitions.IsSynOnly(flags);
            if (next == TcpState.Invalid) return ConnectionState.Invalid;
            if (next == TcpState.SynSent && connection.Tcp != TcpState.SynSent)
                return BeginAgain(at, tuple, flags, seconds, out begun);
            // The answer to a SYN that was ignored shows that a new connection has taken the place of the old one.
            if (next == TcpState.Ignored && connection.IsBegunAnew && (flags & TcpFlags.Syn) != 0 && isAnswer)
                next = TcpState.SynReceived;
            connection.IsBegunAnew = next == TcpState.Ignored && isSyn;
            // A RST is no answer: a connection that has no other is over.
            if ((flags & TcpFlags.Rst) != 0 && !wasAnswered)
            {
                table.Remove(at);
                return state;
            }
            // A SYN that is sent again does not make the time longer in which it must be answered.
            isRenewed = next != TcpState.Ignored && (wasAnswered || !isSyn || connection.Tcp != TcpState.SynSent);
            if (next != TcpState.Ignored) connection.Tcp = next;
        }
        if (isRenewed) connection.Renew(seconds);
        connection.IsAnswered = wasAnswered || isAnswer;
        return state;
    }

    [Cold]
    private ConnectionState BeginAgain(
        int at, in ConnectionTuple tuple, TcpFlags flags, ulong seconds, out Connection? begun)
    {
        table.Remove(at);
        return Begin(tuple, flags, seconds, out begun);
    }

    /// <summary>TCP begins by a SYN, or in the midst of a connection that was there before.</summary>
    private static ConnectionState Begin(
        in ConnectionTuple tuple, TcpFlags flags, ulong seconds, out Connection? begun)
    {
        begun = null;
        if (!tuple.CanBegin) return ConnectionState.Invalid;
        var connection = new Connection(tuple, seconds);
        if ((IPProtocol)tuple.Protocol == IPProtocol.Tcp)
        {
            connection.Tcp = TcpTransitions.Next(TcpState.None, flags, isAnswer: false);
            if (connection.Tcp == TcpState.Invalid) return ConnectionState.Invalid;
        }
        connection.Renew(seconds);
        begun = connection;
        return ConnectionState.New;
    }
}
