using System.Buffers.Binary;
using Emu.Protocols;
using Emu.Testing;

namespace Emu.Services.Tests;

/// <summary>Every answer, to the byte, against RFC 9293; what is dropped, and under which name.</summary>
public sealed class TcpPingTests
{
    private const ushort Open = 80, Closed = 81, PeerPort = 40_000;
    private const ulong Now = 1_700_000_000_123_456_789;
    private const byte HopByHop = 0, Routing = 43, Fragment = 44, AuthenticationHeader = 51, DestinationOptions = 60;

    private static readonly MacAddress s_mac = MacAddress.Parse("02:00:00:00:00:02");
    private static readonly MacAddress s_peerMac = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly IPv4Address s_ip = IPv4Address.Parse("10.0.0.2");
    private static readonly IPv4Address s_peer = IPv4Address.Parse("10.0.0.1");
    private static readonly IPv6Address s_ip6 = IPv6Address.Parse("fd00::2");
    private static readonly IPv6Address s_peer6 = IPv6Address.Parse("fd00::1");
    private static readonly UInt128 s_key = new(0x0123_4567_89AB_CDEF, 0x0F1E_2D3C_4B5A_6978);
    private static readonly uint[] s_corners =
    [
        0, 1, 2, 0x7FFF_FFFE, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_0000, 0xFFFF_FFFD, 0xFFFF_FFFE, 0xFFFF_FFFF,
    ];

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

    private static Packet Request(
        ushort port, uint sequence = 7, uint acknowledgement = 0, byte flags = Packet.Syn, byte[]? options = null) =>
        ToUs.IPv4(s_peer, s_ip, ttl: 3).Tcp(PeerPort, port, sequence, acknowledgement, flags, options: options);

    private static Packet Reply(ushort port, SegmentArrives answer) =>
        Segment(FromUs.IPv4(s_ip, s_peer, ttl: 64, dontFragment: true), port, answer).PaddedTo(60);

    private static Packet Segment(Packet packet, ushort port, SegmentArrives answer) =>
        packet.Tcp(port, PeerPort, answer.Sequence, answer.Acknowledgement, answer.Flags, window: 0);

    /// <summary>RFC 6528 §3: M + F(localip, remoteip, remoteport, localport, key).</summary>
    private static uint Initial(ushort port, ulong time = Now)
    {
        var cipher = new Prince(s_key);
        return (uint)(time / 4096) + (uint)cipher.Encrypt(
            cipher.Encrypt(s_ip.Bits) ^ ((ulong)s_peer.Bits << 32 | (uint)PeerPort << 16 | port));
    }

    private static uint Initial6(ushort port) => Initial6(s_ip6, port);

    private static uint Initial6(IPv6Address own, ushort port)
    {
        var cipher = new Prince(s_key);
        ulong[] blocks =
        [
            (ulong)(own.Bits >> 64), (ulong)own.Bits, (ulong)(s_peer6.Bits >> 64), (ulong)s_peer6.Bits,
            (uint)PeerPort << 16 | port,
        ];
        return unchecked((uint)(Now / 4096))
            + (uint)blocks.Aggregate(0UL, (state, block) => cipher.Encrypt(state ^ block));
    }

