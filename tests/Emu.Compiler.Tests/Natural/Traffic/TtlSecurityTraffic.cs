using Emu.Testing;
using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

/// <summary>
/// Sessions of a router with two neighbours, one of them over IPv6, and one peer three hops away; attacks on them.
/// </summary>
internal static class TtlSecurityTraffic
{
    private const string Router = "192.0.2.1", Neighbor = "192.0.2.2", Distant = "198.51.100.7";

    public static IEnumerable<(int Port, byte[] Frame)> Frames()
    {
        byte[] keepalive = Message(4, []);
        for (var i = 0; i < 6; i++)
        {
            yield return (0, Segment(Neighbor, 255, Message(2, Noise(23 + i * 211 % 900, i)))); // updates
            yield return (0, Segment(Distant, 253, i % 2 == 0 ? keepalive : []));
            yield return (0, Link.IPv6(IP6("2001:db8::2"), IP6("2001:db8::1"), hopLimit: 255)
                .Tcp(33001, 179, (uint)(1000 + i), 1, Packet.Ack | Packet.Psh)
                    .Payload(Message(2, Noise(40 + i * 150, i))));
            yield return (1, Back.IPv4(IP(Router), IP(Neighbor), ttl: 255)
                .Tcp(179, 33000, 1, 2, Packet.Ack).Payload(i % 3 == 0 ? keepalive : []).PaddedTo(60));
        }
        yield return (0, Link.IPv4(IP(Neighbor), IP(Router), ttl: 255)
            .Tcp(33005, 179, flags: Packet.Syn, options: [2, 4, 5, 0xB4]).PaddedTo(60));
        // Forged resets and segments from far away, and from no peer.
        yield return (0, Link.IPv4(IP(Neighbor), IP(Router), ttl: 241).Tcp(33000, 179, 77, flags: Packet.Rst)
            .PaddedTo(60));
        yield return (0, Segment(Distant, 252, keepalive));
        yield return (0, Link.IPv4(IP("203.0.113.9"), IP(Router), ttl: 250).Tcp(4000, 179, flags: Packet.Syn)
            .PaddedTo(60));
        yield return (0, Link.IPv6(IP6("2001:db8::2"), IP6("2001:db8::1"), hopLimit: 60)
            .Tcp(33001, 179, flags: Packet.Rst));
        // Errors about a session: from the neighbour itself, and forged.
        yield return (0, Error(255));
        yield return (0, Error(50));
        // Fragments and damaged headers.
        yield return (0, Link.IPv4(IP(Neighbor), IP(Router), ttl: 255, protocol: 6, fragmentOffset: 24)
            .Payload(Noise(64, 3)));
        yield return (0, Link.IPv4(IP(Neighbor), IP(Router), ttl: 255).Tcp(33000, 179, headerWords: 15).PaddedTo(60));
        yield return (0, Link.IPv4(IP(Neighbor), IP(Router), ttl: 255, protocol: 6).Payload(Noise(6, 4)).PaddedTo(60));
        // Another application of the router.
        yield return (0, Link.IPv4(IP("10.0.0.9"), IP(Router), ttl: 58).Tcp(50000, 22, flags: Packet.Ack)
            .Payload(Noise(96, 5)));
        for (var i = 0; i < 4; i++) yield return (i % 2, Background(i));
    }

    private static byte[] Segment(string peer, byte ttl, byte[] content) =>
        Link.IPv4(IP(peer), IP(Router), ttl: ttl).Tcp(33000, 179, 500, 600, Packet.Ack | Packet.Psh).Payload(content)
            .PaddedTo(60);

    private static byte[] Message(byte type, byte[] content) =>
        [.. Enumerable.Repeat((byte)0xFF, 16), .. U16(19 + content.Length), type, .. content];

    private static byte[] Error(byte ttl) =>
        Link.IPv4(IP(Neighbor), IP(Router), ttl: ttl).Icmp(3, 1)
            .IPv4(IP(Router), IP(Distant), ttl: 254).Tcp(179, 33000, 9).PaddedTo(60);
}
