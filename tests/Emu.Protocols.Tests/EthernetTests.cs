namespace Emu.Protocols.Tests;

public sealed class EthernetTests
{
    [Fact]
    public void Addresses_and_type_are_read_from_a_frame()
    {
        var frame = new Frame(
            KnownFrames.ArpRequest, KnownFrames.ArpRequest.Length, new PortId(0), PortSet.None, 0, null!);
        var ethernet = new Ethernet(frame);
        Assert.True(ethernet.Destination.IsBroadcast);
        Assert.Equal(MacAddress.Parse("02:00:00:00:00:01"), ethernet.Source);
        Assert.Equal(EtherType.Arp, ethernet.EtherType);
        Assert.Equal(46, ethernet.Payload.Length);
    }

    [Fact]
    public void A_view_writes_into_the_frame()
    {
        var memory = KnownFrames.ArpRequest;
        var frame = new Frame(memory, memory.Length, new PortId(0), PortSet.None, 0, null!);
        var ethernet = new Ethernet(frame);
        ethernet.Destination = ethernet.Source;
        ethernet.Source = MacAddress.Parse("02:00:00:00:00:02");
        Assert.Equal(KnownFrames.Hex("020000000001020000000002"), memory[..12]);
    }

    [Fact]
    public void Thirteen_bytes_are_no_frame()
    {
        Assert.False(Ethernet.TryParse(new byte[13], out _));
        Assert.Throws<ArgumentOutOfRangeException>(() => { _ = new Ethernet(new byte[13]).Payload; });
    }

    [Fact]
    public void Fourteen_bytes_are_a_frame_without_payload()
    {
        Assert.True(Ethernet.TryParse(new byte[14], out var ethernet));
        Assert.Equal(0, ethernet.Payload.Length);
    }

    [Theory]
    [InlineData(0, true)]
    [InlineData(1500, true)]
    [InlineData(1501, false)]
    [InlineData(0x0600, false)]
    public void The_type_field_is_a_length_up_to_1500(ushort value, bool isLength)
    {
        var ethernet = new Ethernet(new byte[14]) { EtherType = (EtherType)value };
        Assert.Equal(isLength, ethernet.IsLength);
    }

    [Fact]
    public void A_bpdu_is_recognised_by_its_group_address_and_its_service_access_point()
    {
        var ethernet = new Ethernet(KnownFrames.Bpdu);
        Assert.True(ethernet.Destination.IsReservedForBridges);
        Assert.True(
            ethernet.IsLength && Llc.TryParse(ethernet.Payload, ethernet.Length, out var llc) && llc.Dsap == 0x42);
    }

    [Fact]
    public void Llc_data_ends_where_the_length_says_and_not_where_the_padding_does()
    {
        var ethernet = new Ethernet(KnownFrames.Bpdu);
        Assert.True(Llc.TryParse(ethernet.Payload, ethernet.Length, out var llc));
        Assert.Equal((0x42, 0x42, 3, 3), (llc.Dsap, llc.Ssap, llc.Control, llc.HeaderLength));
        Assert.Equal(4, llc.Payload.Length);
    }

    [Theory]
    [InlineData("424203", 2)]
    [InlineData("424203", 4)]
    [InlineData("424200", 3)]
    public void Llc_is_refused_when_its_header_or_its_length_does_not_fit(string bytes, int length) =>
        Assert.False(Llc.TryParse(KnownFrames.Hex(bytes), length, out _));

    [Theory]
    [InlineData("42420003", 4)]
    [InlineData("42420103", 4)]
    [InlineData("4242f303", 3)]
    public void Numbered_llc_control_fields_have_two_bytes_and_unnumbered_ones_one(string bytes, int headerLength)
    {
        Assert.True(Llc.TryParse(KnownFrames.Hex(bytes), 4, out var llc));
        Assert.Equal(headerLength, llc.HeaderLength);
    }

    [Fact]
    public void Stacked_tags_are_passed_one_by_one()
    {
        var ethernet = new Ethernet(KnownFrames.Hex("020000000002020000000001 88a8 7064 8100 e00a 0800 45"));
        Assert.Equal(EtherType.STag, ethernet.EtherType);
        Assert.True(Vlan.TryParse(ethernet.Payload, out var service));
        Assert.Equal((3, true, 100, EtherType.CTag), (service.Pcp, service.Dei, service.Vid, service.EtherType));
        Assert.True(Vlan.TryParse(service.Payload, out var customer));
        Assert.Equal((7, false, 10, EtherType.IPv4), (customer.Pcp, customer.Dei, customer.Vid, customer.EtherType));
        Assert.Equal(0x45, customer.Payload[0]);
    }

    [Fact]
    public void A_tag_cut_short_is_refused() => Assert.False(Vlan.TryParse(new byte[3], out _));
}
