using Emu.Hosting;
using Emu.Testing;

namespace Emu.Services.Tests;

/// <summary>Whatever arrives, a service neither throws nor writes outside the frame's memory.</summary>
public sealed class BadInputTests
{
    private const int Frames = 1_000_000;
    private const int Ports = 4;
    private const int GuardLength = 64;
    private const byte Guard = 0xA5;

    private static readonly MacAddress s_mac = MacAddress.Parse("02:00:00:00:00:02");
    private static readonly MacAddress s_peerMac = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly IPv4Address s_ip = IPv4Address.Parse("10.0.0.2");
    private static readonly IPv4Address s_peer = IPv4Address.Parse("10.0.0.1");
    private static readonly IPv4Address s_remote = IPv4Address.Parse("198.51.100.7");
    private static readonly IPv6Address s_ip6 = IPv6Address.Parse("fd00::2");
    private static readonly IPv6Address s_peer6 = IPv6Address.Parse("fd00::1");

    private static Packet ToUs => Packet.Ethernet(s_peerMac, s_mac);

    /// <summary>Requests of memcached, in frames without a checksum, so that what is changed in them is read.</summary>
    private static readonly byte[][] s_requests =
    [
        [.. "set a 7 0 3\r\nabc\r\ngets a b\r\nincr n 1\r\nflush_all 0\r\n"u8],
        [.. "set n 0 0 1\r\n5\r\nincr n 1\r\nappend a 0 0 2\r\nxy\r\ngat 9 a\r\ntouch c 1\r\ndelete b\r\n"u8],
        [.. "cas a 0 0 500 1\r\n"u8, .. new byte[500], .. "\r\nset b 0 0 1\r\nx\r\nget b\r\n"u8],
        Packet.Bare.MemcachedRequest(1, "a", new byte[8], new string('v', 600)).MemcachedRequest(0x0C, "a")
            .MemcachedRequest(5, "n", new byte[20]).MemcachedRequest(8).MemcachedRequest(0x10),
        Packet.Bare.MemcachedRequest(0x1D, "a", new byte[4]).MemcachedRequest(4, "n")
            .MemcachedRequest(0x0E, "a", value: "x"),
    ];

    /// <summary>
    /// The frames that the services understand: a mutation of one comes further into them than noise does.
    /// </summary>
    private static readonly byte[][] s_understood =
    [
        Packet.Ethernet(s_peerMac, MacAddress.Broadcast).ArpRequest(s_peerMac, s_peer, s_ip).PaddedTo(60),
        ToUs.IPv4(s_peer, s_ip).IcmpEchoRequest(7, 9).Payload("abcdefghijklmnopqrstuvw"),
        ToUs.IPv4(s_peer, s_ip, options: [7, 11, 4, 0, 0, 0, 0, 0, 0, 0, 0, 131, 11, 12, 10, 0, 0, 9, 10, 0, 0, 8, 0])
            .IcmpEchoRequest(7, 9).Payload(new byte[1400]),
        ToUs.IPv4(s_peer, s_ip, moreFragments: true, fragmentOffset: 16).Payload(new byte[64]),
        ToUs.Vlan(7).IPv4(s_peer, s_ip).IcmpEchoRequest(7, 9),
        Packet.Ethernet(s_peerMac, s_ip6.SolicitedNode.MulticastMac)
            .IPv6(s_peer6, s_ip6.SolicitedNode, Packet.NeighborHopLimit).NeighborSolicitation(s_ip6, s_peerMac),
        ToUs.IPv6(s_peer6, s_ip6).Icmpv6EchoRequest(7, 9).Payload("abcdefghijklmnopqrstuvw"),
        ToUs.IPv4(s_peer, s_ip).Udp(1000, 53).Payload("?"),
        ToUs.IPv4(s_peer, s_ip).Tcp(
            1000, 80, flags: Packet.Syn, options: [2, 4, 5, 0xB4, 4, 2, 8, 10, 0, 0, 0, 7, 0, 0, 0, 0, 1, 3, 3, 7]),
        ToUs.IPv4(s_peer, s_ip, options: [131, 7, 8, 10, 0, 0, 9]).Tcp(1000, 80, flags: Packet.Ack).Payload("abc"),
        ToUs.IPv6(s_peer6, s_ip6).Tcp(1000, 81, flags: Packet.Fin).Payload("abcdefghijklmnopqrstuvw"),
        ToUs.IPv6(s_peer6, s_ip6, nextHeader: 0)
            .Payload([60, 0, 5, 2, 0, 0, 1, 0, 6, 0, 0x5E, 2, 0, 0, 1, 0, .. new byte[20]]),
        ToUs.IPv4(s_peer, s_remote).Udp(1000, 53).Payload("?"),
        ToUs.IPv4(s_peer, s_remote).Tcp(1000, 80, flags: Packet.Ack),
        ToUs.IPv4(s_remote, s_ip).Udp(53, 1000).Payload("!"),
        ToUs.IPv4(s_remote, s_ip)
            .Icmp(3, 3).Payload(Packet.Bare.IPv4(s_ip, s_remote).Udp(1000, 53).Payload("?").ToArray()),
    ];

