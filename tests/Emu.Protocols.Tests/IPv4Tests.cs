namespace Emu.Protocols.Tests;

public sealed class IPv4Tests
{
    [Fact]
    public void The_header_of_an_echo_request_is_read()
    {
        Assert.True(IPv4.TryParse(new Ethernet(KnownFrames.EchoRequest).Payload, out var ip));
        Assert.Equal((20, 84, 1, 64), (ip.HeaderLength, ip.TotalLength, ip.Identification, ip.Ttl));
        Assert.Equal(IPProtocol.Icmp, ip.Protocol);
        Assert.Equal(0x66A6, ip.HeaderChecksum);
        Assert.Equal("10.0.0.1", ip.Source.ToString());
        Assert.Equal("10.0.0.2", ip.Destination.ToString());
        Assert.False(ip.IsFragment);
        Assert.Equal(0, ip.OptionBytes.Length);
        Assert.Equal(64, ip.Payload.Length);
    }

    [Fact]
    public void The_payload_ends_where_the_total_length_says_and_not_where_the_padding_does()
    {
        Assert.True(IPv4.TryParse(new Ethernet(KnownFrames.UdpHello).Payload, out var ip));
        Assert.Equal(13, ip.Payload.Length);
    }

    [Fact]
    public void The_header_checksum_is_verified_and_computed()
    {
        Assert.True(IPv4.TryParse(new Ethernet(KnownFrames.EchoRequest).Payload, out var ip));
        Assert.True(ip.HasValidHeaderChecksum);
        ip.Ttl--;
        Assert.False(ip.HasValidHeaderChecksum);
        ip.WriteHeaderChecksum();
        Assert.True(ip.HasValidHeaderChecksum);
        Assert.Equal(0x67A6, ip.HeaderChecksum);
    }

    [Fact]
    public void A_hop_takes_one_from_the_TTL_and_keeps_the_checksum_right()
    {
        var ip = View.IPv4(new Ethernet(KnownFrames.EchoRequest).Payload);
        for (var ttl = 63; ttl >= 0; ttl--)
        {
            ip.DecrementTtl();
            Assert.Equal(ttl, ip.Ttl);
            Assert.True(ip.HasValidHeaderChecksum);
        }
    }

    [Fact]
    public void Another_address_keeps_a_right_checksum_right_and_a_wrong_one_wrong()
    {
        var ip = View.IPv4(new Ethernet(KnownFrames.UdpHello).Payload);
        var udp = View.Udp(ip.Payload);
        var change = ip.SetSource(IPv4Address.Parse("192.0.2.255")) + ip.SetDestination(IPv4Address.Parse("0.0.0.1"));
        Assert.Equal("192.0.2.255 0.0.0.1", $"{ip.Source} {ip.Destination}");
        Assert.True(ip.HasValidHeaderChecksum);
        Assert.False(udp.HasValidChecksum(ip));
        udp.UpdateChecksum(change);
        Assert.True(udp.HasValidChecksum(ip));

        ip.HeaderChecksum++;
        ip.SetSource(IPv4Address.Parse("10.0.0.1"));
        Assert.False(ip.HasValidHeaderChecksum);
    }

    [Theory]
    [InlineData("version 5", 0, 0x55)]
    [InlineData("IHL 4", 0, 0x44)]
    [InlineData("IHL beyond the total length", 0, 0x49)]
    [InlineData("total length below the header", 3, 19)]
    [InlineData("total length beyond the bytes", 3, 34)]
    public void A_packet_that_contradicts_itself_is_refused(string what, int offset, byte value)
    {
        var bytes = KnownFrames.UdpHello[14..47];
        Assert.True(IPv4.TryParse(bytes, out _));
        bytes[offset] = value;
        Assert.False(IPv4.TryParse(bytes, out _), what);
    }

    [Fact]
    public void Nineteen_bytes_are_refused() => Assert.False(IPv4.TryParse(KnownFrames.UdpHello.AsSpan(14, 19), out _));

