using System.Buffers.Binary;
using Emu.Services;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>The services here do the same on every rung of the ladder.</summary>
public sealed class LadderTests
{
    private static readonly MacAddress s_mac = MacAddress.Parse("02:00:00:00:00:02");
    private static readonly MacAddress s_peerMac = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly IPv4Address s_ip = IPv4Address.Parse("10.0.0.2");
    private static readonly IPv4Address s_peer = IPv4Address.Parse("10.0.0.1");
    private static readonly IPv4Address s_inside = IPv4Address.Parse("192.168.0.254");
    private static readonly IPv6Address s_ip6 = IPv6Address.Parse("fd00::2");
    private static readonly IPv6Address s_peer6 = IPv6Address.Parse("fd00::1");
    private static readonly LadderOptions s_options = new() { Output = line => TestContext.Current.AddWarning(line) };

    [Fact]
    public void LearningSwitch_on_frames_between_few_stations_that_move_and_age()
    {
        var random = new Random(1);
        byte[][] samples = [.. Enumerable.Range(0, 300).Select(_ =>
            Packet.Ethernet(Station(random), Station(random)).Payload([.. new byte[random.Next(50)]]).ToArray())];
        // Few sets, so that entries are replaced, and a short ageing time, so that they expire.
        var result = Ladder.Check(
            () => new LearningSwitch(capacity: 16, ageingSeconds: 10, @static: [new StaticEntry(new MacAddress(3), PortSet.Parse("1,2"))]),
            FrameSequence.Like(samples, 3000), s_options with { OutsideFrames = 200 });
        Assert.InRange(result.Sent, 1500, 3000);
        Assert.DoesNotContain(result.Skipped, s => s.StartsWith("the pipeline", StringComparison.Ordinal));
    }

    [Fact]
    public void LearningSwitch_on_frames_of_every_kind() =>
        Ladder.Check(() => new LearningSwitch(), options: s_options with { Outside = OutsideSimulators.None });

    [Fact]
    public void IcmpEcho_on_requests_of_every_kind_changed_at_random()
    {
        var samples = Requests().Concat(WithOptions()).Concat(ToEveryAddress()).ToList();
        var result = Ladder.Check(
            () => new IcmpEcho(s_ip, s_mac, s_ip6), FrameSequence.Like(samples, 1500),
            s_options with { OutsideFrames = 60 });
        Assert.InRange(result.Sent, 300, 1500);
        Assert.DoesNotContain(result.Skipped, s => s.StartsWith("the pipeline", StringComparison.Ordinal));
    }

    [Fact]
    public void IcmpEcho_on_every_option_and_every_address()
    {
        List<byte[]> frames = [.. WithOptions(), .. ToEveryAddress()];
        var result = Ladder.Check(
            () => new IcmpEcho(s_ip, s_mac, s_ip6), FrameSequence.Of(frames),
            s_options with { OutsideFrames = frames.Count });
        Assert.Equal(WithOptions().Length - 3 + ToEveryAddress().Length - 3, result.Sent);
    }

    [Fact]
    public void IcmpEcho_on_frames_of_every_kind()
    {
        var result = Ladder.Check(() => new IcmpEcho(s_ip, s_mac, s_ip6), options: s_options with { Outside = OutsideSimulators.None });
        Assert.InRange(result.Sent, 50, 1000);
    }

    [Fact]
    public void TcpPing_on_every_set_of_flags_to_open_and_closed_ports()
    {
        uint[] corners = [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF];
        var random = new Random(3);
        uint Number() => random.Next(2) == 0 ? corners[random.Next(corners.Length)] : (uint)random.NextInt64(1L << 32);
        byte[] Segment(int i) => Packet.Ethernet(s_peerMac, s_mac).IPv4(s_peer, s_ip)
            .Tcp((ushort)random.Next(65_536), (ushort)(i / 64 % 2 == 0 ? 80 : 81), Number(), Number(), (byte)(i % 64))
            .Payload(new byte[random.Next(12)]).PaddedTo(60).ToArray();
        var frames = FrameSequence.Of([.. Enumerable.Range(0, 256).Select(Segment)]);
        var result = Ladder.Check(() => TcpPing(default), frames, s_options with { Outside = OutsideSimulators.Icarus, OutsideFrames = 128 });
        Assert.Equal(2 * (16 + 8) + 2 * 32, result.Sent); // without RST: with ACK, or with SYN alone; to closed ports all
    }