    /// <summary>The same with requests of memcached.</summary>
    private static readonly byte[][] s_understoodByCache =
    [
        .. s_understood,
        .. s_requests.Select(request => ToUs.IPv4(s_peer, s_ip).Udp(1000, 11211, checksum: 0)
            .MemcachedFrame(7).Payload(request).ToArray()),
    ];

    private static readonly byte[][] s_understoodByLookAside =
    [
        .. s_understood,
        .. ((string[])["get a\r\n", "get b\r\n", "get a\r\n", "get b\r\n", "set a 0 0 1\r\nx\r\n", "gat 9 b\r\n"])
            .Select(request => ToUs.IPv4(s_peer, s_ip).Udp(1000, 11211, checksum: 0).MemcachedFrame(7)
                .Payload(request).ToArray()),
        .. ((string[])["VALUE a 0 3\r\nabc\r\nEND\r\n", "VALUE b 0 1\r\nx\r\nEND\r\n", "STORED\r\n"])
            .Select(answer => ToUs.IPv4(s_ip, s_peer).Udp(11211, 1000, checksum: 0).MemcachedFrame(7)
                .Payload(answer).ToArray()),
    ];

    [Theory]
    [InlineData(1, FrameLength.DefaultMtu)]
    [InlineData(2, FrameLength.MinMtu)]
    public void A_learning_switch_survives_a_million_bad_frames(int seed, int mtu) =>
        Survives(new LearningSwitch(capacity: 16), new Random(seed), mtu);

    [Theory]
    [InlineData(3, FrameLength.DefaultMtu)]
    [InlineData(4, FrameLength.MinMtu)]
    public void An_echo_host_survives_a_million_bad_frames(int seed, int mtu)
    {
        var service = new IcmpEcho(s_ip, s_mac, s_ip6);
        Survives(service, new Random(seed), mtu);
        // The frames came everywhere: each counter has moved.
        Counter[] reached =
        [
            service.Host.ArpReplies, service.Host.NotForUs, service.Host.ToGroup, service.Host.Fragments,
            service.Host.BadChecksum, service.Host.Malformed,
        ];
        Assert.All(reached, counter => Assert.NotEqual(0UL, counter.Value));
    }

    [Theory]
    [InlineData(5, FrameLength.DefaultMtu)]
    [InlineData(6, FrameLength.MinMtu)]
    public void A_TCP_host_survives_a_million_bad_frames(int seed, int mtu)
    {
        var service = new TcpPing(s_ip, s_mac, s_ip6, [80], 1, completeHandshakes: true);
        Survives(service, new Random(seed), mtu);
        Counter[] reached =
        [
            service.SynAcks, service.Resets, service.Host.ArpReplies, service.Host.NotForUs, service.Host.ToGroup,
            service.Host.Fragments, service.Host.SourceRoutes, service.Host.UnknownOptions, service.Host.BadChecksum,
            service.Host.Malformed,
        ];
        Assert.All(reached, counter => Assert.NotEqual(0UL, counter.Value));
    }