    private void Drops(byte[] request, Counter counter)
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
                    var expected = SegmentArrives.At(
                        port == Open, sequence, acknowledgement, (byte)flags, data, Initial(port));
                    var sent = _run.Receive(
                        0, Request(port, sequence, acknowledgement, (byte)flags).Payload(new byte[data]));
                    if (expected is null) PacketAssert.Nothing(sent);
                    else PacketAssert.Sent(sent, PortSet.Parse("0"), Reply(port, expected));
                    if (expected is null) none++;
                    else if ((expected.Flags & Packet.Syn) != 0) synAcks++;
                    else resets++;
                }
            }
        }
        Assert.Equal(
            (synAcks, resets, none), (_service.SynAcks.Value, _service.Resets.Value, _service.Unanswered.Value));
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
                    var sent = _run.Receive(
                        0, toUs.Tcp(PeerPort, port, number, ~number, (byte)flags).Payload(new byte[data]));
                    if (expected is null) PacketAssert.Nothing(sent);
                    else PacketAssert.Sent(sent, PortSet.Parse("0"), Segment(fromUs, port, expected));
                }
            }
        }
    }

    [Fact]
    public void Its_link_local_address_has_sequence_numbers_of_its_own()
    {
        var linkLocal = IPv6Address.LinkLocal(s_mac);
        var expected = SegmentArrives.At(true, 7, 0, Packet.Syn, 0, Initial6(linkLocal, Open))!;
        PacketAssert.Sent(
            _run.Receive(0, ToUs.IPv6(s_peer6, linkLocal).Tcp(PeerPort, Open, 7, flags: Packet.Syn)),
            PortSet.Parse("0"), Segment(FromUs.IPv6(linkLocal, s_peer6, hopLimit: 64), Open, expected));
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
    [InlineData("no-operations", new byte[] { 1, 1, 1, 1 })]
    [InlineData("the end of the list, then garbage", new byte[] { 0, 131, 1, 9 })]
    [InlineData("unknown", new byte[] { 0x9E, 4, 5, 6 })]
    [InlineData("unknown, without data", new byte[] { 1, 0x5E, 2, 1 })]
    [InlineData("router alert", new byte[] { 148, 4, 0, 0 })]
    [InlineData("a route that is recorded", new byte[] { 7, 7, 4, 0, 0, 0, 0, 1 })]
    [InlineData("timestamps", new byte[] { 68, 8, 5, 0, 0, 0, 0, 0 })]
    [InlineData("of 40 bytes", new byte[] {
        0x9E, 38, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
        29, 30, 31, 32, 33, 34, 35, 36, 1, 1 })]
    public void IP_options_that_ask_for_nothing_are_ignored_and_not_repeated(string what, byte[] options)
    {
        Assert.NotEmpty(what);
        AnswersSyn(ToUs.IPv4(s_peer, s_ip, options: options).Tcp(PeerPort, Open, 7, flags: Packet.Syn));
        var reset = SegmentArrives.At(false, 7, 9, Packet.Ack, 300, 0)!;
        var segment = ToUs.IPv4(s_peer, s_ip, options: options)
            .Tcp(PeerPort, Closed, 7, 9, Packet.Ack).Payload(new byte[300]);
        PacketAssert.Sent(_run.Receive(1, segment), PortSet.Parse("1"), Reply(Closed, reset));
    }

    [Theory]
    [InlineData("loose, at its end", new byte[] { 1, 131, 7, 8, 10, 0, 0, 9 })]
    [InlineData("loose, not at its end", new byte[] { 1, 131, 7, 4, 10, 0, 0, 9 })]
    [InlineData("strict, behind another option", new byte[] { 0x9E, 4, 5, 6, 137, 7, 8, 10, 0, 0, 9 })]
    public void Packets_with_a_source_route_are_dropped(string what, byte[] options)
    {
        Assert.NotEmpty(what);
        var request = ToUs.IPv4(s_peer, s_ip, options: options).Tcp(PeerPort, Open, 7, flags: Packet.Syn);
        Drops(request, _service.Host.SourceRoutes);
    }

    [Theory]
    [InlineData("length 0", new byte[] { 0x9E, 0, 0, 0 })]
    [InlineData("length 1", new byte[] { 7, 1, 0, 0 })]
    [InlineData("beyond the header", new byte[] { 1, 0x9E, 4, 0 })]
    [InlineData("no length", new byte[] { 1, 1, 1, 0x9E })]
    [InlineData("behind a source route", new byte[] { 131, 3, 4, 7 })]
    public void Malformed_IP_options_are_dropped(string what, byte[] options)
    {
        Assert.NotEmpty(what);
        Drops(
            ToUs.IPv4(s_peer, s_ip, options: options).Tcp(PeerPort, Open, 7, flags: Packet.Syn),
            _service.Host.Malformed);
    }

    [Fact]
    public void Checksums_count_with_IP_options_too()
    {
        byte[] options = [1, 1, 1, 1];
        var wrongHeader = ToUs.IPv4(s_peer, s_ip, options: options, checksum: 1);
        Drops(wrongHeader.Tcp(PeerPort, Open, 7, flags: Packet.Syn), _service.Host.BadChecksum);
        var ip = ToUs.IPv4(s_peer, s_ip, options: options);
        PacketAssert.Nothing(_run.Receive(0, ip.Tcp(PeerPort, Open, 7, flags: Packet.Syn, checksum: 1)));
        var ip6 = ToUs.IPv6(s_peer6, s_ip6);
        var wrong6 = ip6.Tcp(PeerPort, Open, 7, flags: Packet.Syn, checksum: 1);
        PacketAssert.Nothing(_run.Receive(0, Behind("0600010400000000", HopByHop, wrong6)));
        Assert.Equal(3UL, _service.Host.BadChecksum.Value);
    }

    [Theory]
    [InlineData("padding", HopByHop, "0600010400000000")]
    [InlineData("six bytes of padding", HopByHop, "0600000000000000")]
    [InlineData("unknown options to be skipped", HopByHop, "06001e0100 3e0100")]
    [InlineData("a router alert", HopByHop, "0600050200000100")]
    [InlineData("destination options", DestinationOptions, "06001e0401020304")]
    [InlineData("long", DestinationOptions, "06021e14 00000000 00000000 00000000 00000000 00000000")]
    [InlineData("both", HopByHop, "3c00010400000000 06001e0401020304")]
    [InlineData("a whole packet in a fragment header", Fragment, "0600000000000007")]
    [InlineData("reserved bits of a fragment header", Fragment, "06ff000600000007")]
    [InlineData("three headers", HopByHop, "2c00010400000000 3c00000000000007 0600010400000000")]
    [InlineData("a routing header that is done", Routing, "0602 0000 00000000 fd000000 00000000 00000000 00000009")]
    public void IPv6_extension_headers_that_ask_for_nothing_are_passed_over(string what, byte first, string headers)
    {
        Assert.NotEmpty(what);
        foreach (var (port, data) in new[] { (Open, 0), (Closed, 0), (Closed, 333) })
        {
            var expected = SegmentArrives.At(port == Open, 7, 0, Packet.Syn, data, Initial6(port))!;
            var request = ToUs.IPv6(s_peer6, s_ip6, hopLimit: 3)
                .Tcp(PeerPort, port, 7, flags: Packet.Syn).Payload(new byte[data]);
            PacketAssert.Sent(
                _run.Receive(1, Behind(headers, first, request)), PortSet.Parse("1"),
                Segment(FromUs.IPv6(s_ip6, s_peer6, hopLimit: 64), port, expected));
        }
    }

    [Theory]
    [InlineData("to be discarded", HopByHop, "06005e0400000000", "UnknownOptions")]
    [InlineData("to be discarded and reported", HopByHop, "06009e0400000000", "UnknownOptions")]
    [InlineData("to be discarded and reported if unicast", DestinationOptions, "0600de0400000000", "UnknownOptions")]
    [InlineData("a jumbo payload", HopByHop, "0600c20400010000", "UnknownOptions")]
    [InlineData("behind an option to be skipped", DestinationOptions, "06001e01005e0100", "UnknownOptions")]
    [InlineData("in the second header", HopByHop, "3c00010400000000 06005e0400000000", "UnknownOptions")]
    [InlineData("an option that ends beyond", HopByHop, "06001e0500000000", "Malformed")]
    [InlineData("an option without a length", DestinationOptions, "060001030000001e", "Malformed")]
    [InlineData("a header that ends beyond", DestinationOptions, "0604010400000000", "Malformed")]
    [InlineData("a first fragment", Fragment, "0600000100000007", "Fragments")]
    [InlineData("a last fragment", Fragment, "0600000800000007", "Fragments")]
    [InlineData("a fragment behind options", HopByHop, "2c00010400000000 0600000100000007", "Fragments")]
    [InlineData("segments left", Routing, "06020001 00000000 fd000000 00000000 00000000 00000009", "SourceRoutes")]
    [InlineData("hop-by-hop but not first", DestinationOptions, "0000010400000000 0600010400000000", "NotForUs")]
    [InlineData("authenticated", AuthenticationHeader, "060400000000000100000001 000000000000000000000000", "NotForUs")]
    [InlineData("no next header", HopByHop, "3b00010400000000", "NotForUs")]
    [InlineData("an unknown upper layer", DestinationOptions, "fd00010400000000", "NotForUs")]
    public void IPv6_extension_headers_that_forbid_an_answer_drop_the_packet(
        string what, byte first, string headers, string counter)
    {
        Assert.NotEmpty(what);
        var request = Behind(headers, first, ToUs.IPv6(s_peer6, s_ip6).Tcp(PeerPort, Open, 7, flags: Packet.Syn));
        Drops(request, (Counter)typeof(HostCounters).GetProperty(counter)!.GetValue(_service.Host)!);
    }

    [Fact]
    public void A_handshake_is_completed_only_where_that_is_asked_for()
    {
        PacketAssert.Sent(
            _run.Receive(0, Request(Open, 8, Initial(Open) + 1, Packet.Ack)), PortSet.Parse("0"),
            Reply(Open, new SegmentArrives(Initial(Open) + 1, 0, Packet.Rst)));
        Assert.Equal(0UL, _service.Handshakes.Value);
    }

    [Fact]
    public void The_ACK_that_completes_a_handshake_is_dropped_and_data_behind_it_is_reset()
    {
        var service = new TcpPing(s_ip, s_mac, s_ip6, [Open], s_key, completeHandshakes: true);
        var run = new ServiceRun(service, ports: 2, start: Now);
        var synAck = FromUs.IPv4(s_ip, s_peer, ttl: 64, dontFragment: true)
            .Tcp(Open, PeerPort, Initial(Open), 8, Packet.Syn | Packet.Ack, window: 1220).PaddedTo(60);
        PacketAssert.Sent(run.Receive(0, Request(Open)), PortSet.Parse("0"), synAck);
        PacketAssert.Nothing(run.Receive(0, Request(Open, 8, Initial(Open) + 1, Packet.Ack), Now + 300_000_000));
        const byte push = 8;
        var data = Request(Open, 8, Initial(Open) + 1, Packet.Ack | push).Payload("GET / HTTP/1.1");
        var reset = new SegmentArrives(Initial(Open) + 1, 0, Packet.Rst);
        PacketAssert.Sent(run.Receive(0, data, Now + 300_000_000), PortSet.Parse("0"), Reply(Open, reset));
        Assert.Equal((1UL, 1UL, 1UL), (service.SynAcks.Value, service.Handshakes.Value, service.Resets.Value));

        PacketAssert.Nothing(run.Receive(
            0, ToUs.IPv6(s_peer6, s_ip6).Tcp(PeerPort, Open, 8, Initial6(Open) + 1, Packet.Ack), Now + 300_000_000));
        Assert.Equal(2UL, service.Handshakes.Value);
    }

    [Fact]
    public void Everything_but_such_an_ACK_is_answered_as_without_it()
    {
        var service = new TcpPing(s_ip, s_mac, s_ip6, [Open], s_key, completeHandshakes: true);
        var run = new ServiceRun(service, ports: 2, start: Now);
        const ulong later = Now + 240_000_000_000; // twice the MSL
        const uint steps = (uint)(240_000_000_000 / 4096);
        foreach (var (port, time, acknowledgement, isDropped) in new[]
        {
            (Open, later, Initial(Open, later) + 1, true), (Open, later, Initial(Open, later) + 1 - steps, true),
            (Open, later, Initial(Open, later) - steps, false), (Open, later, Initial(Open, later) + 2, false),
            (Closed, later, Initial(Closed, later) + 1, false), (Open, later, Initial(443, later) + 1, false),
        })
        {
            for (var flags = 0; flags <= byte.MaxValue; flags++)
            {
                foreach (var data in new[] { 0, 1 })
                {
                    var initial = Initial(port, time);
                    var expected = SegmentArrives.At(port == Open, 8, acknowledgement, (byte)flags, data, initial);
                    const int bits = Packet.Ack | Packet.Syn | Packet.Fin | Packet.Rst;
                    var isBare = data == 0 && (flags & bits) == Packet.Ack;
                    var request = Request(port, 8, acknowledgement, (byte)flags).Payload(new byte[data]);
                    var sent = run.Receive(0, request, time);
                    if (expected is null || isDropped && isBare) PacketAssert.Nothing(sent);
                    else if ((expected.Flags & Packet.Syn) == 0)
                        PacketAssert.Sent(sent, PortSet.Parse("0"), Reply(port, expected));
                    else Assert.Single(sent);
                }
            }
        }
        Assert.Equal(2UL * 16, service.Handshakes.Value); // PSH, URG, ECE and CWR say nothing
    }

    [Theory]
    [InlineData(54)]
    [InlineData(60)]
    [InlineData(61)]
    [InlineData(200)]
    public void Padding_is_neither_data_nor_sent_back(int length)
    {
        var syn = ToUs.IPv4(s_peer, s_ip, totalLength: 40)
            .Tcp(PeerPort, Open, 7, flags: Packet.Syn, checksum: RightChecksum());
        AnswersSyn(syn.Payload([.. Enumerable.Repeat((byte)0xEE, length - 54)]));
    }

    [Theory]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(6)]
    public void A_header_that_does_not_fit_is_malformed(byte words) =>
        Drops(
            ToUs.IPv4(s_peer, s_ip).Tcp(PeerPort, Open, 7, flags: Packet.Syn, headerWords: words),
            _service.Host.Malformed);

    [Fact]
    public void A_segment_cut_short_is_malformed() =>
        Drops(ToUs.IPv4(s_peer, s_ip, protocol: 6).Payload(new byte[19]), _service.Host.Malformed);

    [Fact]
    public void Wrong_checksums_drop_the_segment()
    {
        Drops(
            ToUs.IPv4(s_peer, s_ip, checksum: 0x1234).Tcp(PeerPort, Open, 7, flags: Packet.Syn),
            _service.Host.BadChecksum);
        PacketAssert.Nothing(
            _run.Receive(0, ToUs.IPv4(s_peer, s_ip).Tcp(PeerPort, Open, 7, flags: Packet.Syn, checksum: 0x1234)));
        PacketAssert.Nothing(
            _run.Receive(0, ToUs.IPv6(s_peer6, s_ip6).Tcp(PeerPort, Open, 7, flags: Packet.Syn, checksum: 0x1234)));
        byte[] damaged = Request(Open).Payload(new byte[101]);
        damaged[^1] ^= 1; // data counts, the last odd byte too
        PacketAssert.Nothing(_run.Receive(0, damaged));
        Assert.Equal(4UL, _service.Host.BadChecksum.Value);
    }

    [Theory]
    [InlineData("0.0.0.0")]
    [InlineData("255.255.255.255")]
    [InlineData("224.0.0.1")]
    [InlineData("127.0.0.1")]
    [InlineData("10.0.0.2")]
    public void A_source_that_cannot_be_answered_is_malformed(string source) =>
        Drops(
            ToUs.IPv4(IPv4Address.Parse(source), s_ip).Tcp(PeerPort, Open, 7, flags: Packet.Syn),
            _service.Host.Malformed);

    [Theory]
    [InlineData("::")]
    [InlineData("::1")]
    [InlineData("ff02::1")]
    [InlineData("fd00::2")]
    public void An_IPv6_source_that_cannot_be_answered_is_malformed(string source) =>
        Drops(
            ToUs.IPv6(IPv6Address.Parse(source), s_ip6).Tcp(PeerPort, Open, 7, flags: Packet.Syn),
            _service.Host.Malformed);

    [Fact]
    public void What_is_sent_to_a_group_is_dropped()
    {
        Drops(
            Packet.Ethernet(s_peerMac, MacAddress.Broadcast)
                .IPv4(s_peer, s_ip).Tcp(PeerPort, Open, 7, flags: Packet.Syn),
            _service.Host.ToGroup);
        PacketAssert.Nothing(_run.Receive(
            0, ToUs.IPv4(s_peer, IPv4Address.Parse("224.0.0.1")).Tcp(PeerPort, Open, 7, flags: Packet.Syn)));
        PacketAssert.Nothing(_run.Receive(
            0, ToUs.IPv4(s_peer, IPv4Address.Parse("255.255.255.255")).Tcp(PeerPort, Open, 7, flags: Packet.Syn)));
        PacketAssert.Nothing(_run.Receive(
            0, ToUs.IPv6(s_peer6, IPv6Address.Parse("ff02::1")).Tcp(PeerPort, Open, 7, flags: Packet.Syn)));
        Assert.Equal(4UL, _service.Host.ToGroup.Value);
    }

    [Fact]
    public void What_is_for_others_or_other_protocols_is_dropped()
    {
        Drops(
            ToUs.IPv4(s_peer, IPv4Address.Parse("10.0.0.3")).Tcp(PeerPort, Open, 7, flags: Packet.Syn),
            _service.Host.NotForUs);
        PacketAssert.Nothing(_run.Receive(0, ToUs.IPv4(s_peer, s_ip).Udp(1, 2).Payload("x")));
        PacketAssert.Nothing(_run.Receive(0, ToUs.IPv4(s_peer, s_ip).IcmpEchoRequest(1, 2)));
        PacketAssert.Nothing(_run.Receive(0, ToUs.IPv6(s_peer6, s_ip6).Icmpv6EchoRequest(1, 2)));
        var toAnother = Packet.Ethernet(s_peerMac, MacAddress.Parse("02:00:00:00:00:03"));
        PacketAssert.Nothing(_run.Receive(0, toAnother.IPv4(s_peer, s_ip).Tcp(PeerPort, Open, 7, flags: Packet.Syn)));
        Assert.Equal(5UL, _service.Host.NotForUs.Value);
    }

    [Fact]
    public void Fragments_are_dropped()
    {
        Drops(
            ToUs.IPv4(s_peer, s_ip, moreFragments: true).Tcp(PeerPort, Open, 7, flags: Packet.Syn),
            _service.Host.Fragments);
        PacketAssert.Nothing(_run.Receive(0, ToUs.IPv4(s_peer, s_ip, fragmentOffset: 16).Payload(new byte[24])));
        Assert.Equal(2UL, _service.Host.Fragments.Value);
    }

    [Fact]
    public void ARP_and_solicitations_are_answered()
    {
        var group = s_ip6.SolicitedNode;
        PacketAssert.Sent(
            _run.Receive(
                0, Packet.Ethernet(s_peerMac, MacAddress.Broadcast).ArpRequest(s_peerMac, s_peer, s_ip).PaddedTo(60)),
            PortSet.Parse("0"), FromUs.ArpReply(s_mac, s_ip, s_peerMac, s_peer).PaddedTo(60));
        PacketAssert.Sent(
            _run.Receive(0, Packet.Ethernet(s_peerMac, group.MulticastMac)
                .IPv6(s_peer6, group, hopLimit: 255).NeighborSolicitation(s_ip6, s_peerMac)),
            PortSet.Parse("0"),
            FromUs.IPv6(s_ip6, s_peer6, hopLimit: 255).NeighborAdvertisement(s_ip6, s_mac, solicited: true));
        Assert.Equal((1UL, 1UL), (_service.Host.ArpReplies.Value, _service.Host.NeighborAdvertisements.Value));
    }

    [Fact]
    public void Initial_sequence_numbers_of_a_connection_go_up_with_the_time()
    {
        // 2⁴⁴ ns: the clock has gone round
        foreach (var later in new ulong[] { 0, 4095, 4096, 1_000_000, 17_592_186_044_416, 17_592_186_044_416 + 4096 })
        {
            var reply = Assert.Single(_run.Receive(0, Request(Open), Now + later));
            Assert.Equal(Initial(Open, Now + later), BinaryPrimitives.ReadUInt32BigEndian(reply.Bytes.AsSpan(38)));
        }
    }

    [Fact]
    public void Without_a_key_two_services_have_different_numbers()
    {
        byte[][] replies =
        [
            .. Enumerable.Range(0, 3).Select(_ => new ServiceRun(new TcpPing(s_ip, s_mac, listen: [Open]), start: Now))
                .Select(run => Assert.Single(run.Receive(0, Request(Open))).Bytes)];
        // by chance in one of 10⁹ runs
        Assert.Equal(3, replies.Select(bytes => Convert.ToHexString(bytes, 38, 4)).Distinct().Count());
    }

    /// <summary>An IPv6 packet with extension headers put before its upper layer.</summary>
    /// <param name="headers">In hexadecimal, each with the next header that it names.</param>
    /// <param name="first">The protocol number of the first of them.</param>
    /// <param name="packet">The packet.</param>
    private static byte[] Behind(string headers, byte first, Packet packet)
    {
        const int lengthOffset = 18, nextHeaderOffset = 20, upperLayer = 54;
        byte[] frame = packet, inserted = Convert.FromHexString(headers.Replace(" ", "", StringComparison.Ordinal));
        var length = frame.AsSpan(lengthOffset);
        BinaryPrimitives.WriteUInt16BigEndian(
            length, (ushort)(BinaryPrimitives.ReadUInt16BigEndian(length) + inserted.Length));
        frame[nextHeaderOffset] = first;
        return [.. frame[..upperLayer], .. inserted, .. frame[upperLayer..]];
    }

    private static ushort RightChecksum()
    {
        byte[] right = Request(Open);
        return (ushort)(right[50] << 8 | right[51]);
    }
}
