using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>
/// The hosts and frames with which the services here are held to the ladder: frames of every kind that hosts exchange.
/// </summary>
internal static class LadderFrames
{
    internal static readonly MacAddress Mac = MacAddress.Parse("02:00:00:00:00:02");
    internal static readonly MacAddress PeerMac = MacAddress.Parse("02:00:00:00:00:01");
    internal static readonly IPv4Address IP = IPv4Address.Parse("10.0.0.2");
    internal static readonly IPv4Address Peer = IPv4Address.Parse("10.0.0.1");
    internal static readonly IPv4Address Inside = IPv4Address.Parse("192.168.0.254");
    internal static readonly IPv6Address IP6 = IPv6Address.Parse("fd00::2");
    internal static readonly IPv6Address Peer6 = IPv6Address.Parse("fd00::1");
    internal static readonly LadderOptions Options = new() { Output = line => TestContext.Current.AddWarning(line) };

    /// <summary>Holds a service to the ladder; all checks of a subject share what the compiler makes of it.</summary>
    public static LadderResult Check(
        Subject subject, IReadOnlyList<IncomingFrame> frames, LadderOptions? options = null) =>
        new LadderCheck(subject.Again(), frames, (options ?? Options).InTier()).Run();

    /// <summary>Holds a service that nothing else is asked of to the ladder.</summary>
    public static LadderResult Check(
        Func<Service> construct, IReadOnlyList<IncomingFrame> frames, LadderOptions? options = null) =>
        Check(new Subject(construct, options?.Ports ?? Subject.Ports), frames, options);

    public static byte[][] Segments()
    {
        var toUs = Packet.Ethernet(PeerMac, Mac);
        var overIPv4 = toUs.IPv4(Peer, IP, ttl: 3);
        var overIPv6 = toUs.IPv6(Peer6, IP6);
        var group = IP6.SolicitedNode;
        byte[] linux = [2, 4, 5, 0xB4, 4, 2, 8, 10, 0, 0, 0, 7, 0, 0, 0, 0, 1, 3, 3, 7];
        return
        [
            Packet.Ethernet(PeerMac, MacAddress.Broadcast).ArpRequest(PeerMac, Peer, IP).PaddedTo(60),
            overIPv4.Tcp(1000, 80, 7, flags: Packet.Syn).PaddedTo(60),
            overIPv4.Tcp(1000, 80, 7, flags: Packet.Syn),
            overIPv4.Tcp(1000, 443, uint.MaxValue, flags: Packet.Syn, options: linux),
            overIPv4.Tcp(1000, 81, uint.MaxValue, flags: Packet.Syn | Packet.Fin, options: linux).Payload("data"),
            overIPv4.Tcp(1000, 80, 7, 9, flags: Packet.Ack).Payload(new byte[333]),
            overIPv4.Tcp(1000, 81, 7, 9, flags: Packet.Rst),
            overIPv4.Tcp(1000, 80, 7, 9).PaddedTo(60),
            overIPv4.Tcp(1000, 80, 7, flags: Packet.Syn, options: [2, 0, 0, 0]),
            overIPv4.Tcp(1000, 80, 7, flags: Packet.Syn, options: [1, 1, 1, 8]),
            overIPv4.Tcp(1000, 80, 7, flags: Packet.Syn, checksum: 1).PaddedTo(60),
            toUs.IPv4(Peer, IP, options: [7, 7, 4, 0, 0, 0, 0, 1]).Tcp(1000, 80, 7, flags: Packet.Syn),
            toUs.IPv4(Peer, IP, options: [1, 131, 7, 8, 10, 0, 0, 9]).Tcp(1000, 80, 7, flags: Packet.Syn),
            toUs.IPv4(Peer, IP, options: [1, 0x9E, 2, 0]).Tcp(1000, 80, 7, flags: Packet.Syn),
            toUs.IPv4(Peer, IP, options: [0x9E, 5, 1, 2, 3])
                .Tcp(1000, 81, 7, 9, flags: Packet.Ack).Payload(new byte[33]),
            toUs.IPv4(Peer, IP, moreFragments: true).Tcp(1000, 80, 7, flags: Packet.Syn),
            overIPv6.Tcp(1000, 80, 7, flags: Packet.Syn),
            overIPv6.Tcp(1000, 81, uint.MaxValue, flags: Packet.Fin, options: linux).Payload("hello, six"),
            Packet.Ethernet(PeerMac, group.MulticastMac)
                .IPv6(Peer6, group, hopLimit: 255).NeighborSolicitation(IP6, PeerMac),
        ];
    }