    [Fact]
    public void TcpPing_on_segments_of_every_kind_changed_at_random()
    {
        var result = Ladder.Check(() => TcpPing(s_ip6), FrameSequence.Like(Segments(), 1500), s_options with { OutsideFrames = 40 });
        Assert.InRange(result.Sent, 300, 1500);
    }

    [Fact]
    public void TcpPing_on_frames_of_every_kind()
    {
        var result = Ladder.Check(() => TcpPing(s_ip6), options: s_options with { Outside = OutsideSimulators.None });
        Assert.InRange(result.Sent, 30, 1000);
    }

    [Theory]
    [InlineData(Filtering.EndpointIndependent, true, 0, 4, 2)]
    [InlineData(Filtering.EndpointIndependent, true, 0, 4, 3)]
    [InlineData(Filtering.EndpointIndependent, true, 0, 16, 4)]
    [InlineData(Filtering.EndpointIndependent, false, 4, 4, 3)]
    [InlineData(Filtering.AddressDependent, false, 4, 8, 3)]
    public void Nat_on_flows_of_every_kind_changed_at_random(Filtering filtering, bool passive, int fragments, int ways, int interval)
    {
        // Few mappings, so that flows share slots and are refused.
        Nat Service() => new(
            s_inside, s_ip, gateway: s_peer, neighbor: [new StaticNeighbor(s_peer, s_peerMac)], forward: [StaticForward.Parse("tcp:80=192.168.0.2:8080")],
            filtering: filtering, mappings: 16, ways: ways, neighbors: 16, fragments: fragments, passive: passive);
        var result = Ladder.Check(Service, FrameSequence.Like(Flows(), 700, ports: 2), s_options with
        {
            Ports = 2,
            Interval = interval,
            Outside = filtering == Filtering.EndpointIndependent && interval == 3 ? OutsideSimulators.All : OutsideSimulators.None,
            OutsideFrames = 40,
        });
        Assert.InRange(result.Sent, 100, 700);
        Assert.DoesNotContain(result.Skipped, s => s.StartsWith("the pipeline", StringComparison.Ordinal));
    }

    [Fact]
    public void Filter_on_packets_of_every_kind_changed_at_random()
    {
        string[] rules =
        [
            "-P FORWARD DROP", "-N web", "-N odd", "-A web -m ttl --ttl-lt 9 -j RETURN", "-A web -m length --length 50:100 -j odd", "-A web -j ACCEPT",
            "-A odd -p tcp --tcp-flags SYN,RST SYN -j RETURN", "-A odd -j DROP", "-A FORWARD -p tcp -m multiport --dports 80,443,1000:2000 -j web",
            "-A FORWARD -s 10.0.0.0/31 -i port1 -g web", "-A FORWARD -p icmp ! --icmp-type 3/1 -j ACCEPT", "-A FORWARD -f -j ACCEPT",
            "-A FORWARD -m iprange ! --src-range 10.0.0.1-10.0.0.9 -m mac ! --mac-source 02:00:00:00:00:03 -j ACCEPT",
            "-A FORWARD -p udp ! --sport 53 -j ACCEPT",
        ];
        string[] rules6 = ["-A FORWARD -p tcp --dport 80 -j ACCEPT", "-A FORWARD -s fd00::/127 -p icmpv6 -j DROP", "-A FORWARD -m hl --hl-gt 200 -j DROP"];
        var result = Ladder.Check(() => new Filter(rule: rules, rule6: rules6), FrameSequence.Like([.. Requests(), .. Segments()], 1000),
            s_options with { OutsideFrames = 40 });
        Assert.InRange(result.Sent, 200, 900);
        Assert.DoesNotContain(result.Skipped, s => s.StartsWith("the pipeline", StringComparison.Ordinal));
    }

    [Fact]
    public void Filter_with_limits()
    {
        string[] rules =
        [
            "-P FORWARD DROP", "-N some", "-A some -p udp -m limit --limit 100/sec --limit-burst 3 -j ACCEPT",
            "-A some -m limit --limit 10000/sec -m ttl --ttl-gt 9 -j RETURN", "-A some -j DROP", "-A FORWARD -p tcp --dport 81 -j ACCEPT",
            "-A FORWARD ! -f -j some", "-A FORWARD -p icmp -m limit --limit 1/day --limit-burst 1 -j ACCEPT", "-A FORWARD -m limit -j some",
            "-A FORWARD -p tcp -j ACCEPT",
        ];
        var result = Ladder.Check(() => new Filter(rule: rules), FrameSequence.Like([.. Requests(), .. Segments()], 600),
            s_options with { OutsideFrames = 40 });
        Assert.InRange(result.Sent, 50, 550);
    }