    [Theory]
    [InlineData(7, FrameLength.DefaultMtu, Filtering.EndpointIndependent)]
    [InlineData(8, FrameLength.MinMtu, Filtering.AddressAndPortDependent)]
    public void A_NAT_survives_a_million_bad_frames(int seed, int mtu, Filtering filtering)
    {
        var service = new Nat(
            IPv4Address.Parse("10.0.0.254"),
            s_ip,
            mac: s_mac,
            policy: new NatPolicy { Neighbor = [new StaticNeighbor(s_remote, s_peerMac)], Filtering = filtering },
            capacity: new NatCapacity { Mappings = 64, Neighbors = 4 });
        Survives(service, new Random(seed), mtu);
        Counter[] reached =
        [
            service.Outbound, service.Inbound, service.ArpReplies, service.ArpRequests, service.Unresolved,
            service.Unmapped, service.NoPort, service.NotForUs, service.NotTranslated, service.ToGroup,
            service.Fragments, service.WithOptions, service.TtlExpired, service.BadChecksum, service.Malformed,
        ];
        Assert.All(reached, counter => Assert.NotEqual(0UL, counter.Value));
    }

    [Theory]
    [InlineData(9, FrameLength.DefaultMtu, "REJECT")]
    [InlineData(10, FrameLength.MinMtu, "DROP")]
    public void A_filter_survives_a_million_bad_frames(int seed, int mtu, string target)
    {
        string[] rules =
        [
            "-A FORWARD -m length --length 60: -j ACCEPT",
            $"-A FORWARD -p tcp -j {target}",
            "-A FORWARD -j DROP",
        ];
        var service = new Filter(rule: rules, rule6: rules);
        Survives(service, new Random(seed), mtu);
        Counter[] reached = [service.Accepted, service.Dropped, service.Malformed, service.NotIP];
        Assert.All(reached, counter => Assert.NotEqual(0UL, counter.Value));
        Assert.Equal(target == "REJECT", service.Rejected.Value > 0);
    }

    [Fact]
    public void A_filter_of_connections_survives_a_million_bad_frames()
    {
        string[] rules =
        [
            "-A FORWARD -m limit --limit 1000/second -j RETURN",
            "-A FORWARD -m conntrack --ctstate INVALID,RELATED -j DROP",
        ];
        var service = new Filter(rule: rules, rule6: rules, countRules: true, connections: 64);
        Survives(service, new Random(11), FrameLength.DefaultMtu);
        Counter[] reached = [service.Accepted, service.Dropped, service.Malformed, service.NotIP];
        Assert.All(reached, counter => Assert.NotEqual(0UL, counter.Value));
    }

    [Theory]
    [InlineData(12, FrameLength.DefaultMtu)]
    [InlineData(13, FrameLength.MinMtu)]
    public void A_cache_survives_a_million_bad_frames(int seed, int mtu)
    {
        var service = new Memcached(s_ip, s_mac, s_ip6, chunks: 32, rate: 1000);
        Survives(service, new Random(seed), mtu, s_understoodByCache, answersOnce: false);
        if (mtu == FrameLength.MinMtu) return; // too short for most requests
        Counter[] reached =
        [
            service.Server.GetHits, service.Server.GetMisses, service.Server.CmdSet, service.Server.CmdFlush,
            service.Server.IncrHits, service.Server.DeleteMisses, service.Server.TouchMisses, service.Server.Evictions,
            service.Server.Errors, service.Server.NotRequests, service.Server.CutOff,
        ];
        Assert.All(reached, counter => Assert.NotEqual(0UL, counter.Value));
    }

    [Theory]
    [InlineData(14, FrameLength.DefaultMtu)]
    [InlineData(15, FrameLength.MinMtu)]
    public void A_look_aside_cache_survives_a_million_bad_frames(int seed, int mtu)
    {
        var service = new LruCache(s_ip, chunks: 64);
        Survives(service, new Random(seed), mtu, s_understoodByLookAside);
        if (mtu == FrameLength.MinMtu) return; // too short for most answers
        var counters = service.Counters;
        Counter[] reached =
        [
            counters.Hits, counters.Misses, counters.Learned, counters.Outdated, counters.Writes, counters.Clears,
        ];
        Assert.All(reached, counter => Assert.NotEqual(0UL, counter.Value));
    }

