using Emu.Testing;

namespace Emu.Services.Tests;

/// <summary>Every answer, to the byte, against RFC 9293; what is dropped, and under which name.</summary>
public sealed class TcpPingTests
{
    private const ushort Open = 80, Closed = 81, PeerPort = 40_000;
    private const ulong Now = 1_700_000_000_123_456_789;

    private static readonly MacAddress s_mac = MacAddress.Parse("02:00:00:00:00:02");
    private static readonly MacAddress s_peerMac = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly IPv4Address s_ip = IPv4Address.Parse("10.0.0.2");
    private static readonly IPv4Address s_peer = IPv4Address.Parse("10.0.0.1");
    private static readonly IPv6Address s_ip6 = IPv6Address.Parse("fd00::2");
    private static readonly IPv6Address s_peer6 = IPv6Address.Parse("fd00::1");
    private static readonly UInt128 s_key = new(0x0123_4567_89AB_CDEF, 0x0F1E_2D3C_4B5A_6978);
    private static readonly uint[] s_corners = [0, 1, 2, 0x7FFF_FFFE, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_0000, 0xFFFF_FFFD, 0xFFFF_FFFE, 0xFFFF_FFFF];

    private readonly TcpPing _service = new(s_ip, s_mac, s_ip6, [Open, 443], s_key);
    private readonly ServiceRun _run;

    public TcpPingTests() => _run = new ServiceRun(_service, ports: 2, start: Now);

    public static TheoryData<string, byte[]> TcpOptions => new()
    {
        { "of Linux", [2, 4, 5, 0xB4, 4, 2, 8, 10, 0, 0, 0, 7, 0, 0, 0, 0, 1, 3, 3, 7] },
        { "unknown", [253, 4, 0, 0] },
        { "40 no-operations", [.. Enumerable.Repeat((byte)1, 40)] },
        { "garbage behind the end", [0, 9, 9, 9] },
        { "length 0", [2, 0, 0, 0] },
        { "length 1", [2, 1, 0, 0] },
        { "beyond the header", [8, 10, 0, 0] },
        { "no length", [1, 1, 1, 8] },
        { "the last of ten words beyond", [.. Enumerable.Repeat((byte)1, 37), 5, 4, 0] },
    };

    private static Packet ToUs => Packet.Ethernet(s_peerMac, s_mac);

    private static Packet FromUs => Packet.Ethernet(s_mac, s_peerMac);

    private static Packet Request(ushort port, uint sequence = 7, uint acknowledgement = 0, byte flags = Packet.Syn, byte[]? options = null) =>
        ToUs.IPv4(s_peer, s_ip, ttl: 3).Tcp(PeerPort, port, sequence, acknowledgement, flags, options: options);

    private static Packet Reply(ushort port, SegmentArrives answer) =>
        Segment(FromUs.IPv4(s_ip, s_peer, ttl: 64, dontFragment: true), port, answer).PaddedTo(60);

    private static Packet Segment(Packet packet, ushort port, SegmentArrives answer) =>
        packet.Tcp(port, PeerPort, answer.Sequence, answer.Acknowledgement, answer.Flags, window: 0);

    /// <summary>RFC 6528 §3: M + F(localip, remoteip, remoteport, localport, key).</summary>
    private static uint Initial(ushort port, ulong time = Now)
    {
        var cipher = new Prince(s_key);
        return (uint)(time / 4096) + (uint)cipher.Encrypt(cipher.Encrypt(s_ip.Bits) ^ ((ulong)s_peer.Bits << 32 | (uint)PeerPort << 16 | port));
    }

    private static uint Initial6(ushort port)
    {
        var cipher = new Prince(s_key);
        ulong[] blocks = [(ulong)(s_ip6.Bits >> 64), (ulong)s_ip6.Bits, (ulong)(s_peer6.Bits >> 64), (ulong)s_peer6.Bits, (uint)PeerPort << 16 | port];
        return unchecked((uint)(Now / 4096)) + (uint)blocks.Aggregate(0UL, (state, block) => cipher.Encrypt(state ^ block));
    }

