using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Follows the beginnings of SOCKS 5 connections to a proxy (RFC 1928), and lets them through only if they go by the
/// protocol, and ask for a connection to a port that is allowed.
/// </summary>
/// <remarks>
/// Clients are at port 0, the proxy at port 1. Each message is one segment, as clients send them. What is against the
/// rules is dropped with all that follows on the connection. The authentication of RFC 1929 is let through, not read.
/// </remarks>
/// <param name="allowedPorts">The ports to which connections may be made.</param>
/// <param name="proxyPort">The TCP port of the proxy.</param>
public sealed class SocksGate(ushort[] allowedPorts, ushort proxyPort = 1080) : Service
{
    private const byte Version = 5;
    private const byte Connect = 1;
    private const byte NoAuthentication = 0, UserNamePassword = 2;

    private enum State : byte
    {
        Opened, Greeted, Authenticating, Ready, Requested, Relaying, Refused,
    }

    private readonly record struct Ends(IPv4Address Client, IPv4Address Proxy, ushort ClientPort, ushort ProxyPort)
        : ITableKey<Ends>
    {
        public static int Width => 96;

        public UInt128 KeyBits =>
            (UInt128)Client.Bits << 64 | (UInt128)Proxy.Bits << 32 | (uint)ClientPort << 16 | ProxyPort;
    }

    private static readonly PortId s_clients = new(0), s_proxy = new(1);

    private readonly AgeingTable<Ends, State> _connections = new(1024, lifetime: 300, hashSeed: 3);

    /// <summary>Connections opened.</summary>
    public Counter Opened { get; } = new();

    /// <summary>Connections that the proxy has made.</summary>
    public Counter Established { get; } = new();

    /// <summary>Requests for what is not allowed.</summary>
    public Counter NotAllowed { get; } = new();

    /// <summary>Messages against the protocol.</summary>
    public Counter Violations { get; } = new();

    /// <summary>Segments dropped.</summary>
    public Counter Dropped { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var isFromClient = frame.Ingress == s_clients;
        frame.ForwardTo(isFromClient ? s_proxy : s_clients);
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Tcp || !Tcp.TryParse(ip.Payload, out var tcp)
            || (isFromClient ? tcp.DestinationPort : tcp.SourcePort) != proxyPort)
            return;

        var ends = isFromClient
            ? new Ends(ip.Source, ip.Destination, tcp.SourcePort, tcp.DestinationPort)
            : new Ends(ip.Destination, ip.Source, tcp.DestinationPort, tcp.SourcePort);
        var now = frame.Seconds;
        if (isFromClient && tcp.IsSyn)
        {
            _connections.Set(ends, State.Opened, now);
            Opened.Increment();
        }
        else if (!_connections.TryGet(ends, now, out var state) || state == State.Refused)
        {
            Dropped.Increment();
            frame.Drop();
        }
        else if (tcp.IsRst || tcp.IsFin)
        {
            if (tcp.IsRst) _connections.Remove(ends, now);
        }
        else if (state != State.Relaying && !tcp.Payload.IsEmpty)
        {
            var next = isFromClient ? AfterClient(state, tcp.Payload) : AfterProxy(state, tcp.Payload);
            _connections.Set(ends, next, now);
            if (next == State.Refused)
            {
                Dropped.Increment();
                frame.Drop();
            }
        }
    }

    private State AfterClient(State state, Span<byte> message)
    {
        switch (state)
        {
            case State.Opened when IsGreeting(message):
                return State.Greeted;
            case State.Authenticating:
                return State.Authenticating;
            case State.Ready when TryReadPort(message, out var port):
                if (message[1] == Connect && IsAllowed(port)) return State.Requested;
                NotAllowed.Increment();
                return State.Refused;
            default:
                Violations.Increment();
                return State.Refused;
        }
    }

    private State AfterProxy(State state, Span<byte> message)
    {
        switch (state)
        {
            case State.Greeted when message.Length == 2 && message[0] == Version:
                return message[1] switch
                {
                    NoAuthentication => State.Ready,
                    UserNamePassword => State.Authenticating,
                    _ => State.Refused,
                };
            case State.Authenticating when message.Length == 2:
                return message[1] == 0 ? State.Ready : State.Refused;
            case State.Requested when message.Length >= 10 && message[0] == Version:
                if (message[1] != 0) return State.Ready;
                Established.Increment();
                return State.Relaying;
            default:
                Violations.Increment();
                return State.Refused;
        }
    }

    private static bool IsGreeting(Span<byte> message) =>
        message.Length >= 3 && message[0] == Version && message.Length == 2 + message[1]
        && message[2..].ContainsAny(NoAuthentication, UserNamePassword);

    /// <summary>Reads the port behind an address of any kind (RFC 1928 §4).</summary>
    private static bool TryReadPort(Span<byte> request, out ushort port)
    {
        port = 0;
        if (request.Length < 7 || request[0] != Version || request[2] != 0) return false;
        var address = request[3] switch
        {
            1 => 4,
            3 => 1 + request[4],
            4 => 16,
            _ => 0,
        };
        if (address == 0 || request.Length != 4 + address + 2) return false;
        port = request.GetUInt16(4 + address);
        return true;
    }

    private bool IsAllowed(ushort port) => Array.IndexOf(allowedPorts, port) >= 0;
}
