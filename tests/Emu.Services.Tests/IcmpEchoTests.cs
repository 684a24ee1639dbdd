using Emu.Testing;

namespace Emu.Services.Tests;

/// <summary>The host's answers, and its drops with the names of their counters.</summary>
public sealed class IcmpEchoTests
{
    private static readonly MacAddress s_mac = MacAddress.Parse("02:00:00:00:00:02");
    private static readonly MacAddress s_peerMac = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly IPv4Address s_ip = IPv4Address.Parse("10.0.0.2");
    private static readonly IPv4Address s_peer = IPv4Address.Parse("10.0.0.1");
    private static readonly IPv6Address s_ip6 = IPv6Address.Parse("fd00::2");
    private static readonly IPv6Address s_peer6 = IPv6Address.Parse("fd00::1");
    private static readonly IPv6Address s_linkLocal = IPv6Address.Parse("fe80::ff:fe00:2");

    private readonly IcmpEcho _service = new(s_ip, s_mac, s_ip6);
    private readonly ServiceRun _run;

    public IcmpEchoTests() => _run = new ServiceRun(_service, ports: 2);

    private static Packet ToUs => Packet.Ethernet(s_peerMac, s_mac);

    private static Packet FromUs => Packet.Ethernet(s_mac, s_peerMac);

    private static byte[] Bytes(string hexadecimal) =>
        Convert.FromHexString(hexadecimal.Replace(" ", "", StringComparison.Ordinal));

    private static byte[] Data(int length) => [.. Enumerable.Range(0, length).Select(i => (byte)(i * 7))];

    private void Answers(Packet request, Packet reply, Counter counter)
    {
        PacketAssert.Sent(_run.Receive(1, request), PortSet.Parse("1"), reply);
        Assert.Equal(1UL, counter.Value);
    }

    private void Drops(Packet request, Counter counter)
    {
        PacketAssert.Nothing(_run.Receive(1, request));
        Assert.Equal(1UL, counter.Value);
    }

    [Fact]
    public void An_ARP_request_is_answered() => Answers(
        Packet.Ethernet(s_peerMac, MacAddress.Broadcast).ArpRequest(s_peerMac, s_peer, s_ip).PaddedTo(60),
        FromUs.ArpReply(s_mac, s_ip, s_peerMac, s_peer).PaddedTo(60),
        _service.Host.ArpReplies);

    [Fact]
    public void An_ARP_probe_is_answered() => Answers(
        Packet.Ethernet(s_peerMac, MacAddress.Broadcast).ArpRequest(s_peerMac, default, s_ip),
        FromUs.ArpReply(s_mac, s_ip, s_peerMac, default),
        _service.Host.ArpReplies);

    [Fact]
    public void An_ARP_request_for_another_is_not_answered() => Drops(
        Packet.Ethernet(s_peerMac, MacAddress.Broadcast).ArpRequest(s_peerMac, s_peer, IPv4Address.Parse("10.0.0.3")),
        _service.Host.NotForUs);

    [Fact]
    public void An_ARP_reply_is_not_answered() =>
        Drops(ToUs.ArpReply(s_peerMac, s_peer, s_mac, s_ip), _service.Host.NotForUs);

