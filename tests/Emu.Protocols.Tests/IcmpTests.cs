namespace Emu.Protocols.Tests;

public sealed class IcmpTests
{
    [Fact]
    public void An_echo_request_is_read()
    {
        var ip = View.IPv4(new Ethernet(KnownFrames.EchoRequest).Payload);
        var icmp = View.Icmp(ip.Payload);
        Assert.Equal((IcmpType.EchoRequest, 0, 0x00EA), (icmp.Type, icmp.Code, icmp.Checksum));
        Assert.Equal((1, 2), (icmp.Identifier, icmp.SequenceNumber));
        Assert.Equal(0x0001_0002u, icmp.RestOfHeader);
        Assert.Equal(Enumerable.Range(0, 56).Select(i => (byte)i), icmp.Data.ToArray());
        Assert.True(icmp.HasValidChecksum);
    }

    [Fact]
    public void A_request_becomes_a_reply_in_place()
    {
        var ip = View.IPv4(new Ethernet(KnownFrames.EchoRequest).Payload);
        var icmp = View.Icmp(ip.Payload);
        icmp.Type = IcmpType.EchoReply;
        Assert.False(icmp.HasValidChecksum);
        icmp.WriteChecksum();
        Assert.True(icmp.HasValidChecksum);
        Assert.Equal(0x08EA, icmp.Checksum);
    }

    [Fact]
    public void Messages_below_eight_bytes_are_refused()
    {
        Assert.False(Icmp.TryParse(new byte[7], out _));
        Assert.False(Icmpv6.TryParse(new byte[7], out _));
    }
}
