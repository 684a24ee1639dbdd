using Emu.Testing;
using static Emu.Services.Tests.DnsMessage;

namespace Emu.Services.Tests;

/// <summary>Zones in master files: large ones, and those that are none.</summary>
public sealed class DnsZoneTests : IDisposable
{
    private const string Soa = "@ 1h SOA ns hostmaster 1 2 3 4 5\n";

    private readonly string _file = Path.GetTempFileName();

    public void Dispose() => File.Delete(_file);

    private Dns Service(string text)
    {
        File.WriteAllText(_file, "$ORIGIN example.com.\n" + text);
        return new Dns(IPv4Address.Parse("10.0.0.2"), [_file]);
    }

    [Theory]
    [InlineData("www A 192.0.2.1\n", "line 2: a TTL is missing")]
    [InlineData("www 60 A 192.0.2.1\n", "a zone has one SOA record, and there are 0")]
    [InlineData(Soa + "www 60 A 192.0.2.1\nother.example.net. 60 A 192.0.2.1", "other.example.net. is not in")]
    [InlineData(Soa + "www A 192.0.2\n", "line 3: '192.0.2' is no IPv4 address")]
    [InlineData(Soa + "www AAAA 192.0.2.1\n", "line 3: '192.0.2.1' is no IPv6 address")]
    [InlineData(Soa + "www MX 70000 a\n", "line 3: '70000' is no number up to 65535")]
    [InlineData(Soa + "www MX 10\n", "line 3: the data ends too early")]
    [InlineData(Soa + "www NS a b\n", "line 3: 'b' is too much")]
    [InlineData(Soa + "www WKS 1\n", "line 3: 'WKS' is no type that is known here")]
    [InlineData(Soa + "www TYPE99 1\n", "line 3: the data of TYPE99 is written as")]
    [InlineData(Soa + "www TYPE99 \\# 2 0A\n", "line 3: behind \\# 2 stand 4 hexadecimal digits")]
    [InlineData(Soa + "www TXT \"a\n", "line 3: a quotation has no end")]
    [InlineData(Soa + "www TXT ( a\n", "line 3: '(' without ')'")]
    [InlineData(Soa + "www TXT a )\n", "line 3: ')' without '('")]
    [InlineData(Soa + "a..b A 192.0.2.1\n", "line 3: 'a..b': a label has 1 to 63 bytes")]
    [InlineData(Soa + "www CH TXT a\n", "line 3: class CH is not supported")]
    [InlineData(Soa + "$GENERATE 1-3 a\n", "line 3: $GENERATE is not supported")]
    [InlineData(Soa + "www CNAME a\nwww A 192.0.2.1\n", "www.example.com. has a CNAME and other records")]
    [InlineData(Soa + "*.a NS ns\n", "*.a.example.com. has NS records")]
    public void What_is_no_zone_is_refused_with_its_line(string text, string reason) =>
        Assert.Contains(
            reason, Assert.Throws<ArgumentException>(() => Service(text)).Message, StringComparison.Ordinal);

    [Fact]
    public void A_thousand_names_each_have_their_own_answer()
    {
        var zone = string.Concat(Enumerable.Range(0, 1000).Select(i => $"host{i} A 192.0.{i / 256}.{i % 256}\n"));
        var run = new ServiceRun(Service(Soa + zone), ports: 1);
        for (var i = 0; i < 1000; i++)
            Assert.Equal(
                $"> host{i}.example.com. 3600 1 192.0.{i / 256}.{i % 256}", Ask(run, $"host{i}.example.com")[2]);
        Assert.Equal("3 AA", Ask(run, "host1000.example.com")[0]);
    }

    /// <summary>Of so many questions several have one hash of 32 bits, whatever hash it is.</summary>
    [Fact]
    public void Sixty_thousand_names_with_records_of_four_types_have_their_own_answers()
    {
        var random = new Random(1);
        var names = Enumerable.Range(0, 60_000).Select(_ => $"h{random.NextInt64():x}").ToArray();
        var zone = string.Concat(names.Select((name, i) =>
            $"{name} A 10.0.{i / 256}.{i % 256}\n{name} AAAA fd00::\n{name} MX 1 {name}\n{name} TXT a\n"));
        var run = new ServiceRun(Service(Soa + zone), ports: 1);
        for (var i = 0; i < names.Length; i++)
            Assert.Equal(
                $"> {names[i]}.example.com. 3600 1 10.0.{i / 256}.{i % 256}", Ask(run, $"{names[i]}.example.com")[2]);
    }

    [Fact]
    public void What_has_no_room_is_truncated()
    {
        var zone = string.Concat(Enumerable.Range(0, 40).Select(i => $"many A 192.0.2.{i}\n"));
        var run = new ServiceRun(Service(Soa + zone), ports: 1);
        Assert.Equal(["0 AA TC", "? many.example.com."], Ask(run, "many.example.com"));
        Assert.Equal(43, Ask(run, "many.example.com", size: 4096).Length);
    }

    private static string[] Ask(ServiceRun run, string name, ushort size = 0)
    {
        var (mac, peerMac) = (MacAddress.Of(IPv4Address.Parse("10.0.0.2")), MacAddress.Parse("02:00:00:00:00:01"));
        var request = Packet.Ethernet(peerMac, mac).IPv4(IPv4Address.Parse("10.0.0.1"), IPv4Address.Parse("10.0.0.2"))
            .Udp(4000, 53).Payload(Query(name, A, size));
        var frame = Assert.Single(run.Receive(0, request)).Bytes.ToArray();
        return Read(frame.AsSpan(42, (frame[38] << 8 | frame[39]) - 8));
    }
}
