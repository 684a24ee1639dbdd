using System.Net;
using FsCheck;
using FsCheck.Fluent;

namespace Emu.Core.Tests;

public sealed class AddressTests
{
    [Theory]
    [InlineData("02:00:00:00:00:02", 0x0200_0000_0002UL)]
    [InlineData("01-80-C2-00-00-0e", 0x0180_C200_000EUL)]
    [InlineData("ff:ff:ff:ff:ff:ff", 0xFFFF_FFFF_FFFFUL)]
    public void A_MAC_address_is_read_with_colons_or_hyphens(string text, ulong bits) =>
        Assert.Equal(bits, MacAddress.Parse(text).Bits);

    [Theory]
    [InlineData("")]
    [InlineData("02:00:00:00:00")]
    [InlineData("02:00:00:00:00:02:03")]
    [InlineData("02:00:00:00:00:0g")]
    [InlineData("2:0:0:0:0:2")]
    [InlineData("02:00-00:00:00:02")]
    public void What_is_no_MAC_address_is_refused(string text)
    {
        Assert.False(MacAddress.TryParse(text, null, out _));
        var refused = Assert.Throws<FormatException>(() => MacAddress.Parse(text));
        Assert.Contains("is not a MAC address", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("01:80:c2:00:00:00", true)]
    [InlineData("01:80:c2:00:00:0f", true)]
    [InlineData("01:80:c2:00:00:10", false)]
    [InlineData("01:80:c2:00:01:00", false)]
    [InlineData("00:80:c2:00:00:00", false)]
    public void Sixteen_addresses_are_reserved_for_bridges(string text, bool isReserved) =>
        Assert.Equal(isReserved, MacAddress.Parse(text).IsReservedForBridges);

    [Theory]
    [InlineData("02:00:00:00:00:02", false)]
    [InlineData("03:00:00:00:00:02", true)]
    [InlineData("ff:ff:ff:ff:ff:ff", true)]
    public void The_lowest_bit_of_the_first_octet_says_group(string text, bool isGroup)
    {
        Assert.Equal(isGroup, MacAddress.Parse(text).IsGroup);
        Assert.Equal(!isGroup, MacAddress.Parse(text).IsIndividual);
    }

    [Fact]
    public void Every_address_reads_what_it_prints()
    {
        Prop.ForAll<ulong, uint>((mac, ip) =>
            MacAddress.Parse(new MacAddress(mac).ToString()) == new MacAddress(mac)
            && IPv4Address.Parse(new IPv4Address(ip).ToString()) == new IPv4Address(ip)).QuickCheckThrowOnFailure();
        Prop.ForAll<ulong, ulong>((high, low) =>
            IPv6Address.Parse(new IPv6Address(new UInt128(high, low)).ToString()) == new IPv6Address(
                new UInt128(high, low))).QuickCheckThrowOnFailure();
    }

    [Theory]
    [InlineData("10.0.0.2", 0x0A00_0002U)]
    [InlineData("255.255.255.255", 0xFFFF_FFFFU)]
    public void An_IPv4_address_is_dotted_decimal(string text, uint bits) =>
        Assert.Equal(bits, IPv4Address.Parse(text).Bits);

    [Theory]
    [InlineData("10.2")]
    [InlineData("10.0.0.256")]
    [InlineData("0x0a.0.0.2")]
    [InlineData("10.0.0.2/24")]
    [InlineData("fd00::2")]
    public void What_is_no_IPv4_address_is_refused(string text) =>
        Assert.False(IPv4Address.TryParse(text, null, out _));

    [Theory]
    [InlineData("fe80::1%eth0")]
    [InlineData("[fd00::2]")]
    [InlineData("fd00::2/64")]
    [InlineData("10.0.0.2")]
    [InlineData("fd00::g")]
    public void What_is_no_IPv6_address_is_refused(string text) =>
        Assert.False(IPv6Address.TryParse(text, null, out _));

    [Fact]
    public void A_solicited_node_group_has_the_last_24_bits_of_the_address()
    {
        var group = IPv6Address.Parse("4037::01:800:200e:8c6c").SolicitedNode; // RFC 4291 §2.7.1's own example
        Assert.Equal(IPv6Address.Parse("ff02::1:ff0e:8c6c"), group);
        Assert.Equal(MacAddress.Parse("33:33:ff:0e:8c:6c"), group.MulticastMac);
        Assert.Equal(IPAddress.Parse("ff02::1:ff0e:8c6c").ToString(), group.ToString());
    }

    [Theory]
    [InlineData("34-56-78-9A-BC-DE", "fe80::3656:78ff:fe9a:bcde")] // RFC 2464 §4's own example
    [InlineData("02:00:00:00:00:02", "fe80::ff:fe00:2")]
    [InlineData("ff:ff:ff:ff:ff:ff", "fe80::fdff:ffff:feff:ffff")]
    public void A_link_local_address_is_made_of_a_MAC_address(string mac, string address) =>
        Assert.Equal(IPv6Address.Parse(address), IPv6Address.LinkLocal(MacAddress.Parse(mac)));

    [Fact]
    public void A_port_set_reads_what_it_prints()
    {
        Prop.ForAll<ulong>(bits => PortSet.Parse(new PortSet(bits).ToString()) == new PortSet(bits))
            .QuickCheckThrowOnFailure();
        Assert.False(PortSet.TryParse("0,64", null, out _));
        Assert.False(PortSet.TryParse("0,,1", null, out _));
        Assert.False(PortSet.TryParse("-1", null, out _));
    }

    [Fact]
    public void The_set_of_no_port_is_empty()
    {
        Assert.True(PortSet.Of(PortId.None).IsEmpty);
        Assert.Equal(64, PortSet.First(64).Count);
        Assert.Equal(PortSet.Parse("0,1,2"), PortSet.First(3));
    }
}