    /// <summary>Verdicts that alternate are more bits than a word; a limit behind the first word is asked only where that has not decided.</summary>
    [Fact]
    public void Filter_with_more_verdicts_than_bits_of_a_word()
    {
        const int Rules = 150, FirstPort = 1000;
        string Rule(int i) => i % 50 == 49
            ? "-A FORWARD -m limit --limit 10000/sec --limit-burst 2 -j ACCEPT"
            : $"-A FORWARD -p udp --sport {FirstPort + i} -j {(i % 2 == 0 ? "ACCEPT" : "DROP")}";
        string[] rules = ["-P FORWARD DROP", .. Enumerable.Range(0, Rules).Select(Rule)];
        var random = new Random(5);
        byte[] Datagram() => Packet.Ethernet(s_peerMac, s_mac).IPv4(s_peer, s_ip).Udp((ushort)(FirstPort + random.Next(Rules)), 53).PaddedTo(60).ToArray();
        var frames = FrameSequence.Of([.. Enumerable.Range(0, 400).Select(_ => Datagram())]);
        var result = Ladder.Check(() => new Filter(rule: rules), frames, s_options with { Outside = OutsideSimulators.None });
        Assert.InRange(result.Sent, 120, 300);
    }

    [Fact]
    public void Filter_that_follows_connections()
    {
        string[] rules =
        [
            "-P FORWARD DROP", "-A FORWARD -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT", "-A FORWARD -m state --state INVALID -j DROP",
            "-A FORWARD -i port0 -m conntrack ! --ctstate INVALID -j ACCEPT", "-A FORWARD -p tcp --dport 80 -m conntrack --ctstate NEW -j ACCEPT",
        ];
        // Few connections, so that new ones take the places of others.
        var result = Ladder.Check(() => new Filter(rule: rules, rule6: rules, connections: 16),
            FrameSequence.Like([.. Flows(), .. Requests(), .. Segments()], 600, ports: 2), s_options with { Ports = 2, OutsideFrames = 40 });
        Assert.InRange(result.Sent, 100, 550);
    }

