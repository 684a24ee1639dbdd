namespace Emu.Protocols.Tests;

public sealed class PacketTextTests
{
    public static TheoryData<byte[], string> Lines => new()
    {
        {
            KnownFrames.ArpRequest,
            "02:00:00:00:00:01 > ff:ff:ff:ff:ff:ff, ARP who-has 10.0.0.2 tell 10.0.0.1, 60 bytes"
        },
        {
            KnownFrames.EchoRequest,
            "02:00:00:00:00:01 > 02:00:00:00:00:02, IPv4 10.0.0.1 > 10.0.0.2 ICMP echo request id 1 seq 2, 98 bytes"
        },
        {
            KnownFrames.UdpHello,
            "02:00:00:00:00:01 > 02:00:00:00:00:02, IPv4 10.0.0.1 > 10.0.0.2 UDP 1024 > 53 payload 5, 60 bytes"
        },
        {
            KnownFrames.TcpSyn,
            "02:00:00:00:00:01 > 02:00:00:00:00:02, IPv4 10.0.0.1 > 10.0.0.2 TCP 1024 > 80 [Syn] seq 1 win "
            + "64240 payload 0, 74 bytes"
        },
        { KnownFrames.NeighborSolicitation,
            "02:00:00:00:00:01 > 02:00:00:00:00:02, IPv6 fe80::1 > ff02::1:ff00:2 ICMPv6 neighbor solicitation "
            + "for fe80::2, 86 bytes" },
        {
            KnownFrames.UdpBehindExtensions,
            "02:00:00:00:00:01 > 02:00:00:00:00:02, IPv6 fd00::1 > fd00::2 UDP 1024 > 53 payload 5, 83 bytes"
        },
        { KnownFrames.Bpdu, "02:00:00:00:00:01 > 01:80:c2:00:00:00, LLC DSAP 0x42 SSAP 0x42, 60 bytes" },
        {
            KnownFrames.Hex("020000000002020000000001 8100 000a 88b5 ff"),
            "02:00:00:00:00:01 > 02:00:00:00:00:02, VLAN 10, EtherType 0x88b5, 19 bytes"
        },
        { KnownFrames.EchoRequest[..40], "02:00:00:00:00:01 > 02:00:00:00:00:02, malformed IPv4, 40 bytes" },
        { KnownFrames.EchoRequest[..5], "malformed Ethernet, 5 bytes" },
        { [], "malformed Ethernet, 0 bytes" },
    };

    [Theory]
    [MemberData(nameof(Lines))]
    public void A_frame_is_described_in_one_line(byte[] frame, string line) =>
        Assert.Equal(line, PacketText.Describe(frame));

    [Fact]
    public void A_bad_checksum_is_pointed_out()
    {
        var frame = KnownFrames.UdpHello;
        frame[^20] ^= 1;
        Assert.Contains("(bad checksum)", PacketText.Describe(frame));
        Assert.Contains(("udp.checksum.status", "0"), PacketText.Fields(frame));
    }

    [Fact]
    public void Fields_are_named_as_Wireshark_names_them_layer_by_layer() => Assert.Equal(
    [
        ("eth.dst", "ff:ff:ff:ff:ff:ff"), ("eth.src", "02:00:00:00:00:01"), ("eth.type", "0x0806"), ("arp.opcode", "1"),
        ("arp.src.hw_mac", "02:00:00:00:00:01"), ("arp.src.proto_ipv4", "10.0.0.1"),
        ("arp.dst.hw_mac", "00:00:00:00:00:00"), ("arp.dst.proto_ipv4", "10.0.0.2"),
    ], PacketText.Fields(KnownFrames.ArpRequest));

    [Fact]
    public void A_header_that_does_not_fit_is_named_and_its_bytes_are_shown()
    {
        var fields = PacketText.Fields(KnownFrames.EchoRequest.AsSpan(0, 20));
        Assert.Equal([("_ws.malformed", "ip"), ("data.data", "450000540001")], fields.Skip(3));
    }
}
