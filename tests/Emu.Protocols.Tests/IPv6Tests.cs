namespace Emu.Protocols.Tests;

public sealed class IPv6Tests
{
    [Fact]
    public void The_header_of_a_neighbour_solicitation_is_read()
    {
        Assert.True(IPv6.TryParse(new Ethernet(KnownFrames.NeighborSolicitation).Payload, out var ip));
        Assert.Equal((32, 255), (ip.PayloadLength, ip.HopLimit));
        Assert.Equal(IPProtocol.Icmpv6, ip.NextHeader);
        Assert.Equal("fe80::1", ip.Source.ToString());
        Assert.Equal("ff02::1:ff00:2", ip.Destination.ToString());
        Assert.Equal(32, ip.Payload.Length);
    }

    [Fact]
    public void Version_class_and_flow_label_share_the_first_word()
    {
        var bytes = new byte[40];
        Assert.True(IPv6.TryInitialize(bytes, out var ip));
        ip.Dscp = 46;
        ip.Ecn = 1;
        ip.FlowLabel = 0xABCDE;
        Assert.Equal(KnownFrames.Hex("6b9abcde"), bytes[..4]);
    }

    [Fact]
    public void The_payload_ends_where_its_length_says_and_not_where_the_padding_does()
    {
        var bytes = new byte[60];
        Assert.True(IPv6.TryInitialize(bytes.AsSpan(0, 45), out _));
        Assert.True(IPv6.TryParse(bytes, out var ip));
        Assert.Equal(5, ip.Payload.Length);
    }

    [Theory]
    [InlineData("version 4", 0, 0x45)]
    [InlineData("payload beyond the bytes", 5, 33)]
    public void A_packet_that_contradicts_itself_is_refused(string what, int offset, byte value)
    {
        var bytes = KnownFrames.NeighborSolicitation[14..];
        Assert.True(IPv6.TryParse(bytes, out _));
        bytes[offset] = value;
        Assert.False(IPv6.TryParse(bytes, out _), what);
    }

    [Fact]
    public void Thirty_nine_bytes_are_refused()
    {
        Assert.False(IPv6.TryParse(KnownFrames.NeighborSolicitation.AsSpan(14, 39), out _));
        Assert.False(IPv6.TryInitialize(new byte[39], out _));
    }

    [Fact]
    public void Extension_headers_are_passed_to_the_upper_layer()
    {
        Assert.True(IPv6.TryParse(new Ethernet(KnownFrames.UdpBehindExtensions).Payload, out var ip));
        var extensions = ip.Extensions;
        Assert.True(extensions.MoveNext());
        Assert.Equal((IPProtocol.HopByHopOptions, 8), (extensions.Header, extensions.Bytes.Length));
        Assert.True(extensions.MoveNext());
        Assert.Equal(
            (IPProtocol.Fragment, 8, false), (extensions.Header, extensions.Bytes.Length, extensions.IsFragment));
        Assert.False(extensions.MoveNext());
        Assert.Equal(IPProtocol.Udp, extensions.NextHeader);
        Assert.True(Udp.TryParse(extensions.Payload, out var udp) && udp.HasValidChecksum(ip));
    }

    [Fact]
    public void The_walk_ends_behind_the_header_of_a_fragment_that_is_not_the_first()
    {
        // The next header of the fragment would be another extension, but these bytes are from the
        // middle of a datagram.
        var extensions = Extensions(IPProtocol.Fragment, "3c00000900000001 3c00000000000000");
        Assert.True(extensions.MoveNext());
        Assert.Equal((1, true, true), (extensions.FragmentOffset, extensions.MoreFragments, extensions.IsFragment));
        Assert.False(extensions.MoveNext());
        Assert.Equal(8, extensions.Payload.Length);
        Assert.False(extensions.IsMalformed);
    }

    [Theory]
    [InlineData(IPProtocol.DestinationOptions, "3a010000000000000000000000000000", 16)]
    [InlineData(IPProtocol.Routing, "3a010000000000000000000000000000", 16)]
    [InlineData(IPProtocol.AuthenticationHeader, "3a0400000000000000000000000000000000000000000000", 24)]
    public void The_length_of_an_extension_header_is_in_its_own_units(IPProtocol header, string bytes, int length)
    {
        var extensions = Extensions(header, bytes);
        Assert.True(extensions.MoveNext());
        Assert.Equal(length, extensions.Bytes.Length);
        Assert.False(extensions.MoveNext());
        Assert.Equal(IPProtocol.Icmpv6, extensions.NextHeader);
    }

    [Theory]
    [InlineData("")]
    [InlineData("3a")]
    [InlineData("3a000000000000")]
    [InlineData("3a01000000000000")]
    public void An_extension_header_cut_short_ends_the_walk_and_is_reported(string bytes)
    {
        var extensions = Extensions(IPProtocol.DestinationOptions, bytes);
        Assert.False(extensions.MoveNext());
        Assert.True(extensions.IsMalformed);
        Assert.False(extensions.MoveNext());
    }

    [Fact]
    public void Options_are_walked_through_with_what_to_do_if_they_are_unknown()
    {
        var extensions = Extensions(IPProtocol.HopByHopOptions, "3c0105020000010000de0107c0000100 3a00010400000000");
        Assert.True(extensions.MoveNext());
        var options = extensions.Options;
        var seen = new List<(byte, string, IPv6OptionAction)>();
        while (options.MoveNext()) seen.Add((options.Type, Convert.ToHexString(options.Data), options.ActionIfUnknown));
        Assert.False(options.IsMalformed);
        Assert.Equal(
            [(5, "0000", IPv6OptionAction.Skip), (1, "", IPv6OptionAction.Skip), (0, "", IPv6OptionAction.Skip),
                (0xDE, "07", IPv6OptionAction.DiscardAndReportUnicast),
                (0xC0, "", IPv6OptionAction.DiscardAndReportUnicast),
                (1, "", IPv6OptionAction.Skip)],
            seen);
    }

    [Theory]
    [InlineData(IPProtocol.HopByHopOptions, "3a001e0500000000")]
    [InlineData(IPProtocol.DestinationOptions, "3a0001030000005e")]
    public void An_option_cut_short_ends_the_walk_and_is_reported(IPProtocol header, string bytes)
    {
        var extensions = Extensions(header, bytes);
        Assert.True(extensions.MoveNext());
        var options = extensions.Options;
        while (options.MoveNext()) Assert.Equal(1, options.Type);
        Assert.True(options.IsMalformed);
        Assert.False(options.MoveNext());
    }

    [Fact]
    public void Headers_of_other_kinds_have_no_options()
    {
        var extensions = Extensions(IPProtocol.Fragment, "3a00000000000007");
        Assert.False(extensions.Options.MoveNext());
        Assert.True(extensions.MoveNext());
        Assert.False(extensions.Options.MoveNext());
    }

    private static IPv6Extensions Extensions(IPProtocol first, string payload)
    {
        var bytes = KnownFrames.Hex(payload);
        Assert.True(IPv6.TryInitialize(new byte[IPv6.HeaderLength + bytes.Length], out var ip));
        ip.NextHeader = first;
        bytes.CopyTo(ip.Payload);
        return ip.Extensions;
    }
}
