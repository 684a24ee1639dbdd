using Emu.Compiler.Rtl;

namespace Emu.Compiler.Tests;

/// <summary>Names of C# as names of Verilog.</summary>
public sealed class NameTests
{
    [Theory]
    [InlineData("LearningSwitch", "learning_switch")]
    [InlineData("TcpPing", "tcp_ping")]
    [InlineData("MacAddress", "mac_address")]
    [InlineData("IPv4Router", "ipv4_router")]
    [InlineData("IPv6Answer", "ipv6_answer")]
    [InlineData("IsIPv4", "is_ipv4")]
    [InlineData("IPv4.TryParse", "ipv4_try_parse")]
    [InlineData("Icmpv6", "icmpv6")]
    [InlineData("DHCPv6Relay", "dhcpv6_relay")]
    [InlineData("GetUInt16", "get_uint16")]
    [InlineData("ReadUInt32BigEndian", "read_uint32_big_endian")]
    [InlineData("UInt128.op_Addition", "uint128_op_addition")]
    [InlineData("UIntPtr", "uint_ptr")]
    [InlineData("UInterface", "u_interface")]
    [InlineData("GetSByte", "get_sbyte")]
    [InlineData("DNSServer", "dns_server")]
    [InlineData("DnsServer", "dns_server")]
    [InlineData("IPAddress", "ip_address")]
    [InlineData("TTL", "ttl")]
    [InlineData("H3Hash.Index", "h3_hash_index")]
    [InlineData("Crc32XOR", "crc32_xor")]
    [InlineData("Sha256Hash", "sha256_hash")]
    [InlineData("AES128Key", "aes128_key")]
    [InlineData("Stations.ways.0.Key", "stations_ways_0_key")]
    [InlineData("s_numberOfIPv6Hosts", "s_number_of_ipv6_hosts")]
    [InlineData("<Process>g__Half|3_0", "process_g_half_3_0")]
    [InlineData("_", "")]
    public void Words_are_joined_in_small_letters(string name, string verilog) =>
        Assert.Equal(verilog, Netlist.SnakeCase(name));

    /// <summary>Names of C# that differ in capitals alone come out alike, and are told apart.</summary>
    [Fact]
    public void Names_that_come_out_alike_are_numbered()
    {
        var netlist = new Netlist(new Design("names"));
        Assert.Equal("dns_server", netlist.Unique(Netlist.SnakeCase("DNSServer")));
        Assert.Equal("dns_server_2", netlist.Unique(Netlist.SnakeCase("DnsServer")));
    }
}