    public static byte[][] Requests()
    {
        var toUs = Packet.Ethernet(PeerMac, Mac);
        var group = IP6.SolicitedNode;
        return
        [
            Packet.Ethernet(PeerMac, MacAddress.Broadcast).ArpRequest(PeerMac, Peer, IP).PaddedTo(60),
            toUs.IPv4(Peer, IP, ttl: 3).IcmpEchoRequest(7, 9).Payload([.. new byte[33]]),
            toUs.IPv4(Peer, IP, options: [7, 7, 4, 0, 0, 0, 0, 1, 68, 8, 5, 0, 0, 0, 0, 0])
                .IcmpEchoRequest(7, 9).Payload("options"),
            toUs.IPv4(Peer, IP, options: [1, 131, 7, 8, 10, 0, 0, 9]).IcmpEchoRequest(7, 9),
            toUs.IPv4(Peer, IP, moreFragments: true).IcmpEchoRequest(7, 9),
            toUs.IPv4(Peer, IP).Udp(1, 2).Payload("x"),
            toUs.IPv6(Peer6, IP6).Icmpv6EchoRequest(7, 9).Payload("hello, six"),
            Packet.Ethernet(PeerMac, group.MulticastMac)
                .IPv6(Peer6, group, hopLimit: 255).NeighborSolicitation(IP6, PeerMac),
            Packet.Ethernet(PeerMac, group.MulticastMac).IPv6(default, group, hopLimit: 255).NeighborSolicitation(IP6),
        ];
    }