    private void Drops(Packet request, Counter counter)
    {
        PacketAssert.Nothing(_run.Receive(1, request));
        Assert.Equal(1UL, counter.Value);
    }

    private void AnswersSyn(Packet request)
    {
        var expected = SegmentArrives.At(true, 7, 0, Packet.Syn, 0, Initial(Open))!;
        PacketAssert.Sent(_run.Receive(1, request), PortSet.Parse("1"), Reply(Open, expected));
        Assert.Equal(1UL, _service.SynAcks.Value);
    }

    [Theory]
    [InlineData(Open)]
    [InlineData(Closed)]
    public void Every_set_of_flags_is_answered_as_the_standard_says(ushort port)
    {
        var (synAcks, resets, none) = (0UL, 0UL, 0UL);
        for (var flags = 0; flags <= byte.MaxValue; flags++)
        {
            foreach (var sequence in s_corners)
            {
                foreach (var (acknowledgement, data) in s_corners.Zip([0, 1, 2, 6, 7, 1000, 0, 3, 1460, 1]))
                {
                    var expected = SegmentArrives.At(port == Open, sequence, acknowledgement, (byte)flags, data, Initial(port));
                    var sent = _run.Receive(0, Request(port, sequence, acknowledgement, (byte)flags).Payload(new byte[data]));
                    if (expected is null) PacketAssert.Nothing(sent);
                    else PacketAssert.Sent(sent, PortSet.Parse("0"), Reply(port, expected));
                    if (expected is null) none++;
                    else if ((expected.Flags & Packet.Syn) != 0) synAcks++;
                    else resets++;
                }
            }
        }
        Assert.Equal((synAcks, resets, none), (_service.SynAcks.Value, _service.Resets.Value, _service.Unanswered.Value));
    }

    [Fact]
    public void Over_IPv6_it_is_the_same()
    {
        foreach (var port in new[] { Open, Closed })
        {
            for (var flags = 0; flags < 64; flags++)
            {
                foreach (var (number, data) in s_corners.Zip([0, 1, 2, 6, 7, 1000, 0, 3, 1440, 1]))
                {
                    var expected = SegmentArrives.At(port == Open, number, ~number, (byte)flags, data, Initial6(port));
                    var toUs = ToUs.IPv6(s_peer6, s_ip6, hopLimit: 3);
                    var fromUs = FromUs.IPv6(s_ip6, s_peer6, hopLimit: 64);
                    var sent = _run.Receive(0, toUs.Tcp(PeerPort, port, number, ~number, (byte)flags).Payload(new byte[data]));
                    if (expected is null) PacketAssert.Nothing(sent);
                    else PacketAssert.Sent(sent, PortSet.Parse("0"), Segment(fromUs, port, expected));
                }
            }
        }
    }

    [Fact]
    public void Every_port_number_is_open_or_closed_as_configured()
    {
        for (var port = 0; port <= ushort.MaxValue; port++) _run.Receive(0, Request((ushort)port));
        Assert.Equal((2UL, 65_534UL), (_service.SynAcks.Value, _service.Resets.Value));
    }

    [Theory, MemberData(nameof(TcpOptions))]
    public void No_option_of_TCP_changes_an_answer(string what, byte[] options)
    {
        Assert.NotEmpty(what);
        AnswersSyn(Request(Open, options: options));
        var reset = SegmentArrives.At(false, 7, 0, Packet.Syn, 0, 0)!;
        PacketAssert.Sent(_run.Receive(1, Request(Closed, options: options)), PortSet.Parse("1"), Reply(Closed, reset));
    }

    [Theory]
    [InlineData("a route that was recorded", new byte[] { 7, 7, 4, 0, 0, 0, 0, 1 })]
    [InlineData("a loose source route at its end", new byte[] { 1, 131, 7, 8, 10, 0, 0, 9 })]
    [InlineData("malformed", new byte[] { 7, 1, 0, 0 })]
    public void Packets_with_IP_options_are_dropped(string what, byte[] options)
    {
        Assert.NotEmpty(what);
        Drops(ToUs.IPv4(s_peer, s_ip, options: options).Tcp(PeerPort, Open, 7, flags: Packet.Syn), _service.WithOptions);
    }

