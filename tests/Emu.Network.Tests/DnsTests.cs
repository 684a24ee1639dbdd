using Emu.Services;

namespace Emu.Network.Tests;

/// <summary>Real resolvers ask the name server about services/Dns/example.zone.</summary>
public sealed class DnsTests
{
    public static TheoryData<PortKind> Kinds => [.. Enum.GetValues<PortKind>()];

    [Theory, MemberData(nameof(Kinds))]
    public void Dig_reads_the_answers(PortKind kind)
    {
        Needs.Network("dig");
        using var network = new ServiceNetwork(
            kind,
            new Dns(
                IPv4Address.Parse("10.0.0.77"), ["example.zone"], MacAddress.Parse("02:00:00:00:00:77"),
                IPv6Address.Parse("fd00::77")),
            1);
        var host = network.Hosts[0];
        string Dig(string address, params string[] question) =>
            host.Do("dig", [$"@{address}", "+notcp", "+time=5", "+tries=2", .. question]);

        Assert.Equal("192.0.2.80\n192.0.2.81\n", Dig("10.0.0.77", "+short", "WWW.example.COM", "A"));
        Assert.Equal("2001:db8::80\n", Dig("fd00::77", "+short", "www.example.com", "AAAA"));
        Assert.Equal(
            "\"v=spf1 mx -all\" \"a second \\\"string\\\"; no comment\"\n",
            Dig("10.0.0.77", "+short", "example.com", "TXT"));
        Assert.Contains("status: NXDOMAIN", Dig("10.0.0.77", "nope.example.com"), StringComparison.Ordinal);
        Assert.Contains("status: REFUSED", Dig("10.0.0.77", "example.org"), StringComparison.Ordinal);
        Assert.Contains(
            "status: BADVERS", Dig("10.0.0.77", "+edns=1", "+noednsnegotiation", "example.com"),
            StringComparison.Ordinal);
        Assert.Contains("192.0.2.53", Dig("10.0.0.77", "host.sub.example.com"), StringComparison.Ordinal);
        host.Ping("10.0.0.77", "-c", "1");
        Assert.Empty(network.Look().Faults);
        Assert.Equal(1UL, network.Look().Counters[nameof(DnsCounters.NoName)]);
    }
}
