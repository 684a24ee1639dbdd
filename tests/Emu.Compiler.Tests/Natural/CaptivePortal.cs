using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A captive portal: hosts that have not logged in reach only the portal and DNS, and what they ask of any web server
/// is answered with the way to the portal. The portal sends the address of a host that has logged in to UDP port 4000.
/// </summary>
public sealed class CaptivePortal(IPv4Address portal, int uplink = 0) : Service
{
    private const ushort Control = 4000, Web = 80, Names = 53;
    private const int Headers = Ethernet.HeaderLength + IPv4.MinHeaderLength + Tcp.MinHeaderLength;

    private readonly byte[] _answer =
    [
        .. "HTTP/1.1 302 Found\r\nLocation: http://login.example.org/\r\n"u8,
        .. "Content-Length: 0\r\nConnection: close\r\n\r\n"u8,
    ];

    private readonly AgeingTable<IPv4Address, byte> _users = new(1024, 3600, 5);

    public Counter Users { get; } = new();

    public Counter Redirected { get; } = new();

    public Counter Dropped { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4)
        {
            frame.Flood();
            return;
        }
        if (!IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment) return;
        if (frame.Ingress.Index == uplink)
        {
            FromUplink(ref frame, ip);
            return;
        }
        if (ip.Destination == portal || _users.TryGet(ip.Source, frame.Seconds, out _))
        {
            frame.ForwardTo(new PortId(uplink));
            return;
        }
        if (ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp) && udp.DestinationPort == Names)
        {
            frame.ForwardTo(new PortId(uplink));
            return;
        }
        if (ip.Protocol == IPProtocol.Tcp && Tcp.TryParse(ip.Payload, out var tcp) && tcp.DestinationPort == Web
            && !tcp.IsRst)
        {
            Answer(ref frame, tcp.Payload.Length);
            return;
        }
        Dropped.Increment();
    }

    private void FromUplink(ref Frame frame, IPv4 ip)
    {
        if (ip.Source == portal && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp)
            && udp.DestinationPort == Control && udp.Payload.Length >= 4)
        {
            var bytes = udp.Payload;
            var user = (uint)bytes[0] << 24 | (uint)bytes[1] << 16 | (uint)bytes[2] << 8 | bytes[3];
            _users.Set(new IPv4Address(user), 1, frame.Seconds);
            Users.Increment();
            return;
        }
        frame.Flood();
    }

    /// <summary>Answers a SYN, and a request as if this were the server; says nothing else.</summary>
    private void Answer(ref Frame frame, int length)
    {
        var ethernet = new Ethernet(frame);
        if (!IPv4.TryParse(ethernet.Payload, out var ip) || !Tcp.TryParse(ip.Payload, out var tcp)) return;
        if (!tcp.IsSyn && length == 0) return;
        var (mac, server, client) = (ethernet.Source, ip.Destination, ip.Source);
        var (port, sequence, acknowledged) = (tcp.SourcePort, tcp.SequenceNumber, tcp.AcknowledgmentNumber);
        var isSyn = tcp.IsSyn;
        frame.Resize(Headers + (isSyn ? 0 : _answer.Length));
        ethernet = new Ethernet(frame);
        (ethernet.Source, ethernet.Destination) = (ethernet.Destination, mac);
        if (!IPv4.TryInitialize(ethernet.Payload, out ip)) return;
        ip.Ttl = IPv4.DefaultTtl;
        ip.Protocol = IPProtocol.Tcp;
        (ip.Source, ip.Destination) = (server, client);
        ip.WriteHeaderChecksum();
        if (!Tcp.TryInitialize(ip.Payload, out tcp)) return;
        tcp.SourcePort = Web;
        tcp.DestinationPort = port;
        tcp.SequenceNumber = isSyn ? 1000 : acknowledged;
        tcp.AcknowledgmentNumber = sequence + (uint)length + (isSyn ? 1u : 0);
        tcp.Flags = isSyn ? TcpFlags.Syn | TcpFlags.Ack : TcpFlags.Ack | TcpFlags.Psh | TcpFlags.Fin;
        tcp.Window = 8192;
        if (!isSyn) _answer.CopyTo(tcp.Payload);
        tcp.WriteChecksum(ip);
        Redirected.Increment();
        frame.Reply();
    }
}
