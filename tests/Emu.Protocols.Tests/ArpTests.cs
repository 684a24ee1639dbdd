namespace Emu.Protocols.Tests;

public sealed class ArpTests
{
    [Fact]
    public void A_request_is_read()
    {
        Assert.True(Arp.TryParse(new Ethernet(KnownFrames.ArpRequest).Payload, out var arp));
        Assert.Equal(ArpOperation.Request, arp.Operation);
        Assert.Equal(MacAddress.Parse("02:00:00:00:00:01"), arp.SenderHardwareAddress);
        Assert.Equal(IPv4Address.Parse("10.0.0.1"), arp.SenderProtocolAddress);
        Assert.Equal(default, arp.TargetHardwareAddress);
        Assert.Equal(IPv4Address.Parse("10.0.0.2"), arp.TargetProtocolAddress);
    }

    [Fact]
    public void A_request_begun_in_used_memory_has_the_known_bytes()
    {
        var bytes = new byte[28];
        Array.Fill(bytes, (byte)0xEE);
        Assert.True(Arp.TryInitialize(bytes, out var arp));
        arp.Operation = ArpOperation.Request;
        arp.SenderHardwareAddress = MacAddress.Parse("02:00:00:00:00:01");
        arp.SenderProtocolAddress = IPv4Address.Parse("10.0.0.1");
        arp.TargetProtocolAddress = IPv4Address.Parse("10.0.0.2");
        Assert.Equal(KnownFrames.ArpRequest[14..42], bytes);
    }

    [Theory]
    [InlineData(0, 1)] // hardware type
    [InlineData(2, 9)] // protocol type
    [InlineData(4, 8)] // hardware address length
    [InlineData(5, 16)] // protocol address length
    public void A_packet_about_anything_but_IPv4_on_Ethernet_is_refused(int offset, byte value)
    {
        var bytes = KnownFrames.ArpRequest[14..42];
        bytes[offset] = value;
        Assert.False(Arp.TryParse(bytes, out _));
    }

    [Fact]
    public void A_packet_cut_short_is_refused()
    {
        Assert.False(Arp.TryParse(KnownFrames.ArpRequest.AsSpan(14, 27), out _));
        Assert.False(Arp.TryInitialize(new byte[27], out _));
    }
}
