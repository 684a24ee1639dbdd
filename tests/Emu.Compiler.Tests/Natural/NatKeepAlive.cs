using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Keeps the mappings of a NAT alive for the IPsec of hosts behind it: where nothing was sent for some time it sends a
/// keep-alive in the host's name, and it swallows those that come back (RFC 3948 §2.3 and §4).
/// </summary>
/// <remarks>
/// A peer is forgotten when its host has sent nothing of its own for much longer. Port 0 is that of the hosts, port 1
/// that of the NAT.
/// </remarks>
/// <param name="idleMicroseconds">How long nothing is sent before a keep-alive is.</param>
/// <param name="forgetMicroseconds">How long a host sends nothing before its peer is forgotten.</param>
/// <param name="tickInterval">Nanoseconds between looks.</param>
public sealed class NatKeepAlive(
    ulong idleMicroseconds = 20_000_000, ulong forgetMicroseconds = 300_000_000, ulong tickInterval = 1_000_000_000)
    : Service
{
    private const ushort Port = 4500;
    private const byte KeepAlive = 0xFF;
    private const int Peers = 16, Headers = Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength;
    private const ulong Microsecond = 1000;

    private static readonly PortId s_inside = new(0), s_outside = new(1);

    private record struct Peer(IPv4Address Host, IPv4Address Gateway, ushort HostPort)
    {
        public MacAddress HostMac;
        public MacAddress NextHop;
        public ulong Sent;
        public ulong Used;
        public bool IsThere;
    }

    private readonly Peer[] _peers = new Peer[Peers];

    /// <summary>Packets of ESP from hosts.</summary>
    public Counter Encrypted { get; } = new();

    /// <summary>Packets of IKE from hosts.</summary>
    public Counter Negotiations { get; } = new();

    /// <summary>Keep-alives sent.</summary>
    public Counter Sent { get; } = new();

    /// <summary>Keep-alives that came from either side, and went no further.</summary>
    public Counter Swallowed { get; } = new();

    /// <summary>Peers forgotten.</summary>
    public Counter Forgotten { get; } = new();

    /// <summary>Peers for which there was no room.</summary>
    public Counter Overflow { get; } = new();

    /// <summary>Datagrams dropped: neither ESP nor IKE nor a keep-alive.</summary>
    public Counter Malformed { get; } = new();

    /// <inheritdoc/>
    public override ulong TickInterval => tickInterval;

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_inside) frame.ForwardTo(s_outside);
        else if (frame.Ingress == s_outside) frame.ForwardTo(s_inside);
        else return;

        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        if (ip.Protocol != IPProtocol.Udp || ip.IsFragment || !Udp.TryParse(ip.Payload, out var udp)) return;
        var isFromHost = frame.Ingress == s_inside;
        if ((isFromHost ? udp.DestinationPort : udp.SourcePort) != Port) return;

        var payload = udp.Payload;
        if (payload.Length == 1 && payload[0] == KeepAlive)
        {
            Swallowed.Increment();
            frame.Drop();
        }
        else if (payload.Length < 4)
        {
            Malformed.Increment();
            frame.Drop();
        }
        else if (isFromHost)
        {
            if (payload.GetUInt32(0) == 0) Negotiations.Increment(); // the marker that tells it from an SPI
            else Encrypted.Increment();
            Remember(ethernet, ip, udp.SourcePort, frame.Time);
        }
    }

    /// <inheritdoc/>
    public override void Tick(ref Frame frame)
    {
        foreach (ref var peer in _peers.AsSpan())
        {
            if (!peer.IsThere) continue;
            if (frame.Time - peer.Used >= forgetMicroseconds * Microsecond)
            {
                peer.IsThere = false;
                Forgotten.Increment();
            }
            else if (frame.Time - peer.Sent >= idleMicroseconds * Microsecond)
            {
                WriteKeepAlive(ref frame, peer);
                frame.Send(PortSet.Of(s_outside));
                peer.Sent = frame.Time;
                Sent.Increment();
            }
        }
    }

    private void Remember(Ethernet ethernet, IPv4 ip, ushort hostPort, ulong time)
    {
        var free = -1;
        for (var i = 0; i < _peers.Length; i++)
        {
            ref var peer = ref _peers[i];
            if (!peer.IsThere)
            {
                free = i;
                continue;
            }
            if (peer.Host != ip.Source || peer.Gateway != ip.Destination || peer.HostPort != hostPort) continue;
            (peer.Sent, peer.Used, peer.NextHop) = (time, time, ethernet.Destination);
            return;
        }
        if (free < 0)
        {
            Overflow.Increment();
            return;
        }
        _peers[free] = new Peer(ip.Source, ip.Destination, hostPort)
        {
            HostMac = ethernet.Source,
            NextHop = ethernet.Destination,
            Sent = time,
            Used = time,
            IsThere = true,
        };
    }

    private static void WriteKeepAlive(ref Frame frame, in Peer peer)
    {
        frame.Resize(Ethernet.MinFrameLength);
        var ethernet = new Ethernet(frame)
        {
            Destination = peer.NextHop,
            Source = peer.HostMac,
            EtherType = EtherType.IPv4,
        };
        var packet = ethernet.Payload[..(Headers + 1 - Ethernet.HeaderLength)];
        if (!IPv4.TryInitialize(packet, out var ip)) return;
        (ip.Ttl, ip.Protocol, ip.Source, ip.Destination) = (64, IPProtocol.Udp, peer.Host, peer.Gateway);
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        (udp.SourcePort, udp.DestinationPort) = (peer.HostPort, Port);
        udp.Payload[0] = KeepAlive; // no checksum (RFC 3948 §2.3)
    }
}
