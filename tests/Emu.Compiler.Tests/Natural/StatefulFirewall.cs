using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A firewall that follows connections: those that begin inside (port 0) may be answered from outside (port 1), and
/// from outside only open ports can be reached. The states of TCP are followed as in RFC 9293 §3.3.2; UDP and ICMP
/// echo count as connections, too, and ICMP errors pass if they are about one.
/// </summary>
/// <param name="openPort">TCP ports inside that may be reached from outside.</param>
/// <param name="capacity">The connections that there is room for: a power of two.</param>
public sealed class StatefulFirewall(ushort[] openPort, int capacity = 512) : Service
{
    private const int LongestIdle = 3600;
    private static readonly PortId s_inside = new(0), s_outside = new(1);

    private enum State : byte
    {
        New,
        SynSent,
        SynReceived,
        Established,
        FinByClient,
        FinByServer,
        Closing,
        Closed,
    }

    private readonly record struct Ends(
        IPv4Address Inside, IPv4Address Outside, ushort InsidePort, ushort OutsidePort, IPProtocol Protocol)
        : ITableKey<Ends>
    {
        public static int Width => 104;

        public UInt128 KeyBits =>
            (UInt128)Inside.Bits << 72 | (UInt128)Outside.Bits << 40
            | (UInt128)InsidePort << 24 | (UInt128)OutsidePort << 8 | (byte)Protocol;
    }

    private struct Connection
    {
        public State State;
        public bool IsClientInside;
        public ulong Expiry;
    }

    private readonly AgeingTable<Ends, Connection> _connections = new(capacity, LongestIdle, hashSeed: 1);

    public Counter Opened { get; } = new();

    public Counter Passed { get; } = new();

    public Counter Refused { get; } = new();

    public Counter Related { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var isOutbound = frame.Ingress == s_inside;
        var isAllowed = ethernet.EtherType switch
        {
            EtherType.Arp => true,
            EtherType.IPv4 => IPv4.TryParse(ethernet.Payload, out var ip) && !ip.IsFragment
                && IsAllowed(ip, isOutbound, frame.Seconds),
            _ => false,
        };
        (isAllowed ? Passed : Refused).Increment();
        if (isAllowed) frame.ForwardTo(isOutbound ? s_outside : s_inside);
    }

    private bool IsAllowed(IPv4 ip, bool isOutbound, ulong now)
    {
        if (ip.Protocol == IPProtocol.Icmp && Icmp.TryParse(ip.Payload, out var icmp))
        {
            return icmp.Type switch
            {
                IcmpType.EchoRequest => isOutbound && TryPass(
                    EndsOf(ip, icmp.Identifier, icmp.Identifier, isOutbound), isOutbound, TcpFlags.None, now),
                IcmpType.EchoReply => !isOutbound && TryPass(
                    EndsOf(ip, icmp.Identifier, icmp.Identifier, isOutbound), isOutbound, TcpFlags.None, now),
                IcmpType.DestinationUnreachable or IcmpType.TimeExceeded => IsRelated(icmp, isOutbound, now),
                _ => false,
            };
        }
        if (ip.Protocol == IPProtocol.Tcp && Tcp.TryParse(ip.Payload, out var tcp))
            return TryPass(EndsOf(ip, tcp.SourcePort, tcp.DestinationPort, isOutbound), isOutbound, tcp.Flags, now);
        if (ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp))
            return TryPass(
                EndsOf(ip, udp.SourcePort, udp.DestinationPort, isOutbound), isOutbound, TcpFlags.None, now);
        return false;
    }

    private bool TryPass(Ends ends, bool isOutbound, TcpFlags flags, ulong now)
    {
        var isKnown = _connections.TryGet(ends, now, out var connection) && now < connection.Expiry
            && connection.State != State.Closed;
        if (!isKnown)
        {
            var isTcp = ends.Protocol == IPProtocol.Tcp;
            if (isTcp && (flags & (TcpFlags.Syn | TcpFlags.Ack | TcpFlags.Rst)) != TcpFlags.Syn) return false;
            if (!isOutbound && !(isTcp && openPort.Contains(ends.InsidePort))) return false;
            connection = new Connection { State = State.New, IsClientInside = isOutbound };
            Opened.Increment();
        }

        var isFromClient = isOutbound == connection.IsClientInside;
        connection.State = ends.Protocol == IPProtocol.Tcp
            ? NextState(connection.State, isFromClient, flags)
            : isFromClient ? connection.State : State.Established;
        connection.Expiry = now + SecondsOf(connection.State, ends.Protocol);
        _connections.Set(ends, connection, now);
        return true;
    }

    private static State NextState(State state, bool isFromClient, TcpFlags flags)
    {
        if (flags.HasFlag(TcpFlags.Rst)) return State.Closed;
        var handshake = flags & (TcpFlags.Syn | TcpFlags.Ack | TcpFlags.Fin);
        var isFin = flags.HasFlag(TcpFlags.Fin);
        return (state, isFromClient) switch
        {
            (State.New, true) when handshake == TcpFlags.Syn => State.SynSent,
            (State.SynSent, false) when handshake == (TcpFlags.Syn | TcpFlags.Ack) => State.SynReceived,
            (State.SynReceived, true) when handshake == TcpFlags.Ack => State.Established,
            (State.SynReceived or State.Established, true) when isFin => State.FinByClient,
            (State.SynReceived or State.Established, false) when isFin => State.FinByServer,
            (State.FinByClient, false) or (State.FinByServer, true) when isFin => State.Closing,
            _ => state,
        };
    }

    private static ulong SecondsOf(State state, IPProtocol protocol) => (protocol, state) switch
    {
        (IPProtocol.Tcp, State.Established) => LongestIdle,
        (IPProtocol.Tcp, State.SynSent or State.SynReceived) => 30,
        (IPProtocol.Tcp, State.Closing) => 120,
        (IPProtocol.Tcp, State.Closed) => 1,
        (IPProtocol.Tcp, _) => 300,
        (IPProtocol.Udp, State.Established) => 180,
        _ => 30,
    };

    /// <summary>An error quotes the packet that it is about, which went the other way.</summary>
    private bool IsRelated(Icmp icmp, bool isOutbound, ulong now)
    {
        if (!IPv4.TryParseQuoted(icmp.Data, out var quoted) || quoted.Payload.Length < Udp.HeaderLength) return false;
        if (quoted.Protocol is not (IPProtocol.Tcp or IPProtocol.Udp)) return false;
        var ports = quoted.Payload[..4];
        var ends = EndsOf(
            quoted, (ushort)(ports[0] << 8 | ports[1]), (ushort)(ports[2] << 8 | ports[3]), !isOutbound);
        if (!_connections.TryGet(ends, now, out _)) return false;
        Related.Increment();
        return true;
    }

    private static Ends EndsOf(IPv4 ip, ushort sourcePort, ushort destinationPort, bool isOutbound) => isOutbound
        ? new Ends(ip.Source, ip.Destination, sourcePort, destinationPort, ip.Protocol)
        : new Ends(ip.Destination, ip.Source, destinationPort, sourcePort, ip.Protocol);
}