    [Fact]
    public void Filter_that_counts_its_rules_is_refused()
    {
        var filter = new Filter(rule: ["-A FORWARD -p icmp -j ACCEPT"], countRules: true);
        var refused = Assert.Throws<CompileException>(() => Compilation.Of(filter, ports: 2, capacity: 1514));
        Assert.Contains("--count-rules", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Filter_that_rejects()
    {
        string[] rules = ["-A FORWARD -p tcp --dport 80 -j REJECT --reject-with tcp-reset", "-A FORWARD -p tcp -j ACCEPT", "-A FORWARD -j REJECT"];
        var result = Ladder.Check(() => new Filter(rule: rules, rule6: rules), FrameSequence.Like([.. Requests(), .. Segments()], 400),
            s_options with { Outside = OutsideSimulators.None });
        Assert.InRange(result.Sent, 100, 400);
    }

    /// <summary>Frames that a pipeline leaves to its slow path.</summary>
    [Fact]
    public void TcpPing_on_IP_options_and_extension_headers_changed_at_random()
    {
        var toUs = Packet.Ethernet(s_peerMac, s_mac);
        byte[] Over4(byte[] options, ushort port, byte flags, int data) =>
            toUs.IPv4(s_peer, s_ip, options: options).Tcp(1000, port, 7, 9, flags).Payload(new byte[data]);
        byte[] Over6(byte first, string headers, ushort port, byte flags, int data)
        {
            var whole = toUs.IPv6(s_peer6, s_ip6).Tcp(1000, port, 7, 9, flags).Payload(new byte[data]).ToArray();
            byte[] payload = [.. Convert.FromHexString(headers), .. whole[54..]];
            return toUs.IPv6(s_peer6, s_ip6, nextHeader: first).Payload(payload);
        }
        byte[][] segments =
        [
            Over4([1, 1, 1, 1], 80, Packet.Syn, 0), Over4([0x9E, 7, 1, 2, 3, 4, 5], 81, Packet.Ack, 33),
            Over4([131, 3, 4], 80, Packet.Syn, 0),
            Over4([0x9E, 0], 80, Packet.Syn, 0), Over4([.. Enumerable.Repeat((byte)1, 40)], 80, Packet.Syn, 0),
            Over6(0, "0600010400000000", 80, Packet.Syn, 0), Over6(60, "06001e0401020304", 81, Packet.Fin, 9),
            Over6(0, "2c00010400000000" + "3c00000000000007" + "0600010400000000", 80, Packet.Syn, 0),
            Over6(44, "0600000000000007", 80, Packet.Ack, 0), Over6(43, "0600000000000000", 80, Packet.Syn, 1),
            Over6(0, "06005e0400000000", 80, Packet.Syn, 0), Over6(44, "0600000100000007", 80, Packet.Syn, 0),
        ];
        var frames = FrameSequence.Like(segments, 600);
        var result = Ladder.Check(() => TcpPing(s_ip6), frames, s_options with { OutsideFrames = 40 });
        Assert.InRange(result.Sent, 100, 600);
        Assert.DoesNotContain(result.Skipped, s => s.StartsWith("the pipeline", StringComparison.Ordinal));
    }

    [Fact]
    public void TcpPing_that_completes_handshakes()
    {
        const ulong start = 1_700_000_000_000_000_000, microsecond = 1000; // of FrameSequence.Of
        var random = new Random(4);
        var toUs = Packet.Ethernet(s_peerMac, s_mac);
        TcpPing Service() => new(s_ip, s_mac, s_ip6, [80], new UInt128(1, 2), completeHandshakes: true);
        var (run, frames) = (new ServiceRun(Service(), start: start), new List<byte[]>());
        for (var i = 0; i < 60; i++)
        {
            var port = (ushort)random.Next(65_536);
            var over = i % 2 == 0 ? toUs.IPv4(s_peer, s_ip) : toUs.IPv6(s_peer6, s_ip6);
            byte[] syn = over.Tcp(port, 80, 7, flags: Packet.Syn).PaddedTo(60);
            var synAck = run.Receive(0, syn, start + microsecond * (ulong)frames.Count)[0].Bytes;
            var acknowledged = BinaryPrimitives.ReadUInt32BigEndian(synAck.AsSpan(i % 2 == 0 ? 38 : 58)) + 1;
            frames.Add(syn);
            acknowledged += 1000 * (uint)random.Next(2);
            var data = new byte[i % 5 == 0 ? 1 : 0];
            frames.Add(over.Tcp(port, 80, 8, acknowledged, Packet.Ack).Payload(data).PaddedTo(60));
        }
        var options = s_options with { Outside = OutsideSimulators.None };
        var result = Ladder.Check(Service, FrameSequence.Of([.. frames]), options);
        Assert.InRange(result.Sent, 61, 119);
    }

    private static TcpPing TcpPing(IPv6Address address6) => new(s_ip, s_mac, address6, [80, 443], new UInt128(1, 2));

    /// <summary>A few stations, groups and reserved addresses.</summary>
    private static MacAddress Station(Random random) => random.Next(8) switch
    {
        0 => MacAddress.Broadcast,
        1 => new MacAddress(0x0180_C200_0000UL | (uint)random.Next(20)),
        _ => new MacAddress((ulong)random.Next(40)),
    };

    private static byte[][] Segments()
    {
        var toUs = Packet.Ethernet(s_peerMac, s_mac);
        var overIPv4 = toUs.IPv4(s_peer, s_ip, ttl: 3);
        var overIPv6 = toUs.IPv6(s_peer6, s_ip6);
        var group = s_ip6.SolicitedNode;
        byte[] linux = [2, 4, 5, 0xB4, 4, 2, 8, 10, 0, 0, 0, 7, 0, 0, 0, 0, 1, 3, 3, 7];
        return
        [
            Packet.Ethernet(s_peerMac, MacAddress.Broadcast).ArpRequest(s_peerMac, s_peer, s_ip).PaddedTo(60),
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
            toUs.IPv4(s_peer, s_ip, options: [7, 7, 4, 0, 0, 0, 0, 1]).Tcp(1000, 80, 7, flags: Packet.Syn),
            toUs.IPv4(s_peer, s_ip, options: [1, 131, 7, 8, 10, 0, 0, 9]).Tcp(1000, 80, 7, flags: Packet.Syn),
            toUs.IPv4(s_peer, s_ip, options: [1, 0x9E, 2, 0]).Tcp(1000, 80, 7, flags: Packet.Syn),
            toUs.IPv4(s_peer, s_ip, options: [0x9E, 5, 1, 2, 3])
                .Tcp(1000, 81, 7, 9, flags: Packet.Ack).Payload(new byte[33]),
            toUs.IPv4(s_peer, s_ip, moreFragments: true).Tcp(1000, 80, 7, flags: Packet.Syn),
            overIPv6.Tcp(1000, 80, 7, flags: Packet.Syn),
            overIPv6.Tcp(1000, 81, uint.MaxValue, flags: Packet.Fin, options: linux).Payload("hello, six"),
            Packet.Ethernet(s_peerMac, group.MulticastMac).IPv6(s_peer6, group, hopLimit: 255).NeighborSolicitation(s_ip6, s_peerMac),
        ];
    }

    private static byte[][] Requests()
    {
        var toUs = Packet.Ethernet(s_peerMac, s_mac);
        var group = s_ip6.SolicitedNode;
        return
        [
            Packet.Ethernet(s_peerMac, MacAddress.Broadcast).ArpRequest(s_peerMac, s_peer, s_ip).PaddedTo(60),
            toUs.IPv4(s_peer, s_ip, ttl: 3).IcmpEchoRequest(7, 9).Payload([.. new byte[33]]),
            toUs.IPv4(s_peer, s_ip, options: [7, 7, 4, 0, 0, 0, 0, 1, 68, 8, 5, 0, 0, 0, 0, 0]).IcmpEchoRequest(7, 9).Payload("options"),
            toUs.IPv4(s_peer, s_ip, options: [1, 131, 7, 8, 10, 0, 0, 9]).IcmpEchoRequest(7, 9),
            toUs.IPv4(s_peer, s_ip, moreFragments: true).IcmpEchoRequest(7, 9),
            toUs.IPv4(s_peer, s_ip).Udp(1, 2).Payload("x"),
            toUs.IPv6(s_peer6, s_ip6).Icmpv6EchoRequest(7, 9).Payload("hello, six"),
            Packet.Ethernet(s_peerMac, group.MulticastMac).IPv6(s_peer6, group, hopLimit: 255).NeighborSolicitation(s_ip6, s_peerMac),
            Packet.Ethernet(s_peerMac, group.MulticastMac).IPv6(default, group, hopLimit: 255).NeighborSolicitation(s_ip6),
        ];
    }

    /// <summary>Options of every kind that a reply changes; the last three allow no reply.</summary>
    private static byte[][] WithOptions()
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
            Packet.Ethernet(s_peerMac, s_mac).IPv4(s_peer, s_ip, options: options).IcmpEchoRequest(7, 9).Payload("data");
        return [.. options.Select(Request)];
    }

    /// <summary>To each address and group of a host with IPv6; the last three have sources that cannot be.</summary>
    private static byte[][] ToEveryAddress()
    {
        var (own, allNodes) = (IPv6Address.LinkLocal(s_mac), IPv6Address.Parse("ff02::1"));
        var toUs = Packet.Ethernet(s_peerMac, s_mac);
        var group = own.SolicitedNode;
        var toGroup = Packet.Ethernet(s_peerMac, group.MulticastMac).IPv6(s_peer6, group, hopLimit: 255);
        var toAll = Packet.Ethernet(s_peerMac, allNodes.MulticastMac).IPv6(s_peer6, allNodes, hopLimit: 255);
        return
        [
            toUs.IPv6(s_peer6, own).Icmpv6EchoRequest(7, 9).Payload("hello, six"),
            toUs.IPv6(s_peer6, own, hopLimit: 255).NeighborSolicitation(s_ip6, s_peerMac),
            toGroup.NeighborSolicitation(own, s_peerMac),
            toAll.NeighborSolicitation(own, s_peerMac),
            toAll.NeighborSolicitation(s_ip6, s_peerMac),
            toUs.IPv6(IPv6Address.Parse("::1"), s_ip6).Icmpv6EchoRequest(7, 9),
            toUs.IPv6(own, s_ip6).Icmpv6EchoRequest(7, 9),
            toUs.IPv6(s_ip6, s_ip6, hopLimit: 255).NeighborSolicitation(s_ip6, s_peerMac),
        ];
    }

    /// <summary>Between two hosts inside and two outside, with the answers that come in where a port is kept.</summary>
    private static byte[][] Flows()
    {
        MacAddress mac = MacAddress.Of(s_ip), aMac = new(10), bMac = new(11);
        IPv4Address a = IPv4Address.Parse("192.168.0.1"), b = IPv4Address.Parse("192.168.0.2"), remote = IPv4Address.Parse("198.51.100.7"),
            neighbor = IPv4Address.Parse("10.0.0.9");
        var fromA = Packet.Ethernet(aMac, mac);
        var fromB = Packet.Ethernet(bMac, mac);
        var fromRouter = Packet.Ethernet(s_peerMac, mac);
        byte[] Quoted(IPv4Address from, IPv4Address to) => Packet.Bare.IPv4(from, to).Udp(4000, 53).Payload("quoted");
        return
        [
            Packet.Ethernet(aMac, MacAddress.Broadcast).ArpRequest(aMac, a, s_inside).PaddedTo(60),
            Packet.Ethernet(s_peerMac, MacAddress.Broadcast).ArpRequest(s_peerMac, s_peer, s_ip).PaddedTo(60),
            fromA.IPv4(a, remote).Udp(4000, 53).Payload("question"),
            fromB.IPv4(b, remote).Udp(4000, 53).Payload("question"),
            fromA.IPv4(a, neighbor).Udp(4001, 53, checksum: 0).Payload("none"),
            fromA.IPv4(a, remote).Tcp(5000, 80, 7, flags: Packet.Syn, options: [2, 4, 5, 0xB4]),
            fromA.IPv4(a, remote).Tcp(5000, 80, 8, 9, flags: Packet.Ack).Payload(new byte[100]),
            fromA.IPv4(a, remote).Tcp(5000, 80, 8, 9, flags: Packet.Ack | Packet.Fin).PaddedTo(60),
            fromB.IPv4(b, remote).Tcp(8080, 80, 8, 9, flags: Packet.Ack | Packet.Rst).PaddedTo(60),
            fromA.IPv4(a, remote).IcmpEchoRequest(7, 1).Payload("ping"),
            fromA.IPv4(a, s_ip).Udp(4000, 4000).Payload("turns round"),
            fromA.IPv4(a, s_ip).Tcp(5000, 80, flags: Packet.Syn).PaddedTo(60),
            fromA.IPv4(a, remote).Icmp(3, 3).Payload(Quoted(remote, a)),
            fromRouter.IPv4(remote, s_ip).Udp(53, 4000).Payload("answer"),
            fromRouter.IPv4(neighbor, s_ip).Udp(53, 4000).Payload("answer"),
            fromRouter.IPv4(remote, s_ip).Tcp(80, 5000, 9, 8, flags: Packet.Syn | Packet.Ack).PaddedTo(60),
            fromRouter.IPv4(remote, s_ip).Tcp(80, 5000, 9, 8, flags: Packet.Fin | Packet.Ack).PaddedTo(60),
            fromRouter.IPv4(remote, s_ip).Tcp(80, 5000, 9, 8, flags: Packet.Rst).PaddedTo(60),
            fromRouter.IPv4(remote, s_ip).Tcp(80, 5000, 9, 8, flags: Packet.Ack).PaddedTo(60),
            fromRouter.IPv4(remote, s_ip).Tcp(999, 80, flags: Packet.Syn).PaddedTo(60),
            fromRouter.IPv4(remote, s_ip).IcmpEchoReply(7, 1).Payload("ping"),
            fromRouter.IPv4(neighbor, s_ip).Icmp(11, 0).Payload(Quoted(s_ip, remote)),
            fromA.IPv4(a, remote, identification: 5, moreFragments: true).Udp(4000, 53, length: 40).Payload("first 16 bytes.."),
            fromA.IPv4(a, remote, identification: 5, fragmentOffset: 24, protocol: 17).Payload("the last 16....."),
            fromRouter.IPv4(remote, s_ip, identification: 5, moreFragments: true).Udp(53, 4000, length: 40).Payload("first 16 bytes.."),
            fromRouter.IPv4(remote, s_ip, identification: 5, fragmentOffset: 24, moreFragments: true, protocol: 17).Payload("not the last...."),
            fromA.IPv4(a, remote, ttl: 1).Udp(4000, 53).Payload("too far"),
            fromB.IPv4(b, s_inside).IcmpEchoRequest(7, 1).Payload("ping"),
        ];
    }
}
