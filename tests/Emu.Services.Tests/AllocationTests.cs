using Emu.Hosting;
using Emu.Testing;

namespace Emu.Services.Tests;

/// <summary>
/// Design §6: zero bytes allocated per frame, from the port through the run loop and the service to the port.
/// </summary>
public sealed class AllocationTests
{
    private const int WarmUp = 10_000;
    private const int Measured = 200_000;

    private static readonly MacAddress s_a = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly MacAddress s_b = MacAddress.Parse("02:00:00:00:00:02");
    private static readonly IPv4Address s_peer = IPv4Address.Parse("10.0.0.1");
    private static readonly IPv4Address s_ip = IPv4Address.Parse("10.0.0.2");
    private static readonly IPv4Address s_outside = IPv4Address.Parse("192.0.2.9");
    private static readonly IPv6Address s_peer6 = IPv6Address.Parse("fd00::1");
    private static readonly IPv6Address s_ip6 = IPv6Address.Parse("fd00::2");

    [Fact]
    public void A_switch_allocates_nothing_for_a_frame() => AllocatesNothing(
        new LearningSwitch(),
        Packet.Ethernet(s_a, s_b).Payload("known"),
        Packet.Ethernet(s_b, s_a).Payload("known"),
        Packet.Ethernet(s_a, MacAddress.Broadcast).Payload("flooded"));

    [Fact]
    public void An_echo_host_allocates_nothing_for_a_frame() => AllocatesNothing(
        new IcmpEcho(s_ip, s_b, s_ip6),
        Packet.Ethernet(s_a, MacAddress.Broadcast).ArpRequest(s_a, s_peer, s_ip),
        Packet.Ethernet(s_a, s_b).IPv4(s_peer, s_ip).IcmpEchoRequest(1, 1).Payload(new byte[1400]),
        Packet.Ethernet(s_a, s_b).IPv4(s_peer, s_ip, options: [7, 7, 4, 0, 0, 0, 0, 0]).IcmpEchoRequest(1, 1),
        Packet.Ethernet(s_a, s_b).IPv4(s_peer, s_ip, checksum: 1).IcmpEchoRequest(1, 1),
        Packet.Ethernet(s_a, s_ip6.SolicitedNode.MulticastMac)
            .IPv6(s_peer6, s_ip6.SolicitedNode, Packet.NeighborHopLimit).NeighborSolicitation(s_ip6, s_a),
        Packet.Ethernet(s_a, s_b).IPv6(s_peer6, s_ip6).Icmpv6EchoRequest(1, 1).Payload("hello"));

    [Fact]
    public void A_NAT_allocates_nothing_for_a_frame() => AllocatesNothing(
        new Nat(
            s_ip,
            IPv4Address.Parse("192.0.2.1"),
            mac: s_b,
            policy: new NatPolicy
            {
                Filtering = Filtering.AddressDependent,
                Neighbor = [new StaticNeighbor(s_outside, s_a)],
            }),
        Packet.Ethernet(s_a, MacAddress.Broadcast).ArpRequest(s_a, s_peer, s_ip),
        Packet.Ethernet(s_a, s_b).IPv4(s_peer, s_outside).Udp(1000, 53).Payload(new byte[1400]),
        Packet.Ethernet(s_a, s_b).IPv4(s_peer, s_outside).Tcp(1000, 80, flags: Packet.Syn),
        Packet.Ethernet(s_a, s_b).IPv4(s_peer, s_peer).Udp(1000, 53),
        Packet.Ethernet(s_a, s_b)
            .IPv4(s_peer, s_outside).Icmp(3, 3).Payload(Packet.Bare.IPv4(s_outside, s_peer).Udp(53, 1000).ToArray()));

    [Fact]
    public void A_filter_allocates_nothing_for_a_frame() => AllocatesNothing(
        new Filter(rule: [
            "-A FORWARD -p tcp --syn -j ACCEPT",
            "-A FORWARD -s 10.0.0.1 -m length --length 100: -j DROP",
            "-A FORWARD -p udp -j REJECT",
        ]),
        Packet.Ethernet(s_a, s_b).IPv4(s_peer, s_ip).Tcp(1000, 80, flags: Packet.Syn),
        Packet.Ethernet(s_a, s_b).IPv4(s_peer, s_ip).Udp(1000, 53).Payload(new byte[1400]),
        Packet.Ethernet(s_a, s_b).IPv4(s_peer, s_ip).Udp(1000, 53),
        Packet.Ethernet(s_a, s_b).IPv6(s_peer6, s_ip6).Icmpv6EchoRequest(1, 1).Payload("hello"));

    [Fact]
    public void A_filter_of_connections_allocates_nothing_for_a_frame() => AllocatesNothing(
        new Filter(
            rule: [
                "-A FORWARD -m limit --limit 5/second -j ACCEPT",
                "-A FORWARD -m conntrack --ctstate NEW,RELATED -j ACCEPT",
            ],
            rule6: ["-A FORWARD -m state --state NEW -j ACCEPT"], countRules: true),
        Packet.Ethernet(s_a, s_b).IPv4(s_peer, s_ip).Tcp(1000, 80, flags: Packet.Syn),
        Packet.Ethernet(s_a, s_b).IPv4(s_peer, s_ip).Udp(1000, 53),
        Packet.Ethernet(s_a, s_b)
            .IPv4(s_peer, s_ip).Icmp(3, 3).Payload(Packet.Bare.IPv4(s_ip, s_peer).Udp(53, 1000).ToArray()),
        Packet.Ethernet(s_a, s_b).IPv6(s_peer6, s_ip6).Icmpv6EchoRequest(1, 1).Payload("hello"));