    [Theory]
    [InlineData(0x0000, false)]
    [InlineData(0x4000, false)]
    [InlineData(0x8000, false)]
    [InlineData(0x2000, true)]
    [InlineData(0x0001, true)]
    [InlineData(0x1FFF, true)]
    public void A_packet_is_a_fragment_if_more_follow_or_some_came_before(ushort flagsAndOffset, bool isFragment)
    {
        var bytes = KnownFrames.UdpHello[14..47];
        bytes[6] = (byte)(flagsAndOffset >> 8);
        bytes[7] = (byte)flagsAndOffset;
        Assert.True(IPv4.TryParse(bytes, out var ip));
        Assert.Equal(isFragment, ip.IsFragment);
    }

    [Fact]
    public void A_length_written_does_not_move_the_payload_of_the_view_that_wrote_it()
    {
        Assert.True(IPv4.TryParse(new Ethernet(KnownFrames.UdpHello).Payload, out var ip));
        ip.TotalLength = ushort.MaxValue;
        Assert.Equal(ushort.MaxValue, ip.TotalLength);
        Assert.Equal(13, ip.Payload.Length);
    }

    [Theory]
    [InlineData(20, 20)]
    [InlineData(60, 60)]
    [InlineData(20, 65535)]
    public void A_header_can_be_begun_over_the_whole_of_the_bytes(int headerLength, int length)
    {
        var bytes = new byte[length];
        Array.Fill(bytes, (byte)0xEE);
        Assert.True(IPv4.TryInitialize(bytes, out var ip, headerLength));
        Assert.True(IPv4.TryParse(bytes, out var parsed));
        Assert.Equal((headerLength, length), (parsed.HeaderLength, parsed.TotalLength));
        Assert.Equal(length - headerLength, ip.Payload.Length);
        Assert.True(ip.Payload.IndexOfAnyExcept((byte)0xEE) < 0, "the payload is left as it is");
        Assert.Equal(0u, ip.Destination.Bits);
    }

    [Theory]
    [InlineData(16, 100)]
    [InlineData(22, 100)]
    [InlineData(64, 100)]
    [InlineData(24, 23)]
    [InlineData(20, 65536)]
    public void A_header_is_not_begun_where_it_does_not_fit(int headerLength, int length) =>
        Assert.False(IPv4.TryInitialize(new byte[length], out _, headerLength));

    [Fact]
    public void Options_are_visited_in_order_up_to_the_end_of_the_list()
    {
        var options = WithOptions("94040000 01 0707040a000001 00 ffffff");
        Assert.True(options.MoveNext());
        Assert.Equal((IPv4OptionType.RouterAlert, 4, 2), (options.Type, options.Length, options.Data.Length));
        Assert.True(options.MoveNext());
        Assert.Equal((IPv4OptionType.NoOperation, 1, 0), (options.Type, options.Length, options.Data.Length));
        Assert.True(options.MoveNext());
        Assert.Equal((IPv4OptionType.RecordRoute, 7), (options.Type, options.Length));
        Assert.Equal(KnownFrames.Hex("040a000001"), options.Data.ToArray());
        Assert.Equal(KnownFrames.Hex("0707040a000001"), options.Bytes.ToArray());
        Assert.False(options.MoveNext());
        Assert.False(options.MoveNext());
        Assert.False(options.IsMalformed);
        Assert.Equal((IPv4OptionType.EndOfOptionsList, 0, 0), (options.Type, options.Length, options.Data.Length));
    }

    [Theory]
    [InlineData("01010107")] // no length byte
    [InlineData("07000000")] // length 0
    [InlineData("07010000")] // length 1
    [InlineData("07050000")] // beyond the header
    public void A_malformed_option_ends_the_walk_and_is_reported(string bytes)
    {
        var options = WithOptions(bytes);
        while (options.MoveNext()) Assert.False(options.IsMalformed);
        Assert.True(options.IsMalformed);
        Assert.False(options.MoveNext());
    }

    private static IPv4Options WithOptions(string options)
    {
        var bytes = KnownFrames.Hex(options);
        Assert.True(IPv4.TryInitialize(new byte[20 + bytes.Length], out var ip, 20 + bytes.Length));
        bytes.CopyTo(ip.OptionBytes);
        return ip.Options;
    }
}