    [Fact]
    public void An_ARP_request_from_a_group_address_is_malformed() => Drops(
        Packet.Ethernet(s_peerMac, MacAddress.Broadcast)
            .ArpRequest(MacAddress.Parse("03:00:00:00:00:01"), s_peer, s_ip),
        _service.Host.Malformed);

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(18)]
    [InlineData(56)]
    [InlineData(1471)]
    [InlineData(1472)]
    public void An_echo_request_is_answered_with_all_its_data_and_a_fresh_TTL(int length) => Answers(
        ToUs.IPv4(s_peer, s_ip, ttl: 3).IcmpEchoRequest(7, 9).Payload(Data(length)),
        FromUs.IPv4(s_ip, s_peer, ttl: 64).IcmpEchoReply(7, 9).Payload(Data(length)),
        _service.EchoReplies);

    [Fact]
    public void Padding_is_carried_and_not_checked() => Answers(
        ToUs.IPv4(s_peer, s_ip).IcmpEchoRequest(7, 9).PaddedTo(60),
        FromUs.IPv4(s_ip, s_peer).IcmpEchoReply(7, 9).PaddedTo(60),
        _service.EchoReplies);

    [Fact]
    public void Every_identifier_and_sequence_number_gets_a_right_checksum()
    {
        // Some of them make the checksum 0x0000 or 0xFFFF before or after: the edge of RFC 1624.
        for (var i = 0; i < 0x10000; i++)
        {
            var sent = _run.Receive(0, ToUs.IPv4(s_peer, s_ip).IcmpEchoRequest((ushort)i, 0x1234));
            PacketAssert.Sent(sent, PortSet.Parse("0"), FromUs.IPv4(s_ip, s_peer).IcmpEchoReply((ushort)i, 0x1234));
        }
    }

    /// <summary>
    /// RFC 791 §3.1 and RFC 1122 §3.2.2.6: 10.0.0.2 is the host, 04 C4 B4 7B are the milliseconds since midnight.
    /// </summary>
    [Theory]
    [InlineData("07 07 04 00 00 00 00 01", "07 07 08 0A 00 00 02 01")]
    [InlineData("07 0B 08 0A 00 00 09 00 00 00 00 01", "07 0B 0C 0A 00 00 09 0A 00 00 02 01")]
    [InlineData("07 07 08 0A 00 00 09 01", "07 07 08 0A 00 00 09 01")] // full
    [InlineData("07 03 04 01", "07 03 04 01")]
    [InlineData("44 08 05 00 00 00 00 00", "44 08 09 00 04 C4 B4 7B")] // timestamps only
    [InlineData("44 0C 09 00 00 00 00 01 00 00 00 00", "44 0C 0D 00 00 00 00 01 04 C4 B4 7B")]
    [InlineData("44 0C 05 01 00 00 00 00 00 00 00 00", "44 0C 0D 01 0A 00 00 02 04 C4 B4 7B")] // with addresses
    [InlineData("44 0C 05 03 0A 00 00 02 00 00 00 00", "44 0C 0D 03 0A 00 00 02 04 C4 B4 7B")] // of who is named
    [InlineData("44 0C 05 03 0A 00 00 09 00 00 00 00", "44 0C 05 03 0A 00 00 09 00 00 00 00")]
    [InlineData("44 08 09 00 00 00 00 01", "44 08 09 10 00 00 00 01")] // full
    [InlineData("44 08 09 E0 00 00 00 01", "44 08 09 F0 00 00 00 01")]
    [InlineData("44 0C 0D 31 0A 00 00 09 00 00 00 01", "44 0C 0D 41 0A 00 00 09 00 00 00 01")]
    [InlineData("44 08 05 02 00 00 00 00", "44 08 05 02 00 00 00 00")] // a flag that has no meaning
    [InlineData(
        "01 07 07 04 00 00 00 00 44 08 05 00 00 00 00 00 94 04 00 00",
        "01 07 07 08 0A 00 00 02 44 08 09 00 04 C4 B4 7B 94 04 00 00")]
    [InlineData("82 0B 00 00 00 00 00 00 00 00 00 00", "82 0B 00 00 00 00 00 00 00 00 00 00")]
    public void Options_that_record_are_filled_in(string options, string filled)
    {
        const ulong Time = 1_700_000_000_123_456_789; // 22:13:20.123
        var request = ToUs.IPv4(s_peer, s_ip, ttl: 3, options: Bytes(options)).IcmpEchoRequest(7, 9).Payload(Data(9));
        var reply = FromUs.IPv4(s_ip, s_peer, options: Bytes(filled)).IcmpEchoReply(7, 9).Payload(Data(9));
        PacketAssert.Sent(_run.Receive(1, request, Time), PortSet.Parse("1"), reply);
        Assert.Equal(1UL, _service.EchoReplies.Value);
    }

    [Theory]
    [InlineData("07 02 01 01")] // no pointer
    [InlineData("07 07 03 00 00 00 00 01")]
    [InlineData("07 06 04 00 00 00 01 01")] // some room, but not enough
    [InlineData("07 0B 09 0A 00 00 09 00 00 00 00 01")]
    [InlineData("44 03 05 01")]
    [InlineData("44 08 04 00 00 00 00 00")]
    [InlineData("44 06 05 00 00 00 01 01")]
    [InlineData("44 08 05 01 00 00 00 00")]
    [InlineData("44 08 05 03 0A 00 00 02")]
    [InlineData("44 08 09 F0 00 00 00 01")] // the overflow count overflows
    [InlineData("07 07 04 00 00 00 00 07")]
    public void Options_that_record_and_are_malformed_drop_the_request(string options) =>
        Drops(ToUs.IPv4(s_peer, s_ip, options: Bytes(options)).IcmpEchoRequest(7, 9), _service.Host.Malformed);

    [Theory]
    [InlineData("01 83 07 04 0A 00 00 09")] // goes on
    [InlineData("01 83 07 08 0A 00 00 09")] // at its end
    [InlineData("89 07 08 0A 00 00 09 01")]
    [InlineData("83 03 04 01")]
    [InlineData("83 02 00 00")] // without a pointer
    public void A_source_route_drops_the_request(string options) =>
        Drops(ToUs.IPv4(s_peer, s_ip, options: Bytes(options)).IcmpEchoRequest(7, 9), _service.Host.SourceRoutes);

    [Theory]
    [InlineData(new byte[] { 7, 1, 0, 0 })]
    [InlineData(new byte[] { 7, 9, 4, 0 })]
    [InlineData(new byte[] { 1, 1, 1, 7 })]
    public void Malformed_options_drop_the_request(byte[] options) =>
        Drops(ToUs.IPv4(s_peer, s_ip, options: options).IcmpEchoRequest(7, 9), _service.Host.Malformed);

    [Fact]
    public void A_wrong_header_checksum_drops_the_request() =>
        Drops(ToUs.IPv4(s_peer, s_ip, checksum: 0x1234).IcmpEchoRequest(7, 9), _service.Host.BadChecksum);

    [Fact]
    public void A_wrong_ICMP_checksum_drops_the_request() =>
        Drops(
            ToUs.IPv4(s_peer, s_ip).IcmpEchoRequest(7, 9, checksum: 0x1234).Payload(Data(11)),
            _service.Host.BadChecksum);

    [Theory]
    [InlineData("10.0.0.3")]
    [InlineData("10.0.0.255")]
    public void A_request_to_another_address_is_not_answered(string destination) =>
        Drops(ToUs.IPv4(s_peer, IPv4Address.Parse(destination)).IcmpEchoRequest(7, 9), _service.Host.NotForUs);

    [Theory]
    [InlineData("255.255.255.255")]
    [InlineData("224.0.0.1")]
    public void A_request_to_a_group_is_not_answered(string destination) =>
        Drops(ToUs.IPv4(s_peer, IPv4Address.Parse(destination)).IcmpEchoRequest(7, 9), _service.Host.ToGroup);

    [Fact]
    public void A_request_in_a_broadcast_frame_is_not_answered() =>
        Drops(
            Packet.Ethernet(s_peerMac, MacAddress.Broadcast).IPv4(s_peer, s_ip).IcmpEchoRequest(7, 9),
            _service.Host.ToGroup);

    [Theory]
    [InlineData("0.0.0.0")]
    [InlineData("255.255.255.255")]
    [InlineData("224.0.0.1")]
    [InlineData("127.0.0.1")]
    [InlineData("127.255.255.255")]
    [InlineData("10.0.0.2")]
    public void A_source_that_cannot_be_answered_is_malformed(string source) =>
        Drops(ToUs.IPv4(IPv4Address.Parse(source), s_ip).IcmpEchoRequest(7, 9), _service.Host.Malformed);

    [Fact]
    public void Fragments_are_dropped()
    {
        Drops(
            ToUs.IPv4(s_peer, s_ip, moreFragments: true).IcmpEchoRequest(7, 9).Payload(Data(8)),
            _service.Host.Fragments);
        PacketAssert.Nothing(_run.Receive(0, ToUs.IPv4(s_peer, s_ip, fragmentOffset: 16).Payload(Data(24))));
        Assert.Equal(2UL, _service.Host.Fragments.Value);
    }

    [Fact]
    public void An_echo_reply_and_other_messages_are_not_answered()
    {
        Drops(ToUs.IPv4(s_peer, s_ip).IcmpEchoReply(7, 9), _service.Host.NotForUs);
        PacketAssert.Nothing(_run.Receive(0, ToUs.IPv4(s_peer, s_ip).Icmp(13)));
        PacketAssert.Nothing(_run.Receive(0, ToUs.IPv4(s_peer, s_ip).Udp(1, 2).Payload("x")));
        Assert.Equal(3UL, _service.Host.NotForUs.Value);
    }

    [Fact]
    public void A_frame_to_another_station_is_not_answered() =>
        Drops(
            Packet.Ethernet(s_peerMac, MacAddress.Parse("02:00:00:00:00:03")).IPv4(s_peer, s_ip).IcmpEchoRequest(7, 9),
            _service.Host.NotForUs);

    [Fact]
    public void A_frame_from_a_group_is_malformed() =>
        Drops(
            Packet.Ethernet(MacAddress.Broadcast, s_mac).IPv4(s_peer, s_ip).IcmpEchoRequest(7, 9),
            _service.Host.Malformed);

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(1452)]
    public void An_ICMPv6_echo_request_is_answered(int length) => Answers(
        ToUs.IPv6(s_peer6, s_ip6, hopLimit: 3).Icmpv6EchoRequest(7, 9).Payload(Data(length)),
        FromUs.IPv6(s_ip6, s_peer6, hopLimit: 64).Icmpv6EchoReply(7, 9).Payload(Data(length)),
        _service.EchoReplies6);

    [Theory]
    [InlineData("::")]
    [InlineData("::1")] // RFC 4291 §2.5.3
    [InlineData("ff02::1")]
    [InlineData("fd00::2")]
    [InlineData("fe80::ff:fe00:2")]
    public void An_IPv6_source_that_cannot_be_answered_is_malformed(string source) =>
        Drops(ToUs.IPv6(IPv6Address.Parse(source), s_ip6).Icmpv6EchoRequest(7, 9), _service.Host.Malformed);

    [Theory]
    [InlineData("::1")]
    [InlineData("fd00::2")]
    [InlineData("fe80::ff:fe00:2")]
    public void A_solicitation_from_a_source_that_cannot_be_is_malformed(string source) => Drops(
        ToUs.IPv6(IPv6Address.Parse(source), s_ip6, hopLimit: 255).NeighborSolicitation(s_ip6, s_peerMac),
        _service.Host.Malformed);

    [Theory]
    [InlineData("::1")]
    [InlineData("fd00::3")]
    [InlineData("fe80::2")]
    public void An_ICMPv6_echo_request_to_another_address_is_not_answered(string destination) =>
        Drops(ToUs.IPv6(s_peer6, IPv6Address.Parse(destination)).Icmpv6EchoRequest(7, 9), _service.Host.NotForUs);

    [Fact]
    public void An_ICMPv6_echo_request_to_the_link_local_address_is_answered() => Answers( // RFC 4291 §2.8, appendix A
        ToUs.IPv6(IPv6Address.Parse("fe80::1"), s_linkLocal).Icmpv6EchoRequest(7, 9).Payload(Data(5)),
        FromUs.IPv6(s_linkLocal, IPv6Address.Parse("fe80::1")).Icmpv6EchoReply(7, 9).Payload(Data(5)),
        _service.EchoReplies6);

    [Fact]
    public void A_wrong_ICMPv6_checksum_drops_the_request() =>
        Drops(ToUs.IPv6(s_peer6, s_ip6).Icmpv6EchoRequest(7, 9, checksum: 0x1234), _service.Host.BadChecksum);

    [Fact]
    public void A_solicitation_to_the_group_is_answered_to_the_asker()
    {
        var group = s_ip6.SolicitedNode;
        Answers(
            Packet.Ethernet(s_peerMac, group.MulticastMac)
                .IPv6(s_peer6, group, hopLimit: 255).NeighborSolicitation(s_ip6, s_peerMac),
            FromUs.IPv6(s_ip6, s_peer6, hopLimit: 255).NeighborAdvertisement(s_ip6, s_mac, solicited: true),
            _service.Host.NeighborAdvertisements);
    }

    [Fact]
    public void A_solicitation_without_source_option_to_the_address_is_answered() => Answers(
        ToUs.IPv6(s_peer6, s_ip6, hopLimit: 255).NeighborSolicitation(s_ip6),
        FromUs.IPv6(s_ip6, s_peer6, hopLimit: 255).NeighborAdvertisement(s_ip6, s_mac, solicited: true),
        _service.Host.NeighborAdvertisements);

    /// <summary>RFC 4861 §7.1.1 asks for no certain destination, but of a solicitation without source.</summary>
    [Theory]
    [InlineData("fd00::2", "ff02::1")]
    [InlineData("fe80::ff:fe00:2", "ff02::1")]
    [InlineData("fe80::ff:fe00:2", "ff02::1:ff00:2")]
    [InlineData("fe80::ff:fe00:2", "fe80::ff:fe00:2")]
    [InlineData("fe80::ff:fe00:2", "fd00::2")]
    [InlineData("fd00::2", "fe80::ff:fe00:2")]
    public void A_solicitation_is_answered_wherever_it_reaches_the_host(string target, string destination)
    {
        var (asked, to) = (IPv6Address.Parse(target), IPv6Address.Parse(destination));
        var ethernet = Packet.Ethernet(s_peerMac, to.IsMulticast ? to.MulticastMac : s_mac);
        Answers(
            ethernet.IPv6(s_peer6, to, hopLimit: 255).NeighborSolicitation(asked, s_peerMac),
            FromUs.IPv6(asked, s_peer6, hopLimit: 255).NeighborAdvertisement(asked, s_mac, solicited: true),
            _service.Host.NeighborAdvertisements);
    }

    [Fact]
    public void Each_address_has_a_group_of_its_own()
    {
        var mac = MacAddress.Parse("02:00:00:aa:bb:cc");
        var own = IPv6Address.Parse("fe80::ff:feaa:bbcc");
        var service = new IcmpEcho(s_ip, mac, s_ip6);
        var group = own.SolicitedNode;
        var asked = Packet.Ethernet(s_peerMac, group.MulticastMac).IPv6(s_peer6, group, hopLimit: 255);
        var answer = Packet.Ethernet(mac, s_peerMac).IPv6(own, s_peer6, hopLimit: 255);
        PacketAssert.Sent(
            new ServiceRun(service).Receive(1, asked.NeighborSolicitation(own, s_peerMac)), PortSet.Parse("1"),
            answer.NeighborAdvertisement(own, mac, solicited: true));
    }

    [Theory]
    [InlineData("ff02::2")] // routers
    [InlineData("ff01::1")] // of this node alone
    [InlineData("ff02::1:ff00:3")]
    [InlineData("fd00::3")]
    public void A_solicitation_to_others_is_not_answered(string destination)
    {
        var to = IPv6Address.Parse(destination);
        var ethernet = Packet.Ethernet(s_peerMac, to.IsMulticast ? to.MulticastMac : s_mac);
        Drops(ethernet.IPv6(s_peer6, to, hopLimit: 255).NeighborSolicitation(s_ip6, s_peerMac), _service.Host.NotForUs);
    }

    [Fact]
    public void A_probe_to_all_nodes_is_malformed() // RFC 4861 §7.1.1: its destination must be the target's group
    {
        var allNodes = IPv6Address.Parse("ff02::1");
        var toAll = Packet.Ethernet(s_peerMac, allNodes.MulticastMac).IPv6(default, allNodes, hopLimit: 255);
        Drops(toAll.NeighborSolicitation(s_ip6), _service.Host.Malformed);
    }

    [Fact]
    public void Duplicate_address_detection_is_answered_to_all_nodes()
    {
        var group = s_ip6.SolicitedNode;
        var allNodes = IPv6Address.Parse("ff02::1");
        Answers(
            Packet.Ethernet(s_peerMac, group.MulticastMac)
                .IPv6(default, group, hopLimit: 255).NeighborSolicitation(s_ip6),
            Packet.Ethernet(s_mac, allNodes.MulticastMac)
                .IPv6(s_ip6, allNodes, hopLimit: 255).NeighborAdvertisement(s_ip6, s_mac, solicited: false),
            _service.Host.NeighborAdvertisements);
    }

    [Fact]
    public void A_solicitation_from_behind_a_router_is_malformed() => Drops(
        ToUs.IPv6(s_peer6, s_ip6, hopLimit: 254).NeighborSolicitation(s_ip6), _service.Host.Malformed);

    [Fact]
    public void A_solicitation_for_another_is_not_answered()
    {
        var group = s_ip6.SolicitedNode;
        Drops(
            Packet.Ethernet(s_peerMac, group.MulticastMac)
                .IPv6(s_peer6, group, hopLimit: 255).NeighborSolicitation(IPv6Address.Parse("fd01::2")),
            _service.Host.NotForUs);
    }

    [Fact]
    public void A_probe_with_a_source_option_is_malformed()
    {
        var group = s_ip6.SolicitedNode;
        Drops(
            Packet.Ethernet(s_peerMac, group.MulticastMac)
                .IPv6(default, group, hopLimit: 255).NeighborSolicitation(s_ip6, s_peerMac),
            _service.Host.Malformed);
    }

    [Fact]
    public void Without_an_IPv6_address_IPv6_is_not_answered()
    {
        var service = new IcmpEcho(s_ip, s_mac);
        PacketAssert.Nothing(new ServiceRun(service).Receive(0, ToUs.IPv6(s_peer6, s_ip6).Icmpv6EchoRequest(7, 9)));
        Assert.Equal(1UL, service.Host.NotForUs.Value);
    }

    [Fact]
    public void Without_a_MAC_address_one_is_made_from_the_IPv4_address()
    {
        var run = new ServiceRun(new IcmpEcho(s_ip));
        var reply = Assert.Single(
            run.Receive(0, Packet.Ethernet(s_peerMac, MacAddress.Broadcast).ArpRequest(s_peerMac, s_peer, s_ip)));
        PacketAssert.Equal(
            Packet.Ethernet(MacAddress.Parse("02:00:0a:00:00:02"), s_peerMac)
                .ArpReply(MacAddress.Parse("02:00:0a:00:00:02"), s_ip, s_peerMac, s_peer),
            reply.Bytes);
    }
}