    [Theory]
    [InlineData(54)]
    [InlineData(60)]
    [InlineData(61)]
    [InlineData(200)]
    public void Padding_is_neither_data_nor_sent_back(int length)
    {
        var syn = ToUs.IPv4(s_peer, s_ip, totalLength: 40).Tcp(PeerPort, Open, 7, flags: Packet.Syn, checksum: RightChecksum());
        AnswersSyn(syn.Payload([.. Enumerable.Repeat((byte)0xEE, length - 54)]));
    }

    [Theory]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(6)]
    public void A_header_that_does_not_fit_is_malformed(byte words) =>
        Drops(ToUs.IPv4(s_peer, s_ip).Tcp(PeerPort, Open, 7, flags: Packet.Syn, headerWords: words), _service.Malformed);

    [Fact]
    public void A_segment_cut_short_is_malformed() => Drops(ToUs.IPv4(s_peer, s_ip, protocol: 6).Payload(new byte[19]), _service.Malformed);

    [Fact]
    public void Wrong_checksums_drop_the_segment()
    {
        Drops(ToUs.IPv4(s_peer, s_ip, checksum: 0x1234).Tcp(PeerPort, Open, 7, flags: Packet.Syn), _service.BadChecksum);
        PacketAssert.Nothing(_run.Receive(0, ToUs.IPv4(s_peer, s_ip).Tcp(PeerPort, Open, 7, flags: Packet.Syn, checksum: 0x1234)));
        PacketAssert.Nothing(_run.Receive(0, ToUs.IPv6(s_peer6, s_ip6).Tcp(PeerPort, Open, 7, flags: Packet.Syn, checksum: 0x1234)));
        byte[] damaged = Request(Open).Payload(new byte[101]);
        damaged[^1] ^= 1; // data counts, the last odd byte too
        PacketAssert.Nothing(_run.Receive(0, damaged));
        Assert.Equal(4UL, _service.BadChecksum.Value);
    }

    [Theory]
    [InlineData("0.0.0.0")]
    [InlineData("255.255.255.255")]
    [InlineData("224.0.0.1")]
    [InlineData("127.0.0.1")]
    [InlineData("10.0.0.2")]
    public void A_source_that_cannot_be_answered_is_malformed(string source) =>
        Drops(ToUs.IPv4(IPv4Address.Parse(source), s_ip).Tcp(PeerPort, Open, 7, flags: Packet.Syn), _service.Malformed);

    [Theory]
    [InlineData("::")]
    [InlineData("::1")]
    [InlineData("ff02::1")]
    [InlineData("fd00::2")]
    public void An_IPv6_source_that_cannot_be_answered_is_malformed(string source) =>
        Drops(ToUs.IPv6(IPv6Address.Parse(source), s_ip6).Tcp(PeerPort, Open, 7, flags: Packet.Syn), _service.Malformed);

    [Fact]
    public void What_is_sent_to_a_group_is_dropped()
    {
        Drops(Packet.Ethernet(s_peerMac, MacAddress.Broadcast).IPv4(s_peer, s_ip).Tcp(PeerPort, Open, 7, flags: Packet.Syn), _service.ToGroup);
        PacketAssert.Nothing(_run.Receive(0, ToUs.IPv4(s_peer, IPv4Address.Parse("224.0.0.1")).Tcp(PeerPort, Open, 7, flags: Packet.Syn)));
        PacketAssert.Nothing(_run.Receive(0, ToUs.IPv4(s_peer, IPv4Address.Parse("255.255.255.255")).Tcp(PeerPort, Open, 7, flags: Packet.Syn)));
        PacketAssert.Nothing(_run.Receive(0, ToUs.IPv6(s_peer6, IPv6Address.Parse("ff02::1")).Tcp(PeerPort, Open, 7, flags: Packet.Syn)));
        Assert.Equal(4UL, _service.ToGroup.Value);
    }

    [Fact]
    public void What_is_for_others_or_other_protocols_is_dropped()
    {
        Drops(ToUs.IPv4(s_peer, IPv4Address.Parse("10.0.0.3")).Tcp(PeerPort, Open, 7, flags: Packet.Syn), _service.NotForUs);
        PacketAssert.Nothing(_run.Receive(0, ToUs.IPv4(s_peer, s_ip).Udp(1, 2).Payload("x")));
        PacketAssert.Nothing(_run.Receive(0, ToUs.IPv4(s_peer, s_ip).IcmpEchoRequest(1, 2)));
        PacketAssert.Nothing(_run.Receive(0, ToUs.IPv6(s_peer6, s_ip6).Icmpv6EchoRequest(1, 2)));
        var toAnother = Packet.Ethernet(s_peerMac, MacAddress.Parse("02:00:00:00:00:03"));
        PacketAssert.Nothing(_run.Receive(0, toAnother.IPv4(s_peer, s_ip).Tcp(PeerPort, Open, 7, flags: Packet.Syn)));
        Assert.Equal(5UL, _service.NotForUs.Value);
    }

    [Fact]
    public void Fragments_are_dropped()
    {
        Drops(ToUs.IPv4(s_peer, s_ip, moreFragments: true).Tcp(PeerPort, Open, 7, flags: Packet.Syn), _service.Fragments);
        PacketAssert.Nothing(_run.Receive(0, ToUs.IPv4(s_peer, s_ip, fragmentOffset: 16).Payload(new byte[24])));
        Assert.Equal(2UL, _service.Fragments.Value);
    }

    [Fact]
    public void ARP_and_solicitations_are_answered()
    {
        var group = s_ip6.SolicitedNode;
        PacketAssert.Sent(
            _run.Receive(0, Packet.Ethernet(s_peerMac, MacAddress.Broadcast).ArpRequest(s_peerMac, s_peer, s_ip).PaddedTo(60)),
            PortSet.Parse("0"), FromUs.ArpReply(s_mac, s_ip, s_peerMac, s_peer).PaddedTo(60));
        PacketAssert.Sent(
            _run.Receive(0, Packet.Ethernet(s_peerMac, group.MulticastMac).IPv6(s_peer6, group, hopLimit: 255).NeighborSolicitation(s_ip6, s_peerMac)),
            PortSet.Parse("0"), FromUs.IPv6(s_ip6, s_peer6, hopLimit: 255).NeighborAdvertisement(s_ip6, s_mac, solicited: true));
        Assert.Equal((1UL, 1UL), (_service.ArpReplies.Value, _service.NeighborAdvertisements.Value));
    }

    [Fact]
    public void Initial_sequence_numbers_of_a_connection_go_up_with_the_time()
    {
        foreach (var later in new ulong[] { 0, 4095, 4096, 1_000_000, 17_592_186_044_416, 17_592_186_044_416 + 4096 }) // 2⁴⁴ ns: the clock has gone round
        {
            var reply = Assert.Single(_run.Receive(0, Request(Open), Now + later));
            Assert.Equal(Initial(Open, Now + later), System.Buffers.Binary.BinaryPrimitives.ReadUInt32BigEndian(reply.Bytes.AsSpan(38)));
        }
    }

    [Fact]
    public void Without_a_key_two_services_have_different_numbers()
    {
        byte[][] replies = [.. Enumerable.Range(0, 3).Select(_ => new ServiceRun(new TcpPing(s_ip, s_mac, listen: [Open]), start: Now))
            .Select(run => Assert.Single(run.Receive(0, Request(Open))).Bytes)];
        Assert.Equal(3, replies.Select(bytes => Convert.ToHexString(bytes, 38, 4)).Distinct().Count()); // by chance in one of 10⁹ runs
    }

    private static ushort RightChecksum()
    {
        byte[] right = Request(Open);
        return (ushort)(right[50] << 8 | right[51]);
    }
}
