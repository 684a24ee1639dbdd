namespace Emu.Protocols.Tests;

public sealed class NeighborDiscoveryTests
{
    [Fact]
    public void A_solicitation_is_read_with_the_address_of_its_sender()
    {
        Assert.True(IPv6.TryParse(new Ethernet(KnownFrames.NeighborSolicitation).Payload, out var ip));
        Assert.True(Icmpv6.TryParse(ip.Payload, out var icmp) && icmp.HasValidChecksum(ip));
        Assert.True(NeighborSolicitation.TryParse(icmp, out var solicitation));
        Assert.Equal("fe80::2", solicitation.Target.ToString());

        var options = solicitation.Options;
        Assert.True(options.MoveNext());
        Assert.Equal((NeighborDiscoveryOptionType.SourceLinkLayerAddress, 1), (options.Type, options.Length));
        Assert.True(options.TryReadLinkLayerAddress(out var mac));
        Assert.Equal("02:00:00:00:00:01", mac.ToString());
        Assert.False(options.MoveNext());
        Assert.False(options.IsMalformed);
        Assert.False(options.TryReadLinkLayerAddress(out _));
    }

    [Fact]
    public void A_solicitation_becomes_the_known_advertisement_in_place()
    {
        var frame = KnownFrames.NeighborSolicitation;
        var ip = View.IPv6(new Ethernet(frame).Payload);
        var icmp = View.Icmpv6(ip.Payload);
        Assert.True(NeighborSolicitation.TryParse(icmp, out var solicitation));
        ip.Destination = ip.Source;
        ip.Source = solicitation.Target;
        icmp.Type = Icmpv6Type.NeighborAdvertisement;
        Assert.True(NeighborAdvertisement.TryParse(icmp, out var advertisement));
        advertisement.Solicited = true;
        advertisement.Override = true;
        Assert.True(NeighborDiscoveryOptions.TryWriteLinkLayerAddress(
            advertisement.OptionBytes, NeighborDiscoveryOptionType.TargetLinkLayerAddress,
            MacAddress.Parse("02:00:00:00:00:02")));
        icmp.WriteChecksum(ip);
        Assert.Equal(KnownFrames.NeighborAdvertisement, frame);
    }

    [Fact]
    public void An_advertisement_is_read()
    {
        var ip = View.IPv6(new Ethernet(KnownFrames.NeighborAdvertisement).Payload);
        var icmp = View.Icmpv6(ip.Payload);
        Assert.True(NeighborAdvertisement.TryParse(icmp, out var advertisement));
        Assert.Equal((false, true, true), (advertisement.IsRouter, advertisement.Solicited, advertisement.Override));
        Assert.Equal("fe80::2", advertisement.Target.ToString());
    }

    [Theory]
    [InlineData("another type", 136, 0, 24)]
    [InlineData("code 1", 135, 1, 24)]
    [InlineData("no whole target", 135, 0, 23)]
    public void What_is_no_whole_solicitation_is_refused(string what, byte type, byte code, int length)
    {
        Assert.True(Icmpv6.TryParse(new byte[length], out var icmp));
        icmp.Type = (Icmpv6Type)type;
        icmp.Code = code;
        Assert.False(NeighborSolicitation.TryParse(icmp, out _), what);
    }

    [Theory]
    [InlineData("0100000000000000")] // length 0
    [InlineData("0102000000000000")] // beyond the message
    [InlineData("01010000")] // no unit
    [InlineData("01")]
    public void A_malformed_option_ends_the_walk_and_is_reported(string bytes)
    {
        var octets = KnownFrames.Hex(bytes);
        Assert.True(Icmpv6.TryParse(new byte[NeighborSolicitation.HeaderLength + octets.Length], out var icmp));
        icmp.Type = Icmpv6Type.NeighborSolicitation;
        Assert.True(NeighborSolicitation.TryParse(icmp, out var solicitation));
        octets.CopyTo(solicitation.OptionBytes);
        var options = solicitation.Options;
        Assert.False(options.MoveNext());
        Assert.True(options.IsMalformed);
        Assert.False(options.MoveNext());
    }

    [Fact]
    public void An_address_option_is_not_written_where_it_does_not_fit() =>
        Assert.False(NeighborDiscoveryOptions.TryWriteLinkLayerAddress(
            new byte[7], NeighborDiscoveryOptionType.SourceLinkLayerAddress, default));
}
