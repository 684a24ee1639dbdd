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
        using var network = Network(kind);
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

    [Fact]
    public void Kdig_reads_the_answers()
    {
        Needs.Network("kdig");
        using var network = Network(PortKind.Raw);
        string Kdig(params string[] question) =>
            network.Hosts[0].Do("kdig", ["@10.0.0.77", "+time=5", "+retry=2", .. question]);

        Assert.Equal("192.0.2.80\n192.0.2.81\n", Kdig("+short", "WWW.example.COM", "A"));
        Assert.Equal("\\# 4 0A000001\n", Kdig("+short", "new.example.com", "TYPE65280"));
        Assert.Contains("status: NXDOMAIN", Kdig("+bufsize=1232", "nope.example.com"), StringComparison.Ordinal);
        Assert.Contains("192.0.2.53", Kdig("host.sub.example.com"), StringComparison.Ordinal);
        Assert.Empty(network.Look().Faults);
    }

    [Fact]
    public void Drill_reads_the_answers()
    {
        Needs.Network("drill");
        using var network = Network(PortKind.Raw);
        string Drill(params string[] question) => network.Hosts[0].Do("drill", [.. question, "@10.0.0.77"]);

        Assert.Equal("2001:db8::80\n", Drill("-Q", "www.example.com", "AAAA"));
        Assert.Contains("rcode: NXDOMAIN", Drill("nope.example.com"), StringComparison.Ordinal);
        Assert.Contains("0 5 5060 www.example.com.", Drill("_sip._udp.example.com", "SRV"), StringComparison.Ordinal);
        Assert.Empty(network.Look().Faults);
    }

    [Fact]
    public void Dnsperf_loses_no_answer()
    {
        Needs.Network("dnsperf");
        using var network = Network(PortKind.Raw);
        using var folder = new TemporaryFolder();
        File.WriteAllText(
            folder["questions"],
            "www.example.com A\ndeep.example.com AAAA\nnope.example.com A\nq.wild.example.com A\n");
        var result = network.Hosts[0].Do(
            "dnsperf", ["-s", "10.0.0.77", "-d", folder["questions"], "-n", "500", "-q", "20", "-t", "60"]);
        Assert.Matches(@"Queries completed: +2000 \(100\.00%\)", result);
        Assert.Matches(@"Response codes: +NOERROR 1500 \(75\.00%\), NXDOMAIN 500 \(25\.00%\)", result);
        Assert.Empty(network.Look().Faults);
    }

    private static ServiceNetwork Network(PortKind kind) => new(
        kind,
        new Dns(
            IPv4Address.Parse("10.0.0.77"), ["example.zone"], MacAddress.Parse("02:00:00:00:00:77"),
            IPv6Address.Parse("fd00::77")),
        1);
}
