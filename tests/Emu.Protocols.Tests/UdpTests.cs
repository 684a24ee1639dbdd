namespace Emu.Protocols.Tests;

public sealed class UdpTests
{
    [Fact]
    public void A_datagram_is_read()
    {
        var ip = View.IPv4(new Ethernet(KnownFrames.UdpHello).Payload);
        var udp = View.Udp(ip.Payload);
        Assert.Equal((1024, 53, 13, 0xA3CA), (udp.SourcePort, udp.DestinationPort, udp.Length, udp.Checksum));
        Assert.Equal("hello"u8.ToArray(), udp.Payload.ToArray());
        Assert.True(udp.HasValidChecksum(ip));
    }

    [Fact]
    public void The_checksum_covers_ports_addresses_and_payload()
    {
        var ip = View.IPv4(new Ethernet(KnownFrames.UdpHello).Payload);
        var udp = View.Udp(ip.Payload);
        udp.Payload[0] ^= 1;
        Assert.False(udp.HasValidChecksum(ip));
        udp.Payload[0] ^= 1;
        ip.Source = IPv4Address.Parse("10.0.0.3");
        Assert.False(udp.HasValidChecksum(ip));
        udp.WriteChecksum(ip);
        Assert.True(udp.HasValidChecksum(ip));
        Assert.Equal(0xA3C8, udp.Checksum);
    }

    [Fact]
    public void Over_IPv4_a_sender_may_do_without_checksum_and_over_IPv6_not()
    {
        Assert.True(IPv4.TryParse(new Ethernet(KnownFrames.UdpHello).Payload, out var ip4));
        Assert.True(IPv6.TryParse(new Ethernet(KnownFrames.UdpBehindExtensions).Payload, out var ip6));
        Assert.True(Udp.TryParse(ip4.Payload, out var udp));
        udp.Checksum = 0;
        Assert.True(udp.HasValidChecksum(ip4));
        Assert.False(udp.HasValidChecksum(ip6));
    }

    [Fact]
    public void A_checksum_that_comes_out_as_zero_is_sent_as_all_ones()
    {
        Assert.True(IPv4.TryInitialize(new byte[30], out var ip));
        Assert.True(Udp.TryInitialize(ip.Payload, out var udp));
        udp.WriteChecksum(ip);
        // Two bytes of payload can bring the sum to all ones, whose complement is 0.
        var missing = udp.Checksum;
        udp.Payload[0] = (byte)(missing >> 8);
        udp.Payload[1] = (byte)missing;
        udp.WriteChecksum(ip);
        Assert.Equal(ushort.MaxValue, udp.Checksum);
        Assert.True(udp.HasValidChecksum(ip));
    }

    [Fact]
    public void A_checksum_that_is_not_there_is_not_there_behind_a_change()
    {
        var udp = View.Udp(View.IPv4(new Ethernet(KnownFrames.UdpHello).Payload).Payload);
        udp.Checksum = 0;
        udp.UpdateChecksum(1);
        Assert.Equal(0, udp.Checksum);
    }

    [Fact]
    public void A_change_never_makes_a_checksum_one_that_is_not_there()
    {
        var ip = View.IPv4(new Ethernet(KnownFrames.UdpHello).Payload);
        var udp = View.Udp(ip.Payload);
        // The port that brings the sum of all to all ones, whose complement is 0.
        var port = InternetChecksum.Finish(InternetChecksum.Change(udp.SourcePort, 0) + (ushort)~udp.Checksum);
        var change = InternetChecksum.Change(udp.SourcePort, port);
        udp.SourcePort = port;
        udp.UpdateChecksum(change);
        Assert.Equal(ushort.MaxValue, udp.Checksum);
        Assert.True(udp.HasValidChecksum(ip));
    }

    [Theory]
    [InlineData(7, 13)]
    [InlineData(0, 13)]
    [InlineData(14, 13)]
    [InlineData(8, 7)]
    public void A_length_below_the_header_or_beyond_the_bytes_is_refused(byte length, int bytes)
    {
        var datagram = KnownFrames.UdpHello[34..47];
        datagram[5] = length;
        Assert.False(Udp.TryParse(datagram.AsSpan(0, bytes), out _));
    }

    [Fact]
    public void The_payload_ends_where_the_length_says()
    {
        var datagram = KnownFrames.UdpHello[34..47];
        datagram[5] = 10;
        Assert.True(Udp.TryParse(datagram, out var udp));
        Assert.Equal("he"u8.ToArray(), udp.Payload.ToArray());
    }

    [Theory]
    [InlineData(7, false)]
    [InlineData(8, true)]
    [InlineData(65535, true)]
    [InlineData(65536, false)]
    public void A_datagram_is_begun_where_its_length_can_be_stated(int length, bool fits) =>
        Assert.Equal(fits, Udp.TryInitialize(new byte[length], out _));
}