    [Fact]
    public void A_TCP_host_allocates_nothing_for_a_frame() => AllocatesNothing(
        new TcpPing(s_ip, s_b, s_ip6, [80], 1, completeHandshakes: true),
        Packet.Ethernet(s_a, MacAddress.Broadcast).ArpRequest(s_a, s_peer, s_ip),
        Packet.Ethernet(s_a, s_b).IPv4(s_peer, s_ip).Tcp(1000, 80, flags: Packet.Syn),
        Packet.Ethernet(s_a, s_b)
            .IPv4(s_peer, s_ip).Tcp(1000, 80, flags: Packet.Syn, options: [2, 4, 5, 0xB4, 1, 3, 3, 7]),
        Packet.Ethernet(s_a, s_b).IPv4(s_peer, s_ip).Tcp(1000, 81, flags: Packet.Ack).Payload(new byte[1400]),
        Packet.Ethernet(s_a, s_b).IPv4(s_peer, s_ip).Tcp(1000, 80, checksum: 1),
        Packet.Ethernet(s_a, s_b).IPv4(s_peer, s_ip, options: [1, 0x9E, 2, 0]).Tcp(1000, 80, flags: Packet.Syn),
        Packet.Ethernet(s_a, s_b).IPv6(s_peer6, s_ip6, nextHeader: 60)
            .Payload([6, 0, 1, 4, 0, 0, 0, 0, .. new byte[20]]),
        Packet.Ethernet(s_a, s_b).IPv6(s_peer6, s_ip6).Tcp(1000, 80, flags: Packet.Syn));

    [Fact]
    public void A_cache_allocates_nothing_for_a_frame() => AllocatesNothing(
        new Memcached(s_ip, s_b, chunks: 32, rate: 0),
        ToCache.Payload("set a 0 0 3\r\nabc\r\nget a b\r\nincr a 1\r\nstats\r\n"),
        ToCache.Payload("set b 0 0 1\r\n5\r\nincr b 1\r\nappend b 0 0 1\r\n0\r\nfoo\r\n"),
        ToCache.MemcachedRequest(0x01, "c", new byte[8], new string('v', 1000)),
        ToCache.MemcachedRequest(0x05, "n", new byte[20]).MemcachedRequest(0x0D, "c").MemcachedRequest(0x10),
        Packet.Ethernet(s_a, s_b).IPv4(s_peer, s_ip).Udp(1000, 11211).Payload("?"));

    [Fact]
    public void A_look_aside_cache_allocates_nothing_for_a_frame() => AllocatesNothing(
        new LruCache(s_ip, chunks: 64),
        ToCache.Payload("get a\r\n"),
        Packet.Ethernet(s_b, s_a).IPv4(s_ip, s_peer).Udp(11211, 1000).MemcachedFrame(1)
            .Payload("VALUE a 0 3\r\nabc\r\nEND\r\n"),
        ToCache.Payload("get a\r\n"),
        ToCache.Payload("set a 0 0 1\r\nx\r\n"),
        ToCache.Payload("flush_all\r\n"));

    private static Packet ToCache => Packet.Ethernet(s_a, s_b).IPv4(s_peer, s_ip).Udp(1000, 11211).MemcachedFrame(1);

    private static void AllocatesNothing(Service service, params Packet[] frames)
    {
        using var port0 = new TreadmillPort([.. frames.Select(frame => frame.ToArray())]);
        using var port1 = new TreadmillPort([.. frames.Select(frame => frame.ToArray())]);
        using var runner = new ServiceRunner(service, [port0, port1]);
        runner.Run(CancellationToken.None);

        Assert.Equal(2UL * (WarmUp + Measured), runner.Sequence.FramesIn.Value);
        Assert.NotEqual(0UL, port0.Sent + port1.Sent);
        Assert.Equal(0, port0.AllocatedAtEnd - port0.AllocatedAtStart);
    }

    /// <summary>
    /// The same frames over and over; looks at the allocations of its thread where the measured part begins and ends.
    /// </summary>
    private sealed class TreadmillPort(byte[][] frames) : Port
    {
        private readonly byte[] _memory = GC.AllocateUninitializedArray<byte>(
            FrameLength.Of(FrameLength.DefaultMtu), pinned: true);
        private int _count;

        public override string Name => "treadmill";

        public override bool IsLive => false;

        public ulong Sent { get; private set; }

        public long AllocatedAtStart { get; private set; }

        public long AllocatedAtEnd { get; private set; }

        public override unsafe int Receive(Span<ReceivedFrame> batch)
        {
            if (_count == WarmUp) AllocatedAtStart = GC.GetAllocatedBytesForCurrentThread();
            if (_count == WarmUp + Measured)
            {
                AllocatedAtEnd = GC.GetAllocatedBytesForCurrentThread();
                return 0;
            }
            var frame = frames[_count++ % frames.Length];
            frame.CopyTo(_memory, 0);
            fixed (byte* start = _memory)
                batch[0] = new ReceivedFrame(start, frame.Length, _memory.Length, (ulong)_count * 1000);
            return 1;
        }

        public override void Send(ReadOnlySpan<byte> frame, ulong time) => Sent++;
    }
}