    private static void Survives(
        Service service, Random random, int mtu, byte[][]? frames = null, bool answersOnce = true)
    {
        var understood = frames ?? s_understood;
        var output = new Discard();
        var sequence = new EventSequence(service, Ports, output, mtu);
        sequence.Start(0);
        var room = sequence.MaxFrameLength;
        var memory = new byte[GuardLength + room + GuardLength];
        var guards = new Range[] { ..GuardLength, (GuardLength + room).. };
        foreach (var guard in guards) memory.AsSpan(guard).Fill(Guard);

        for (var i = 0; i < Frames; i++)
        {
            var frame = memory.AsSpan(GuardLength, room);
            var length = random.Next(4) == 0
                ? Noise(random, frame, understood)
                : Mutation(random, frame, understood);
            sequence.Receive(new PortId((byte)random.Next(Ports)), frame, length, (ulong)i * 100_000);
            if (i % 64 == 0) Assert.All(guards, guard => Assert.False(memory.AsSpan(guard).ContainsAnyExcept(Guard)));
        }

        Assert.All(Enum.GetValues<FaultKind>(), kind => Assert.Equal(0UL, sequence.Faults(kind).Value));
        Assert.Equal(sequence.FramesOut.Value, output.Frames);
        if (answersOnce)
            Assert.Equal(sequence.FramesIn.Value, sequence.Drops.Value + sequence.FramesOut.Value);
    }

    private static int Noise(Random random, Span<byte> frame, byte[][] understood)
    {
        var length = random.Next(Math.Min(200, frame.Length));
        random.NextBytes(frame[..length]);
        if (length >= 14 && random.Next(2) == 0)
            understood[random.Next(understood.Length)].AsSpan(0, 14).CopyTo(frame);
        return length;
    }

    /// <summary>
    /// A frame that is understood, cut off or with some bytes changed, or both;
    /// its checksums made right half of the time.
    /// </summary>
    private static int Mutation(Random random, Span<byte> frame, byte[][] understood)
    {
        ReadOnlySpan<byte> valid = understood[random.Next(understood.Length)];
        if (valid.Length > frame.Length) valid = valid[..frame.Length];
        valid.CopyTo(frame);
        var length = random.Next(3) == 0 ? random.Next(valid.Length + 1) : valid.Length;
        for (var changes = random.Next(4); changes > 0; changes--)
        {
            // Headers are where it matters.
            var at = random.Next(random.Next(4) == 0 ? valid.Length : Math.Min(valid.Length, 80));
            frame[at] = random.Next(2) == 0 ? (byte)random.Next(256) : (byte)(frame[at] ^ 1 << random.Next(8));
        }
        if (random.Next(2) == 0) FixIPv4(frame[..length]);
        return length;
    }

    /// <summary>
    /// The header's checksum and that of ICMP, as far as there is room for them:
    /// what is behind the check is to be met too.
    /// </summary>
    private static void FixIPv4(Span<byte> frame)
    {
        if (frame.Length < 34 || frame[12] != 8 || frame[13] != 0) return;
        var header = Math.Min(4 * (frame[14] & 15), frame.Length - 14);
        if (header < 20) return;
        Fix(frame.Slice(14, header), 10);
        var end = Math.Min(14 + (frame[16] << 8 | frame[17]), frame.Length);
        if (frame[23] == 6 && end - 14 - header >= 20) FixTcp(frame, 14 + header, end);
        else if (end - 14 - header >= 8) Fix(frame[(14 + header)..end], 2);
    }

    private static void FixTcp(Span<byte> frame, int start, int end)
    {
        var segment = frame[start..end];
        segment.Slice(16, 2).Clear();
        var checksum = InternetChecksum.Finish(
            InternetChecksum.Sum(frame.Slice(26, 8)) + 6 + (ulong)segment.Length + InternetChecksum.Sum(segment));
        (segment[16], segment[17]) = ((byte)(checksum >> 8), (byte)checksum);
    }

    private static void Fix(Span<byte> bytes, int at)
    {
        bytes.Slice(at, 2).Clear();
        var checksum = InternetChecksum.Compute(bytes);
        (bytes[at], bytes[at + 1]) = ((byte)(checksum >> 8), (byte)checksum);
    }

    private sealed class Discard : IFrameOutput
    {
        public ulong Frames { get; private set; }

        public void Send(ReadOnlySpan<byte> bytes, PortSet ports, ulong time)
        {
            Assert.False(bytes.IsEmpty || ports.IsEmpty);
            Frames++;
        }
    }
}
