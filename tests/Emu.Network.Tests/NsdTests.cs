using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Emu.Testing;
using static Emu.Services.Tests.DnsMessage;

namespace Emu.Network.Tests;

/// <summary>The name server beside NSD, with the same zones and the same questions.</summary>
public sealed class NsdTests
{
    private const string Origin = "example.com";

    private static readonly string[] s_labels = ["a", "b", "c", "www", "_sip", "*"];
    private static readonly ushort[] s_types = [A, A, NS, Cname, Soa, MX, Txt, Aaaa, Srv, 99];

    [Fact]
    public void It_answers_as_NSD_does_about_the_example() =>
        Compare(
            File.ReadAllText("example.zone"),
            random => Names(Labels(random, ["www", "deep", "gone", "x", "wild", "alias", "sub", "via"])));

    [Theory, InlineData(1), InlineData(2), InlineData(3), InlineData(4), InlineData(5), InlineData(6)]
    public void It_answers_as_NSD_does_about_zones_at_random(int seed) =>
        Compare(Zone(new Random(seed)), random => Names(Labels(random, s_labels)));

    /// <summary>Asks both the same, and holds one's answers to the other's.</summary>
    private static void Compare(string zone, Func<Random, string> name)
    {
        Needs.Network("nsd");
        using var folder = new TemporaryFolder();
        var file = folder["zone"];
        File.WriteAllText(file, zone);
        using var network = new ServiceNetwork(
            PortKind.Tap,
            new Services.Dns(IPv4Address.Parse("10.0.0.77"), [file], MacAddress.Parse("02:00:00:00:00:77")), 1);
        var host = network.Hosts[0];
        host.Do("ip", ["link", "set", "lo", "up"]);
        File.WriteAllText(folder["nsd.conf"], Configuration(folder, file));
        using var server = host.Start("nsd", ["-d", "-c", folder["nsd.conf"]]);
        using var theirs = Client(host, "127.0.0.1");
        using var ours = Client(host, "10.0.0.77");
        Until.Holds(() => IsThere(theirs), "NSD answers");
        var random = new Random(1);
        for (var i = 0; i < 3000; i++)
        {
            var query = Query(
                name(random) + Origin, s_types[random.Next(s_types.Length)], (ushort)(random.Next(2) * 1232));
            var (expected, answer) = (Ask(theirs, query), Ask(ours, query));
            Assert.True(
                expected.SequenceEqual(answer),
                $"NSD:\n{string.Join('\n', expected)}\nhere:\n{string.Join('\n', answer)}");
        }
        Assert.Empty(network.Look().Faults);
    }

    private static string Configuration(TemporaryFolder folder, string zone) =>
        $"""
        server:
            ip-address: 127.0.0.1
            server-count: 1
            username: ""
            chroot: ""
            database: ""
            pidfile: "{folder["nsd.pid"]}"
            xfrdfile: "{folder["xfrd.state"]}"
            zonelistfile: "{folder["zone.list"]}"
            minimal-responses: yes
            rrl-ratelimit: 0
            rrl-whitelist-ratelimit: 0
        remote-control:
            control-enable: no
        zone:
            name: {Origin}
            zonefile: "{zone}"

        """;

    /// <summary>Sets of records at names of a few labels: every kind, delegations and aliases among them.</summary>
    private static string Zone(Random random)
    {
        var lines = new List<string>
        {
            $"$ORIGIN {Origin}.", "$TTL 300", "@ SOA ns.a hostmaster 1 7200 900 1209600 60", "@ NS ns.a",
            "ns.a A 192.0.2.1",
        };
        var names = Enumerable.Range(0, 30)
            .Select(_ => string.Join('.', Labels(random, s_labels))).Where(name => name != "").Distinct();
        foreach (var name in names) lines.AddRange(Records(random).Select(record => $"{name} {record}"));
        return string.Join('\n', lines) + "\n";
    }

    private static IEnumerable<string> Records(Random random)
    {
        string Name() => random.Next(8) == 0 ? "host.example.net." : string.Join('.', Labels(random, s_labels[..4], 1));
        string Number() => random.Next(256).ToString(CultureInfo.InvariantCulture);
        if (random.Next(6) == 0) return [$"CNAME {Name()}"];
        if (random.Next(10) == 0) return [$"NS {Name()}", "NS ns.example.net."];
        string[] records =
        [
            $"A 192.0.2.{Number()}", $"AAAA 2001:db8::{Number()}", $"MX {Number()} {Name()}", $"TXT \"{Number()}\"",
            $"SRV 0 {Number()} 5060 {Name()}",
        ];
        return records.Where(_ => random.Next(3) == 0).DefaultIfEmpty(records[0]);
    }

    private static IEnumerable<string> Labels(Random random, string[] labels, int least = 0)
    {
        var count = random.Next(least, 4);
        return Enumerable.Range(0, count)
            .Select(i => labels[random.Next(labels.Length)]).Where((label, i) => label != "*" || i == 0);
    }

    /// <summary>Labels with a dot behind each.</summary>
    private static string Names(IEnumerable<string> labels) => string.Concat(labels.Select(label => label + '.'));

    private static bool IsThere(Socket client)
    {
        try
        {
            Ask(client, Query(Origin, Soa));
            return true;
        }
        catch (SocketException refused) when (refused.SocketErrorCode == SocketError.ConnectionRefused)
        {
            return false;
        }
    }

    /// <summary>
    /// The answer as text, its records in order within their sections: any order is right. Addresses beside an answer
    /// are a courtesy (RFC 1035 §3.3.9), which NSD with short answers leaves out; those beside a referral are not.
    /// </summary>
    private static string[] Ask(Socket client, byte[] query)
    {
        client.Send(query);
        var buffer = new byte[2048];
        var lines = Read(buffer.AsSpan(0, client.Receive(buffer)));
        var isAnswered = lines.Any(line => line[0] == '>');
        return
        [
            .. lines.Where(line => line[0] != '+' || !isAnswered || line.StartsWith("+ OPT", StringComparison.Ordinal))
                .OrderBy(line => ">^+".IndexOf(line[0])).ThenBy(line => line, StringComparer.Ordinal),
        ];
    }

    private static Socket Client(TestHost host, string address) => host.Inside(() =>
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp)
        {
            ReceiveTimeout = (int)Until.Limit.TotalMilliseconds,
        };
        socket.Connect(new IPEndPoint(IPAddress.Parse(address), Emu.Protocols.Dns.Port));
        return socket;
    });
}
