using Emu.Protocols;

namespace Emu.Testing.Tests;

/// <summary>The builders and the views of VXLAN, GRE and DNS against one another and known bytes.</summary>
public sealed class TunnelTests
{
    private static readonly MacAddress s_mac = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly IPv4Address s_a = IPv4Address.Parse("192.0.2.1"), s_b = IPv4Address.Parse("192.0.2.2");

    private static byte[] Inner => Packet.Ethernet(s_mac, s_mac).IPv4(s_b, s_a).Udp(7, 9).Payload("hello");

    [Fact]
    public void A_header_of_VXLAN_is_read_and_begun()
    {
        byte[] bytes = Packet.Bare.Vxlan(0xABCDEF).Payload(Inner);
        Assert.Equal("08000000ABCDEF00", Convert.ToHexString(bytes.AsSpan(0, 8)));
        Assert.True(Vxlan.TryParse(bytes, out var view));
        Assert.True(view.HasVni);
        Assert.Equal(0xABCDEFu, view.Vni);
        Assert.Equal(Inner, view.Payload.ToArray());
        Assert.False(Vxlan.TryParse(bytes.AsSpan(0, 21), out _));

        var begun = new byte[30];
        begun.AsSpan().Fill(0xFF);
        Assert.True(Vxlan.TryInitialize(begun, out view));
        view.Vni = 0x123456;
        Assert.Equal("0800000012345600FFFF", Convert.ToHexString(begun.AsSpan(0, 10)));
    }

    [Theory]
    [InlineData(false, null, null, 4)]
    [InlineData(true, null, null, 8)]
    [InlineData(false, 77u, null, 8)]
    [InlineData(false, null, 5u, 8)]
    [InlineData(true, 77u, 5u, 16)]
    public void A_header_of_GRE_has_the_fields_that_its_flags_announce(
        bool hasChecksum, uint? key, uint? sequence, int length)
    {
        byte[] bytes = Packet.Bare.Gre(key, sequence, hasChecksum).IPv4(s_a, s_b).Udp(7, 9).Payload("!");
        Assert.True(Gre.TryParse(bytes, out var view));
        Assert.Equal((EtherType.IPv4, length), (view.EtherType, view.HeaderLength));
        Assert.Equal((key ?? 0, sequence ?? 0), (view.Key, view.SequenceNumber));
        Assert.True(view.HasValidChecksum);
        Assert.True(IPv4.TryParse(view.Payload, out _));
        Assert.False(Gre.TryParse(bytes.AsSpan(0, length - 1), out _));

        var again = (byte[])bytes.Clone();
        again.AsSpan(0, length).Fill(0xFF);
        Assert.True(Gre.TryInitialize(again, hasChecksum, key is not null, sequence is not null, out view));
        view.EtherType = EtherType.IPv4;
        view.Key = key ?? 1;
        view.SequenceNumber = sequence ?? 1;
        view.WriteChecksum();
        Assert.Equal(bytes, again);
        again[^1] ^= 1;
        Assert.Equal(!hasChecksum, view.HasValidChecksum);
    }

    /// <summary>Source routes of RFC 1701, its recursion control, and the version of RFC 2637.</summary>
    [Theory]
    [InlineData(0x4000)]
    [InlineData(0x0800)]
    [InlineData(0x0400)]
    [InlineData(0x0001)]
    public void GRE_of_another_version_is_refused(int flags) =>
        Assert.False(Gre.TryParse([(byte)(flags >> 8), (byte)flags, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0], out _));

    [Fact]
    public void A_question_of_DNS_is_read()
    {
        byte[] bytes = Packet.Bare.Dns(0x1234, "www.example.org", type: 28);
        Assert.True(Dns.TryParse(bytes, out var dns));
        Assert.Equal((0x1234, false, DnsOpcode.Query), (dns.Id, dns.IsResponse, dns.Opcode));
        Assert.True(dns.RecursionDesired);
        Assert.Equal((1, 0, 0, 0), (dns.QuestionCount, dns.AnswerCount, dns.AuthorityCount, dns.AdditionalCount));
        Assert.Equal("03777777076578616D706C65036F726700001C0001", Convert.ToHexString(dns.Payload));
        Assert.False(Dns.TryParse(bytes.AsSpan(0, 11), out _));
    }
}
