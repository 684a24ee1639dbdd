using Emu.Testing;

namespace Emu.Services.Tests;

/// <summary>Several services at one address do what each does alone.</summary>
public sealed class HostTests
{
    private static readonly MacAddress s_mac = MacAddress.Parse("02:00:00:00:00:02");
    private static readonly MacAddress s_peerMac = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly IPv4Address s_ip = IPv4Address.Parse("10.0.0.2");
    private static readonly IPv4Address s_peer = IPv4Address.Parse("10.0.0.1");
    private static readonly IPv6Address s_ip6 = IPv6Address.Parse("fd00::2");
    private static readonly IPv6Address s_peer6 = IPv6Address.Parse("fd00::1");

    private static readonly string[] s_zones = ["example.zone"];

    private static readonly byte[] s_question =
    [
        7, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0,
        3, .. "www"u8, 7, .. "example"u8, 3, .. "com"u8, 0, 0, 1, 0, 1,
    ];

    private static Packet ToUs => Packet.Ethernet(s_peerMac, s_mac).IPv4(s_peer, s_ip);

    private static Packet ToUs6 => Packet.Ethernet(s_peerMac, s_mac).IPv6(s_peer6, s_ip6);

    private static byte[][] Pings =>
        [ToUs.IcmpEchoRequest(1, 1).Payload("hello"), ToUs6.Icmpv6EchoRequest(1, 1).Payload("hello")];

    private static byte[][] Questions =>
        [ToUs.Udp(4000, 53).Payload(s_question), ToUs6.Udp(4000, 53).Payload(s_question)];

    private static byte[][] Requests =>
    [
        ToUs.Udp(4000, 11211).MemcachedFrame(1).Payload("set a 0 0 5\r\nhello\r\n"),
        ToUs.Udp(4000, 11211).MemcachedFrame(2).Payload("get a\r\n"),
        ToUs6.Udp(4000, 11211).MemcachedFrame(3).MemcachedRequest(0x00, "a"),
    ];

    [Fact]
    public void Each_service_answers_as_it_does_alone()
    {
        var host = new Host(s_ip, s_mac, s_ip6, echo: true, dns: s_zones, memcached: 11211, chunks: 64);
        var run = new ServiceRun(host, ports: 1);
        Compare(run, new IcmpEcho(s_ip, s_mac, s_ip6), Pings);
        Compare(run, new Dns(s_ip, s_zones, s_mac, s_ip6), Questions);
        Compare(run, new Memcached(s_ip, s_mac, s_ip6, chunks: 64), Requests);
        Assert.Equal(2UL, host.EchoReplies.Value);
        Assert.Equal(1UL, host.Cache.TotalItems.Value);
        Assert.Equal(0UL, host.Admission.NotForUs.Value);
    }

    [Fact]
    public void A_service_that_is_not_asked_for_is_not_there()
    {
        var host = new Host(s_ip, s_mac, s_ip6);
        var run = new ServiceRun(host, ports: 1);
        byte[][] frames = [.. Pings, .. Questions, .. Requests];
        foreach (var frame in frames) PacketAssert.Nothing(run.Receive(0, frame));
        Assert.Equal((ulong)frames.Length, host.Admission.NotForUs.Value);
        Assert.NotEmpty(run.Receive(
            0, Packet.Ethernet(s_peerMac, MacAddress.Broadcast).ArpRequest(s_peerMac, s_peer, s_ip)));
    }

    [Fact]
    public void Two_services_cannot_have_one_port()
    {
        var error = Assert.Throws<ArgumentException>(() => new Host(s_ip, dns: s_zones, memcached: 53));
        Assert.Contains("UDP port 53 of 10.0.0.2", error.Message, StringComparison.Ordinal);
    }

    private static void Compare(ServiceRun host, Service alone, byte[][] frames)
    {
        var run = new ServiceRun(alone, ports: 1);
        foreach (var frame in frames)
        {
            var expected = Assert.Single(run.Receive(0, frame));
            PacketAssert.Equal(expected.Bytes, Assert.Single(host.Receive(0, frame)).Bytes);
        }
    }
}