    /// <summary>Options of every kind that a reply changes; the last three allow no reply.</summary>
    public static byte[][] WithOptions()
    {
        byte[][] options =
        [
            [7, 7, 4, 0, 0, 0, 0, 1],
            [7, 11, 8, 10, 0, 0, 9, 0, 0, 0, 0, 7, 3, 4, 0, 0],
            [68, 12, 9, 0, 0, 0, 0, 1, 0, 0, 0, 0],
            [1, 68, 12, 5, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [68, 12, 5, 3, 10, 0, 0, 2, 0, 0, 0, 0, 1, 7, 7, 4, 0, 0, 0, 0],
            [68, 12, 5, 3, 10, 0, 0, 9, 0, 0, 0, 0, 68, 8, 9, 0xE0, 0, 0, 0, 1],
            [1, 131, 7, 8, 10, 0, 0, 9],
            [68, 8, 9, 0xF1, 0, 0, 0, 1],
            [7, 6, 4, 0, 0, 0, 0, 0],
        ];
        byte[] Request(byte[] options) =>
            Packet.Ethernet(PeerMac, Mac).IPv4(Peer, IP, options: options).IcmpEchoRequest(7, 9).Payload("data");
        return [.. options.Select(Request)];
    }

    /// <summary>To each address and group of a host with IPv6; the last three have sources that cannot be.</summary>
    public static byte[][] ToEveryAddress()
    {
        var (own, allNodes) = (IPv6Address.LinkLocal(Mac), IPv6Address.Parse("ff02::1"));
        var toUs = Packet.Ethernet(PeerMac, Mac);
        var group = own.SolicitedNode;
        var toGroup = Packet.Ethernet(PeerMac, group.MulticastMac).IPv6(Peer6, group, hopLimit: 255);
        var toAll = Packet.Ethernet(PeerMac, allNodes.MulticastMac).IPv6(Peer6, allNodes, hopLimit: 255);
        return
        [
            toUs.IPv6(Peer6, own).Icmpv6EchoRequest(7, 9).Payload("hello, six"),
            toUs.IPv6(Peer6, own, hopLimit: 255).NeighborSolicitation(IP6, PeerMac),
            toGroup.NeighborSolicitation(own, PeerMac),
            toAll.NeighborSolicitation(own, PeerMac),
            toAll.NeighborSolicitation(IP6, PeerMac),
            toUs.IPv6(IPv6Address.Parse("::1"), IP6).Icmpv6EchoRequest(7, 9),
            toUs.IPv6(own, IP6).Icmpv6EchoRequest(7, 9),
            toUs.IPv6(IP6, IP6, hopLimit: 255).NeighborSolicitation(IP6, PeerMac),
        ];
    }

    /// <summary>Between two hosts inside and two outside, with the answers that come in where a port is kept.</summary>
    public static byte[][] Flows()
    {
        MacAddress mac = MacAddress.Of(IP), aMac = new(10), bMac = new(11);
        IPv4Address a = IPv4Address.Parse("192.168.0.1"),
            b = IPv4Address.Parse("192.168.0.2"),
            remote = IPv4Address.Parse("198.51.100.7"),
            neighbor = IPv4Address.Parse("10.0.0.9");
        var fromA = Packet.Ethernet(aMac, mac);
        var fromB = Packet.Ethernet(bMac, mac);
        var fromRouter = Packet.Ethernet(PeerMac, mac);
        byte[] Quoted(IPv4Address from, IPv4Address to) => Packet.Bare.IPv4(from, to).Udp(4000, 53).Payload("quoted");
        return
        [
            Packet.Ethernet(aMac, MacAddress.Broadcast).ArpRequest(aMac, a, Inside).PaddedTo(60),
            Packet.Ethernet(PeerMac, MacAddress.Broadcast).ArpRequest(PeerMac, Peer, IP).PaddedTo(60),
            fromA.IPv4(a, remote).Udp(4000, 53).Payload("question"),
            fromB.IPv4(b, remote).Udp(4000, 53).Payload("question"),
            fromA.IPv4(a, neighbor).Udp(4001, 53, checksum: 0).Payload("none"),
            fromA.IPv4(a, remote).Tcp(5000, 80, 7, flags: Packet.Syn, options: [2, 4, 5, 0xB4]),
            fromA.IPv4(a, remote).Tcp(5000, 80, 8, 9, flags: Packet.Ack).Payload(new byte[100]),
            fromA.IPv4(a, remote).Tcp(5000, 80, 8, 9, flags: Packet.Ack | Packet.Fin).PaddedTo(60),
            fromB.IPv4(b, remote).Tcp(8080, 80, 8, 9, flags: Packet.Ack | Packet.Rst).PaddedTo(60),
            fromA.IPv4(a, remote).IcmpEchoRequest(7, 1).Payload("ping"),
            fromA.IPv4(a, IP).Udp(4000, 4000).Payload("turns round"),
            fromA.IPv4(a, IP).Tcp(5000, 80, flags: Packet.Syn).PaddedTo(60),
            fromA.IPv4(a, remote).Icmp(3, 3).Payload(Quoted(remote, a)),
            fromRouter.IPv4(remote, IP).Udp(53, 4000).Payload("answer"),
            fromRouter.IPv4(neighbor, IP).Udp(53, 4000).Payload("answer"),
            fromRouter.IPv4(remote, IP).Tcp(80, 5000, 9, 8, flags: Packet.Syn | Packet.Ack).PaddedTo(60),
            fromRouter.IPv4(remote, IP).Tcp(80, 5000, 9, 8, flags: Packet.Fin | Packet.Ack).PaddedTo(60),
            fromRouter.IPv4(remote, IP).Tcp(80, 5000, 9, 8, flags: Packet.Rst).PaddedTo(60),
            fromRouter.IPv4(remote, IP).Tcp(80, 5000, 9, 8, flags: Packet.Ack).PaddedTo(60),
            fromRouter.IPv4(remote, IP).Tcp(999, 80, flags: Packet.Syn).PaddedTo(60),
            fromRouter.IPv4(remote, IP).IcmpEchoReply(7, 1).Payload("ping"),
            fromRouter.IPv4(neighbor, IP).Icmp(11, 0).Payload(Quoted(IP, remote)),
            fromA.IPv4(a, remote, identification: 5, moreFragments: true)
                .Udp(4000, 53, length: 40).Payload("first 16 bytes.."),
            fromA.IPv4(a, remote, identification: 5, fragmentOffset: 24, protocol: 17).Payload("the last 16....."),
            fromRouter.IPv4(remote, IP, identification: 5, moreFragments: true)
                .Udp(53, 4000, length: 40).Payload("first 16 bytes.."),
            fromRouter.IPv4(remote, IP, identification: 5, fragmentOffset: 24, moreFragments: true, protocol: 17)
                .Payload("not the last...."),
            fromA.IPv4(a, remote, ttl: 1).Udp(4000, 53).Payload("too far"),
            fromB.IPv4(b, Inside).IcmpEchoRequest(7, 1).Payload("ping"),
        ];
    }
}
