namespace Emu.Testing.Tests;

public class PacketTests
{
    private static readonly MacAddress s_a = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly MacAddress s_b = MacAddress.Parse("02:00:00:00:00:02");
    private static readonly IPv4Address s_x = IPv4Address.Parse("192.168.0.1");
    private static readonly IPv4Address s_y = IPv4Address.Parse("192.168.0.199");

    [Fact]
    public void A_tagged_frame_names_what_it_carries()
    {
        byte[] frame = Packet.Ethernet(s_a, s_b)
            .Vlan(0x123, priority: 5, dropEligible: true, tagType: 0x88A8).Vlan(7).IPv4(s_x, s_y);

        Assert.Equal(
            "020000000002" + "020000000001" + "88A8" + "B123" + "8100" + "0007" + "0800",
            Convert.ToHexString(frame[..22]));
    }

    [Fact]
    public void An_ARP_request_has_the_form_of_RFC_826()
    {
        byte[] frame = Packet.Ethernet(s_a, MacAddress.Broadcast).ArpRequest(s_a, s_x, s_y).PaddedTo(60);

        Assert.Equal(
            "FFFFFFFFFFFF" + "020000000001" + "0806" + "0001" + "0800" + "06" + "04"
            + "0001" + "020000000001" + "C0A80001" + "000000000000" + "C0A800C7"
            + new string('0', 36),
            Convert.ToHexString(frame));
    }

    [Fact]
    public void An_IPv4_header_has_its_lengths_and_checksum()
    {
        byte[] packet = Packet.Bare.IPv4(s_x, s_y, dontFragment: true, protocol: 17).Payload(new byte[0x5F]);

        Assert.Equal("45000073" + "00004000" + "4011B861" + "C0A80001" + "C0A800C7", Convert.ToHexString(packet[..20]));
        Assert.Equal(0x73, packet.Length);
    }

    [Fact]
    public void Options_are_padded_and_fragments_counted_in_units_of_eight()
    {
        byte[] packet = Packet.Bare.IPv4(
            s_x, s_y, identification: 0xABCD, moreFragments: true, fragmentOffset: 1480, options: [1, 1, 1, 1, 1]);

        Assert.Equal("4700001CABCD20B940FD", Convert.ToHexString(packet[..10]));
        Assert.Equal("0101010101000000", Convert.ToHexString(packet[20..]));
    }

    [Fact]
    public void Wrong_values_are_kept_when_given()
    {
        byte[] packet = Packet.Bare.IPv4(s_x, s_y, totalLength: 9999, checksum: 0xDEAD, version: 5, headerWords: 4)
            .Udp(1, 2, length: 7, checksum: 0).Payload("x");

        Assert.Equal("5400270F", Convert.ToHexString(packet[..4]));
        Assert.Equal("DEAD", Convert.ToHexString(packet[10..12]));
        Assert.Equal("0001" + "0002" + "0007" + "0000" + "78", Convert.ToHexString(packet[20..]));
    }

    [Fact]
    public void A_UDP_checksum_of_zero_is_sent_as_all_ones()
    {
        // With the right checksum of the first as the payload of the second, the sum is all ones, and its complement 0.
        byte[] before = Packet.Bare.IPv4(s_x, s_y).Udp(1, 2).Payload(0, 0);
        byte[] packet = Packet.Bare.IPv4(s_x, s_y).Udp(1, 2).Payload(before[26..28]);

        Assert.Equal("FFFF", Convert.ToHexString(packet[26..28]));
    }
}
